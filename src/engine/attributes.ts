import * as z from 'zod/mini'
import type { Switches } from '../assumptions/switches.ts'
import type { WireRecord } from '../resources/define-resource.ts'
import { quote, recordInvalid } from '../wire/errors.ts'
import { describeIssues } from '../wire/issues.ts'
import { prepared } from '../wire/prepared-schema.ts'
import { parseDatetime, type Timestamp } from '../wire/timestamps.ts'
import type { Endpoint } from './router.ts'

/** Reads what the body writes, held against the policy; moments in their stored form. */
export function readAttributes(
  { resource, operation }: Endpoint,
  body: () => unknown,
  switches: Switches,
): WireRecord {
  if (operation.body === 'free-form') return readFreeForm(body())
  if (operation.writes === undefined) return {}
  const value = body()
  const { singular } = resource
  if (!isObject(value))
    throw recordInvalid(`The body: expected { "${singular}": { … } }; found ${describe(value)}.`)
  const written = value[singular]
  if (!isObject(written)) throw recordInvalid(`${singular}: expected an object; found ${describe(written)}.`)
  const policy = switches['unknown-attributes'] === 'refused' ? strictly(operation.writes) : operation.writes
  const parsed = prepared(policy).safeParse(written)
  if (!parsed.success) throw recordInvalid(`${describeIssues(parsed.error.issues, written, singular)}.`)
  const attributes: Record<string, unknown> = operation.narrows?.(parsed.data) ?? parsed.data
  for (const moment of resource.moments) {
    if (typeof attributes[moment] === 'string')
      attributes[moment] = parseDatetime(attributes[moment]) as Timestamp
  }
  return attributes
}

const strictPolicies = new WeakMap<z.ZodMiniObject, z.ZodMiniObject>()

/** The same policy, refusing attributes that it does not name; made once. */
function strictly(policy: z.ZodMiniObject): z.ZodMiniObject {
  let strict = strictPolicies.get(policy)
  if (strict === undefined) {
    strict = z.catchall(policy, z.never())
    strictPolicies.set(policy, strict)
  }
  return strict
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
