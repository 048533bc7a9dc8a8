import * as z from 'zod/mini'
import type { Operation, Resource, WireRecord } from '../resources/resource.ts'
import { timestampPatterns } from '../shared/timestamps.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { isObject } from '../shared/values.ts'
import type { UnderstudyReply } from './messages.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Checks a reply against its resource's schema and presenter, as a profile has them where there is one.
 *
 * @throws where an attribute is missing, is one too many, or has a value the schema does not allow.
 */
export function checkReply({ match, query }: RequestContext, reply: UnderstudyReply): UnderstudyReply {
  if (match.kind !== 'endpoint' || reply.code !== 200) return reply
  const { resource, operation } = match.endpoint
  const presents = operation.presents ?? resource.presents
  if (presents === 'all') return reply
  const added = (operation.parameters ?? [])
    .filter(({ name, adds }) => adds?.when.includes(String(query[name] ?? '')))
    .flatMap(({ adds }) => adds?.attributes ?? [])
  for (const record of recordsOf(JSON.parse(reply.body), resource, operation)) {
    const missing = presents.filter((attribute) => !Object.hasOwn(record, attribute))
    const extra = Object.keys(record).filter(
      (attribute) => !presents.includes(attribute) && !added.includes(attribute),
    )
    if (missing.length + extra.length > 0) {
      throw new UnderstudyError(
        'REPLY_INVALID',
        `${operation.id}: the reply lacks [${missing}] and has [${extra}] too many.`,
      )
    }
    for (const [attribute, value] of Object.entries(record)) {
      if (fits(resource, operation, attribute, value)) continue
      throw new UnderstudyError(
        'REPLY_INVALID',
        `${operation.id}: ${attribute} is ${JSON.stringify(value)} in the reply.`,
      )
    }
  }
  return reply
}

function recordsOf(body: unknown, { singular, plural }: Resource, { id, action }: Operation): WireRecord[] {
  const carried = isObject(body) ? body[action === 'list' ? plural : singular] : undefined
  const records = action === 'list' ? carried : [carried]
  if (Array.isArray(records) && records.every(isObject)) return records
  throw new UnderstudyError(
    'REPLY_INVALID',
    `${id}: the reply carries no ${action === 'list' ? plural : singular}.`,
  )
}

function fits(resource: Resource, operation: Operation, attribute: string, value: unknown): boolean {
  if (resource.times.includes(attribute) && typeof value === 'string') {
    const format = resource.formats?.[attribute] ?? operation.timestamps ?? 'microseconds'
    return timestampPatterns[format].test(value)
  }
  // What is computed is another value than a stored one, and has a schema of its own.
  const derived = resource.derived?.[attribute]
  const is = derived?.is ?? resource.attributes.shape[attribute]
  if (is === undefined || derived?.isOpen) return true
  return 'listOf' in is ? Array.isArray(value) && value.every(isObject) : z.safeParse(is, value).success
}
