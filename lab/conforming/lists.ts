import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { facts, onRecords, onSuccess, recordsIn, refusal, sentence } from '../mutants/mutant.ts'
import type { LogEntry } from '../mutants/operators/schedules-and-logs.ts'
import { isErrorReply, type MutantRequest, type Start } from '../mutants/serve-mutant.ts'
import { defineVariants, forEach } from './variant.ts'

/** The paging of a list: its order, and its number of items by default and at most. */
interface Paging {
  readonly order?: (records: readonly Json[]) => Json[]
  readonly byDefault?: number
  readonly most?: number
}

/** Selects the page that a request asks for. */
function pageOf<Item>(
  all: readonly Item[],
  { query }: MutantRequest,
  { byDefault = all.length, most = all.length }: Paging = {},
): Item[] {
  const start = Number(query.get('_offset') ?? 0)
  return all.slice(start, start + Math.min(Number(query.get('_limit') ?? byDefault), most))
}

/** Asks for a whole list instead of a page; undefined for another request, or a refused one. */
function wholeOf(operation: OperationId, request: MutantRequest): { readonly path: string } | undefined {
  const query = new URLSearchParams(request.query)
  for (const name of ['_limit', '_offset']) {
    if (query.has(name) && !/^\d+$/.test(query.get(name) ?? '')) return undefined
    query.delete(name)
  }
  return request.operation === operation ? { path: `${request.path}?${query}` } : undefined
}

/** Pages a list in another way; `next` reports further pages. */
export const paged =
  (operation: OperationId, paging: Paging): Start =>
  () =>
  async (request, forward) => {
    const whole = wholeOf(operation, request)
    const reply = await forward(whole)
    if (whole === undefined || isErrorReply(reply) || !isObject(reply.body)) return reply
    const { plural } = facts(operation)
    const all = paging.order?.(recordsIn(reply, plural)) ?? recordsIn(reply, plural)
    const page = pageOf(all, request, paging)
    const next = Number(request.query.get('_offset') ?? 0) + page.length < all.length
    return { ...reply, body: { ...reply.body, [plural]: page, metadata: { count: all.length, next } } }
  }

/** Limits the files of logs over both kinds. */
const logsOverBothKinds: Start = () => async (request, forward) => {
  const whole = wholeOf('listLogs', request)
  const reply = await forward(whole)
  if (whole === undefined || isErrorReply(reply) || !isObject(reply.body)) return reply
  // The mock's entries contain both lists.
  const logs = (recordsIn(reply, 'logs') as LogEntry[]).map((entry) => {
    const page = pageOf([...entry.pipeline_run_logs, ...entry.block_run_logs], request)
    const of = (files: readonly Json[]) => files.filter((file) => page.includes(file))
    return {
      ...entry,
      pipeline_run_logs: of(entry.pipeline_run_logs),
      block_run_logs: of(entry.block_run_logs),
    }
  })
  return { ...reply, body: { ...reply.body, logs } }
}

/** Reads the start of logs in another unit. */
const logsIn =
  (perSecond: number): Start =>
  () =>
  ({ operation, path, query }, forward) => {
    const start = query.get('start_timestamp')
    if (operation !== 'listLogs' || start === null) return forward()
    const changed = new URLSearchParams(query)
    changed.set('start_timestamp', String(Math.floor(Number(start) / perSecond)))
    return forward({ path: `${path}?${changed}` })
  }

/** Reverses lists after each write. */
const reversing: Start = () => async (request, forward) => {
  const reply = await forward()
  const { operation, earlier } = request
  const writes = earlier.filter((own) => own.request.method !== 'GET').length
  if (operation !== 'listPipelineSchedules' && operation !== 'listPipelines') return reply
  if (writes % 2 === 0 || !isObject(reply.body) || isErrorReply(reply)) return reply
  const { plural } = facts(operation)
  return { ...reply, body: { ...reply.body, [plural]: recordsIn(reply, plural).toReversed() } }
}

const by = (attribute: string) => (records: readonly Json[]) =>
  records.toSorted(
    (one, other) =>
      String(one[attribute]).localeCompare(String(other[attribute])) || Number(one.id) - Number(other.id),
  )
