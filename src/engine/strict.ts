import * as z from 'zod/mini'
import type { Operation, Resource, WireRecord } from '../resources/resource.ts'
import { timestampPatterns } from '../wire/timestamps.ts'
import { UnderstudyError } from '../wire/understudy-error.ts'
import type { UnderstudyReply } from './messages.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Checks a reply against its resource's schema and presenter, as a profile has them where there is one.
 *
 * @throws where an attribute is missing, is one too many, or has a value the schema does not allow.
 */
export function checkReply({ match }: RequestContext, reply: UnderstudyReply): UnderstudyReply {
  if (match.kind !== 'endpoint' || reply.code !== 200) return reply
  const { resource, operation } = match.endpoint
  const presents = operation.presents ?? resource.presents
  if (presents === 'all') return reply
  const body = JSON.parse(reply.body) as Record<string, unknown>
  const records =
    operation.action === 'list'
      ? (body[resource.plural] as WireRecord[])
      : [body[resource.singular] as WireRecord]
  const added = (operation.parameters ?? []).flatMap(({ adds }) => adds?.attributes ?? [])
  for (const record of records) {
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

function fits(resource: Resource, operation: Operation, attribute: string, value: unknown): boolean {
  if (resource.moments.includes(attribute) && typeof value === 'string') {
    const format = resource.formats?.[attribute] ?? operation.timestamps ?? 'microseconds'
    return timestampPatterns[format].test(value)
  }
  const schema = resource.attributes.shape[attribute]
  // What is computed is another value than the stored one, of which alone the schema speaks.
  if (resource.derived?.[attribute] !== undefined || schema === undefined) return true
  return z.safeParse(schema, value).success
}
