import * as z from 'zod/mini'
import type { Switches } from '../assumptions/switches.ts'
import { readMembers } from '../factories/validate.ts'
import type { Operation, QueryParameter, WireRecord } from '../resources/resource.ts'
import { quote, recordInvalid } from '../shared/errors.ts'
import { describeIssues, parseBy } from '../shared/issues.ts'
import { parseDatetime } from '../shared/timestamps.ts'
import { freeze, isObject } from '../shared/values.ts'
import type { Query, RequestContext } from './request-context.ts'
import type { Endpoint } from './router.ts'

const integerPattern = /^\d{1,15}$/

/**
 * Validates the query parameters of a request, then the attributes of its body, against the policy of the operation.
 *
 * @throws ApiError `record_invalid`, naming the parameter or attribute and what it takes, or `payload_too_large`.
 */
export function applyPolicy(context: RequestContext, endpoint: Endpoint): void {
  const { operation } = endpoint
  if (context.search !== '' && operation.parameters !== undefined) {
    context.query = readParameters(operation.parameters, context.searchParams)
  }
  if (operation.body === 'free-form') context.attributes = readFreeForm(context.body)
  else if (operation.writes !== undefined) {
    context.attributes = readAttributes(endpoint, operation.writes, context)
  }
}

function readParameters(parameters: NonNullable<Operation['parameters']>, given: URLSearchParams): Query {
  const query: Record<string, string | string[] | undefined> = {}
  for (const parameter of parameters) {
    if (parameter.filter?.match === 'any') {
      const values = given.getAll(parameter.name)
      if (values.length > 0) query[parameter.name] = values
      continue
    }
    const value = given.get(parameter.name)
    if (value === null) continue
    checkParameter(parameter, value)
    query[parameter.name] = value
  }
  return query
}

function checkParameter({ name, type, allowed }: QueryParameter, value: string): void {
  if (type === 'integer' && !integerPattern.test(value)) {
    throw recordInvalid(`${name}: expected a whole number of 0 or more; found ${quote(value)}.`)
  }
  if (allowed && !allowed.includes(value)) {
    const spellings = allowed.filter((spelling) => spelling !== '').join(', ')
    throw recordInvalid(`${name}: expected one of ${spellings}; found ${quote(value)}.`)
  }
}

/** Reads the attributes in the body, below the singular name of the resource. Converts timestamps to their stored form. */
function readAttributes(
  { resource, operation }: Endpoint,
  writes: z.ZodMiniObject,
  context: RequestContext,
): WireRecord {
  const { body, world } = context
  const { singular } = resource
  if (!isObject(body))
    throw recordInvalid(`The body: expected { "${singular}": { … } }; found ${describe(body)}.`)
  const written = body[singular]
  if (!isObject(written)) throw recordInvalid(`${singular}: expected an object; found ${describe(written)}.`)
  for (const [name, most] of Object.entries(operation.most ?? {})) {
    const list = written[name]
    if (Array.isArray(list) && list.length > most)
      throw recordInvalid(`${singular}.${name}: expected at most ${most}; found ${list.length}.`)
  }
  const read = readMembers(writes, written) ?? readWhole(writes, written, singular, world.switches)
  const attributes: Record<string, unknown> = operation.narrows?.(read, context) ?? read
  for (const attribute of resource.times) {
    const text = attributes[attribute]
    if (typeof text !== 'string') continue
    const stored = parseDatetime(text)
    // The policy has accepted it, but a profile may accept more than a timestamp can express.
    if (stored === undefined) {
      throw recordInvalid(
        `${singular}.${attribute}: expected a datetime such as 2026-01-31 12:00:00; found ${quote(text)}.`,
      )
    }
    attributes[attribute] = stored
  }
  // Records share these values.
  return freeze(attributes)
}

/**
 * Reads attributes of which one is missing, invalid or unknown (`unknown-attributes`).
 *
 * @throws ApiError `record_invalid`.
 */
function readWhole(
  writes: z.ZodMiniObject,
  written: WireRecord,
  singular: string,
  switches: Switches,
): Record<string, unknown> {
  const schema = switches['unknown-attributes'] === 'refused' ? z.strictObject(writes.shape) : writes
  const parsed = parseBy(schema, written)
  if (parsed.success) return parsed.data
  throw recordInvalid(`${describeIssues(parsed.error.issues, written, singular)}.`)
}

function readFreeForm(value: unknown): WireRecord {
  if (value === undefined) return {}
  if (!isObject(value)) throw recordInvalid(`The body: expected a JSON object; found ${describe(value)}.`)
  return value
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  return Array.isArray(value) ? 'an array' : quote(value)
}
