import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { facts, onRecords, refusal, sentence } from '../mutants/mutant.ts'
import { isErrorReply, type Start } from '../mutants/serve-mutant.ts'
import type { HarmlessVariant } from './variant.ts'

/** How a server of its own pages a list: its order, how many it gives where nobody asks, and at most. */
interface Paging {
  readonly order?: (one: Json, other: Json) => number
  readonly byDefault?: number
  readonly most?: number
}

/** Pages a list anew: the whole is asked for, ordered, and cut; `next` says what follows. */
const paged =
  (operation: OperationId, { order, byDefault, most = Number.POSITIVE_INFINITY }: Paging): Start =>
  () =>
  async (heard, ask) => {
    if (heard.operation !== operation) return ask()
    const { plural } = facts(operation)
    const query = new URLSearchParams(heard.query)
    const [limit, offset] = [query.get('_limit'), query.get('_offset')]
    // What is refused is refused.
    if ([limit, offset].some((value) => value !== null && !/^\d+$/.test(value))) return ask()
    query.delete('_limit')
    query.delete('_offset')
    const reply = await ask({ path: `${heard.path}?${query}` })
    const { body } = reply
    if (isErrorReply(reply) || !isObject(body) || !Array.isArray(body[plural])) return reply
    const all = order ? (body[plural] as Json[]).toSorted(order) : (body[plural] as Json[])
    const start = Number(offset ?? 0)
    const size = Math.min(limit === null ? (byDefault ?? all.length) : Number(limit), most)
    const page = all.slice(start, start + size)
    const next = start + page.length < all.length
    return { ...reply, body: { ...body, [plural]: page, metadata: { count: all.length, next } } }
  }

const by = (attribute: string) => (one: Json, other: Json) =>
  String(one[attribute]).localeCompare(String(other[attribute])) || Number(one.id) - Number(other.id)
const newest = (one: Json, other: Json) => Number(other.id) - Number(one.id)
const latest = (one: Json, other: Json) => by('updated_at')(other, one)

const paging = (name: string, operation: OperationId, how: Paging): HarmlessVariant => ({
  name,
  leaves: how.order ? 'list-order' : 'default-limit',
  start: paged(operation, how),
})

/** Lists that stand the other way round after each request that is no read, whether it was refused or not. */
const turning: Start = () => {
  let writes = 0
  return async (heard, ask) => {
    if (heard.method !== 'GET') writes++
    const reply = await ask()
    const isListed = heard.operation === 'listPipelineSchedules' || heard.operation === 'listPipelines'
    if (!isListed || writes % 2 === 0 || !isObject(reply.body) || isErrorReply(reply)) return reply
    const { plural } = facts(heard.operation)
    return { ...reply, body: { ...reply.body, [plural]: (reply.body[plural] as Json[]).toReversed() } }
  }
}

/** Lists in other orders, with other page sizes, and with more in their items. */
export const harmlessLists: readonly HarmlessVariant[] = [
  paging('backfills-newest-first', 'listBackfills', { order: newest }),
  paging('backfills-by-name', 'listBackfills', { order: by('name') }),
  paging('backfills-latest-change-first', 'listBackfills', { order: latest }),
  { name: 'lists-turn-with-each-write', leaves: 'list-order', start: turning },
  // "The list response shape: not shown."
  {
    name: 'pipelines-listed-by-uuid-and-name',
    leaves: 'pipelines-list-shape',
    start: onRecords('listPipelines', ({ uuid, name, schedules }) => ({
      uuid,
      name,
      ...(schedules === undefined ? {} : { schedules }),
    })),
  },
  paging('tokens-by-text', 'listOauthAccessTokens', { order: by('token') }),
  paging('tokens-by-expiry', 'listOauthAccessTokens', { order: by('expires') }),
  ...[1, 2, 3].map((size) => paging(`backfills-${size}-by-default`, 'listBackfills', { byDefault: size })),
  ...[1, 2, 4].map((size) =>
    paging(`backfills-${size}-at-most`, 'listBackfills', { byDefault: size, most: size }),
  ),
  paging('backfills-by-name-two-by-default', 'listBackfills', { order: by('name'), byDefault: 2 }),
  paging('tokens-one-at-most', 'listOauthAccessTokens', { byDefault: 1, most: 1 }),
  paging('tokens-two-by-default', 'listOauthAccessTokens', { byDefault: 2 }),
  {
    name: 'limit-of-0-refused',
    leaves: 'default-limit',
    start: () => (heard, ask) =>
      heard.query.get('_limit') === '0' ? refusal('Expected a _limit of 1 or more.') : ask(),
  },
  {
    name: 'run-count-always',
    // "Present in list items when `include_run_count` is true": elsewhere it is an attribute more.
    leaves: sentence('Backfill', '`total_run_count`'),
    start: onRecords('listBackfills', (record) => ({ total_run_count: 3, ...record })),
    toldBy: ['backfill-list/run-count-only-when-asked'],
  },
]
