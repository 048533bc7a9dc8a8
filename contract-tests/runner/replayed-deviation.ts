import { tryParseJson } from '../../src/shared/json.ts'
import type { Rule, RuleId } from '../rules/index.ts'
import type { Exchange } from './client.ts'
import { type Difference, differenceOf } from './difference.ts'
import { isObject } from './is-object.ts'
import { queryOf } from './plain-address.ts'
import { equal } from './replies.ts'

/** The finding that a replay must show again. */
export interface ReplayedFinding {
  readonly rule: Rule
  readonly exchange: Exchange
  readonly difference: Pick<Difference, 'attribute' | 'received'>
  readonly isAboutCredentials: boolean
}

/** An invariant that fails in a replayed reply. */
export interface FailedInvariant {
  readonly rule: RuleId
  readonly received: unknown
}

/** A reply in a replay, with the variables of the records that it may name. */
interface Reply {
  readonly body: unknown
  readonly values: ReadonlyMap<string, string>
}

/** The deciding reply of a replay. */
interface ReplayedReply extends Reply {
  readonly exchange: Exchange
  readonly failed: readonly FailedInvariant[]
}

/**
 * Returns whether a replayed reply shows a deviation again: the same invariant fails, or the reply differs from that of the
 * model in the same place. `model` is absent if the request reads a record that the model does not contain.
 */
export function showsAgain(
  finding: ReplayedFinding,
  reply: ReplayedReply,
  model: Reply | undefined,
): boolean {
  const { rule, exchange: original, difference, isAboutCredentials } = finding
  const { exchange, failed } = reply
  if (original.body === undefined || exchange.body === undefined) return original.body === exchange.body
  const { attribute } = difference
  const isSame = ({ rule: id, received }: FailedInvariant) =>
    id === rule.id &&
    differenceOf({ rule, exchange, received: { value: received ?? exchange.body } }).attribute === attribute
  if (failed.some(isSame)) return true
  if (original.httpStatus !== 200) return exchange.httpStatus === original.httpStatus
  if ((original.error === undefined) !== (exchange.error === undefined)) return false
  const predicted = isObject(model?.body) && isObject(model.body.error) ? model.body.error : undefined
  // The model checks no credentials: an error that it predicts has another reason.
  if (isAboutCredentials)
    return (
      original.error?.type === exchange.error?.type &&
      (predicted === undefined || exchange.error === undefined)
    )
  if (model === undefined) return equal(original.body, exchange.body)
  if ((exchange.error === undefined) !== (predicted === undefined)) return true
  const names = namesIn(difference)
  if (exchange.error !== undefined) {
    const members = names.filter((name) => ['code', 'type', 'message'].includes(name))
    return (members.length > 0 ? members : ['code', 'type']).some(
      (name) => exchange.error?.[name] !== predicted?.[name],
    )
  }
  // Records of other clients are only in lists of all records.
  const isOfAll = !queryOf(exchange).has('pipeline_uuid')
  const shown = names.filter((name) => exchange.text.includes(JSON.stringify(name)))
  const places = shown.length > 0 ? shown : [undefined]
  return places.some((name) => valuesOf(reply, name, isOfAll) !== valuesOf(model, name, isOfAll))
}

/** The names of the members that differ, if the finding shows them. */
function namesIn({ attribute, received }: ReplayedFinding['difference']): string[] {
  if (attribute !== undefined) return [attribute.split('.').at(-1) ?? attribute]
  const value = tryParseJson(received)
  return isObject(value) ? Object.keys(value) : []
}

/** The values of an attribute in a reply, or the names of its records, without random parts. */
function valuesOf({ body, values }: Reply, attribute: string | undefined, isOfAll: boolean): string {
  const found: string[] = []
  const names = new Map([...values].map(([name, value]) => [value, name]))
  visit(body)
  return JSON.stringify(found.sort())

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const inner of value) visit(inner)
    if (!isObject(value)) return
    if (isOfAll && isForeign(value)) return
    if (attribute !== undefined && attribute in value) found.push(plain(attribute, value[attribute]))
    else if (attribute === undefined) {
      const variable = names.get(String(value.uuid ?? value.id)) ?? ''
      found.push(`${variable} ${plain('name', value.name ?? value.uuid ?? Object.keys(value).sort())}`)
    } else if (['id', 'uuid', 'pipeline_uuid'].some((name) => name in value)) found.push('(absent)')
    for (const inner of Object.values(value)) if (typeof inner === 'object') visit(inner)
  }

  /** A record of another client, in a list of all. */
  function isForeign({ id, uuid, name, pipeline_uuid: home }: Readonly<Record<string, unknown>>): boolean {
    const run = values.get('RUN') ?? ''
    const texts = [uuid, name, home].filter((text) => typeof text === 'string')
    return (
      texts.length > 0 &&
      !texts.some((text) => text.includes(run) || names.has(text)) &&
      !names.has(String(id))
    )
  }

  function plain(name: string, value: unknown): string {
    const text = JSON.stringify(value, (key, inner: unknown) => {
      const at = key === '' || /^\d+$/.test(key) ? name : key
      if (at === 'token' || at === 'message' || (at === 'content' && attribute !== 'content'))
        return typeof inner
      if (typeof inner === 'string')
        return names.get(inner) ?? (at.endsWith('_at') ? formOfTime(inner) : inner)
      return typeof inner === 'number' && /(^|_)id$/.test(at) ? (names.get(String(inner)) ?? inner) : inner
    })
    return text ?? '(absent)'
  }
}

function formOfTime(text: string): string {
  return text.replaceAll(/\d/g, '0')
}