const backwards = (records: readonly Json[]) => records.toReversed()

/** Lists in other orders, with other page sizes, and with more or less in their items. */
export const listVariants = defineVariants({
  'listPipelines-in-another-order': ['list-order', paged('listPipelines', { order: backwards })],
  'listPipelineSchedules-in-another-order': [
    'list-order',
    paged('listPipelineSchedules', { order: backwards }),
  ],
  'backfills-newest-first': ['list-order', paged('listBackfills', { order: backwards })],
  'backfills-by-name': ['list-order', paged('listBackfills', { order: by('name') })],
  'backfills-latest-change-first': [
    'list-order',
    paged('listBackfills', { order: (records) => by('updated_at')(records).reverse() }),
  ],
  'tokens-by-text': ['list-order', paged('listOauthAccessTokens', { order: by('token') })],
  'tokens-by-expiry': ['list-order', paged('listOauthAccessTokens', { order: by('expires') })],
  'lists-turn-with-each-write': ['list-order', reversing],
  ...forEach(['1', '2', '3', '5', '20'], (size) => [
    `backfills-${size}-by-default`,
    ['default-limit', paged('listBackfills', { byDefault: Number(size) })],
  ]),
  ...forEach(['1', '2', '4', '50'], (size) => [
    `backfills-${size}-at-most`,
    ['default-limit', paged('listBackfills', { byDefault: Number(size), most: Number(size) })],
  ]),
  'backfills-by-name-two-by-default': [
    'default-limit',
    paged('listBackfills', { order: by('name'), byDefault: 2 }),
  ],
  'schedules-five-at-most': ['default-limit', paged('listPipelineSchedules', { byDefault: 5, most: 5 })],
  'tokens-one-at-most': ['default-limit', paged('listOauthAccessTokens', { byDefault: 1, most: 1 })],
  'tokens-two-by-default': ['default-limit', paged('listOauthAccessTokens', { byDefault: 2 })],
  'limit-of-0-refused': [
    'default-limit',
    () => (request, forward) =>
      request.query.get('_limit') === '0' ? refusal('Expected a _limit of 1 or more.') : forward(),
  ],
  'pipelines-list-with-extensions': [
    'pipelines-list-shape',
    onRecords('listPipelines', (pipeline) => ({ ...pipeline, extensions: {} })),
  ],
  // "The list response shape: not shown."
  'pipelines-listed-by-uuid-and-name': [
    'pipelines-list-shape',
    onRecords('listPipelines', ({ uuid, name, schedules }) => ({
      uuid,
      name,
      ...(schedules === undefined ? {} : { schedules }),
    })),
  ],
  'pipelines-listed-by-uuid-alone': [
    'pipelines-list-shape',
    onRecords('listPipelines', ({ uuid }) => uuid),
    'list-pipelines/envelope',
    'list-pipelines/values',
  ],
  'pipelines-listed-by-name-alone': [
    'pipelines-list-shape',
    onRecords('listPipelines', ({ name }) => ({ name })),
    'list-pipelines/values',
  ],
  // "Present in list items when `include_run_count` is true": elsewhere it is a further attribute.
  'run-count-always': [
    sentence('Backfill', '`total_run_count`'),
    onRecords('listBackfills', (record) => ({ total_run_count: 3, ...record })),
    'backfill-list/run-count-only-when-asked',
  ],
  'log-limit-over-both-kinds': [sentence('Read logs', 'Maximum number of logs returned'), logsOverBothKinds],
  'log-times-in-milliseconds': [sentence('Read logs', '`start_timestamp`'), logsIn(1_000)],
  'log-times-in-microseconds': [sentence('Read logs', '`start_timestamp`'), logsIn(1_000_000)],
  'log-entry-absent-where-empty': [
    'not-found',
    onSuccess('listLogs', ({ body }) => ({
      body: {
        ...body,
        logs: (Array.isArray(body.logs) ? body.logs.filter(isObject) : []).filter(
          ({ total_block_run_log_count: one, total_pipeline_run_log_count: other }) =>
            Number(one) + Number(other) > 0,
        ),
      },
    })),
  ],
})
