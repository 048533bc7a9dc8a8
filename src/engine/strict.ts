import type { Resource, WireRecord } from '../resources/define-resource.ts'
import { resources } from '../resources/index.ts'
import { microsecondsPattern, secondsPattern } from '../wire/timestamps.ts'
import { UnderstudyError } from '../wire/understudy-error.ts'
import type { UnderstudyReply } from './messages.ts'

/**
 * Checks a reply against its resource's schema and presenter.
 *
 * @throws where an attribute is missing, is one too many, or has a value the schema does not allow.
 */
export function checkReply(reply: UnderstudyReply): UnderstudyReply {
  const { operation, code } = reply
  const resource = operation && resources.find(({ operations }) => operations.includes(operation))
  if (resource === undefined || operation === undefined || code !== 200 || resource.presents === 'all')
    return reply
  const body = JSON.parse(reply.body) as Record<string, unknown>
  const records =
    operation.action === 'list'
      ? (body[resource.plural] as WireRecord[])
      : [body[resource.singular] as WireRecord]
  const presents = operation.presents ?? resource.presents
  const added = (operation.parameters ?? []).flatMap(({ adds }) => adds?.attributes ?? [])
  for (const record of records) {
    const missing = (presents as readonly string[]).filter((attribute) => !Object.hasOwn(record, attribute))
    const extra = Object.keys(record).filter(
      (attribute) => !presents.includes(attribute) && !added.includes(attribute),
    )
    if (missing.length + extra.length > 0) {
      throw new UnderstudyError(
        'REPLY_INVALID',
        `${operation.id}: the reply lacks [${missing}] and has [${extra}] too many.`,
      )
    }
    checkValues(
      resource,
      record,
      operation.timestamps === 'seconds' ? secondsPattern : microsecondsPattern,
      operation.id,
    )
  }
  return reply
}

function checkValues(resource: Resource, record: WireRecord, pattern: RegExp, id: string): void {
  for (const [attribute, value] of Object.entries(record)) {
    const schema = resource.attributes.shape[attribute]
    const fits =
      resource.moments.includes(attribute) && typeof value === 'string'
        ? pattern.test(value)
        : !(schema && 'safeParse' in schema) ||
          (schema as { safeParse(value: unknown): { success: boolean } }).safeParse(value).success
    if (!fits)
      throw new UnderstudyError(
        'REPLY_INVALID',
        `${id}: ${attribute} is ${JSON.stringify(value)} in the reply.`,
      )
  }
}
