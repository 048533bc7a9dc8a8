import {
  type BreakableOperation,
  onBody,
  onError,
  onRecords,
  reaches,
  sent,
} from '../../contract-tests/mutants/changes.ts'
import type { BrokenServer, Json, ParsedReply, Passing } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'

/** What a wrong server does otherwise. */
type BrokenBehaviour = Pick<BrokenServer, 'request' | 'reply'>

/** Changes what the list shows, and leaves the echo of writes right. */
const lists = (change: (record: Json) => Json): BrokenBehaviour => ({
  reply: onRecords('listBackfills', change),
})
const text = (record: Json, attribute: string, change: (value: string) => string): Json =>
  typeof record[attribute] === 'string' ? { ...record, [attribute]: change(record[attribute]) } : record

/** Changes the query of an operation. */
const asks = (operation: BreakableOperation, change: (query: URLSearchParams) => void): BrokenBehaviour => ({
  request(passing) {
    if (!reaches(operation, passing)) return undefined
    const query = new URLSearchParams(passing.query)
    change(query)
    return { path: `${passing.path}?${query}` }
  },
})

/** Changes the record that a write carries. */
const stores = (operation: BreakableOperation, change: (record: Json) => Json): BrokenBehaviour => ({
  request: (passing) =>
    reaches(operation, passing) && isObject(passing.body)
      ? {
          body: Object.fromEntries(
            Object.entries(passing.body).map(([key, value]) => [
              key,
              isObject(value) ? change(value) : value,
            ]),
          ),
        }
      : undefined,
})

/** Stores another value, and echoes what was sent. */
function echoes(
  operation: BreakableOperation,
  singular: string,
  attribute: string,
  change: (value: unknown) => unknown,
): BrokenBehaviour {
  return {
    ...stores(operation, (record) =>
      attribute in record ? { ...record, [attribute]: change(record[attribute]) } : record,
    ),
    reply: onRecords(operation, (record, passing) => {
      const given = sent(passing, singular)
      return attribute in given ? { ...record, [attribute]: given[attribute] } : record
    }),
  }
}

function counted(
  reply: (count: number, passing: Passing) => ReturnType<NonNullable<BrokenServer['reply']>>,
  operation: BreakableOperation,
): BrokenBehaviour {
  let count = 0
  return { reply: (_, passing) => (reaches(operation, passing) ? reply(++count, passing) : undefined) }
}

const withoutNulls = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
      )
    : value

const withoutFalsy = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, inner]) => inner)) : value

/** Remembers the tokens of schedules that lists have shown. */
function knowsTokens(
  accept: (given: string, own: string, all: readonly string[]) => boolean,
): BrokenBehaviour {
  const tokens = new Map<string, string>()
  return {
    request(passing) {
      const [, number = '', given = ''] =
        /^\/api\/pipeline_schedules\/([^/]+)\/pipeline_runs\/(.+)$/.exec(passing.path) ?? []
      const id = decodeURIComponent(number)
      const own = tokens.get(id)
      if (own === undefined || !accept(decodeURIComponent(given), own, [...tokens.values()])) return undefined
      return { path: `/api/pipeline_schedules/${id}/pipeline_runs/${own}` }
    },
    reply(reply, passing) {
      if (passing.path.endsWith('/pipeline_schedules') && isObject(reply.body))
        for (const each of [
          ...((reply.body.pipeline_schedules as Json[]) ?? []),
          reply.body.pipeline_schedule as Json,
        ])
          if (each) tokens.set(String(each.id), String(each.token))
      return undefined
    },
  }
}

/** Filters schedules by tags in another way. */
const tagged = (fits: (tags: string[], asked: string[]) => boolean): BrokenBehaviour => {
  return {
    request: (passing) => (reaches('listPipelineSchedules', passing) ? { path: passing.path } : undefined),
    reply: onBody('listPipelineSchedules', (body, { query }) => {
      const asked = query.getAll('tag[]')
      if (asked.length === 0) return body
      const all = (body.pipeline_schedules as Json[]).filter(({ tags }) => fits(tags as string[], asked))
      return { pipeline_schedules: all, metadata: { count: all.length, next: false } }
    }),
  }
}

/** Filters backfills by their pipeline in another way. */
const filtered = (fits: (own: string, asked: string) => boolean): BrokenBehaviour => ({
  request: (passing) =>
    reaches('listBackfills', passing) && passing.query.has('pipeline_uuid')
      ? { path: '/api/backfills' }
      : undefined,
  reply: onBody('listBackfills', (body, { query }) => {
    const asked = query.get('pipeline_uuid')
    if (asked === null) return body
    const all = (body.backfills as Json[]).filter((each) => fits(String(each.pipeline_uuid), asked))
    const start = Number(query.get('_offset') ?? 0)
    const page = all
      .slice(start, start + Number(query.get('_limit') ?? 9_999))
      .map((each) => (query.has('include_run_count') ? { ...each, total_run_count: 0 } : each))
    return { backfills: page, metadata: { count: all.length, next: start + page.length < all.length } }
  }),
})

/** Another key or token than the right one is taken for it. */
const letsIn = (right: (given: string) => boolean): BrokenBehaviour => ({
  request({ path, query, search }) {
    const given = query.get('api_key')
    if (given === null || !right(given)) return undefined
    return {
      path: `${path}${search.replace(`api_key=${encodeURIComponent(given)}`, 'api_key=contract-key')}`,
    }
  },
})

let known: Json[] = []
const html = { status: 404, contentType: 'text/html', body: '<h1>Not Found</h1>' }

/** Servers written after the sequences stood, by the kinds of mistakes that were told of, not by the sequences. */
export const laterServers: readonly (BrokenBehaviour & { readonly name: string; readonly kind: number })[] = [
  { name: 'second-update-is-201', kind: 1, ...counted((count) => (count > 1 ? { status: 201 } : undefined), 'updateBackfill') },
  { name: 'unknown-deletion-without-type', kind: 1, reply: onError('deleteBackfill', (body) => { const { type: _, ...error } = body.error as Json; return { body: { ...body, error } } }) },
  { name: 'unknown-block-is-404', kind: 1, reply: onError('readBlock', () => ({ status: 404 })) },
  { name: 'refused-deletion-status-in-body', kind: 1, reply: onError('deleteBlock', (body) => ({ body: { ...body, status: 400 } })) },
  { name: 'later-items-lack-metrics', kind: 2, reply: onBody('listBackfills', (body) => ({ ...body, backfills: (body.backfills as Json[]).map(({ metrics, ...rest }, index) => (index === 0 ? { ...rest, metrics } : rest)) })) },
  { name: 'nested-blocks-lack-status', kind: 2, reply: onRecords('readPipeline', (record) => ({ ...record, blocks: (record.blocks as Json[]).map(({ status: _, ...rest }) => rest) })) },
  { name: 'later-schedules-have-text-ids', kind: 2, reply: onBody('listPipelineSchedules', (body) => ({ ...body, pipeline_schedules: (body.pipeline_schedules as Json[]).map((each, index) => (index > 0 ? { ...each, sla: 'none' } : each)) })) },
  { name: 'deleted-backfill-in-microseconds-after-update', kind: 2, reply: onRecords('deleteBackfill', (record) => (record.interval_units === null ? record : text(record, 'updated_at', (at) => `${at}.000000+00:00`))) },
  { name: 'units-listed-as-text', kind: 3, ...lists((record) => (typeof record.interval_units === 'number' ? { ...record, interval_units: String(record.interval_units) } : record)) },
  { name: 'nulls-in-variables-dropped', kind: 3, ...echoes('updateBackfill', 'backfill', 'variables', withoutNulls) },
  { name: 'falsy-variables-dropped', kind: 4, ...echoes('updateBackfill', 'backfill', 'variables', withoutFalsy) },
  { name: 'names-trimmed', kind: 4, ...echoes('createBackfill', 'backfill', 'name', (name) => String(name).trim() || 'x') },
  { name: 'names-composed', kind: 13, ...echoes('createBackfill', 'backfill', 'name', (name) => String(name).normalize('NFC')) },
  { name: 'four-bytes-lost', kind: 13, ...echoes('createBackfill', 'backfill', 'name', (name) => String(name).replaceAll(/\p{Extended_Pictographic}/gu, '?')) },
  { name: 'names-cut-at-100', kind: 13, ...stores('createBackfill', (record) => ({ ...record, name: String(record.name).slice(0, 100) })) },
  { name: 'seconds-lost', kind: 4, ...lists((record) => text(record, 'start_datetime', (at) => `${at.slice(0, 17)}00${at.slice(19)}`)) },
  { name: 'leap-day-moves', kind: 4, ...lists((record) => text(record, 'start_datetime', (at) => at.replace('-02-29', '-03-01'))) },
  { name: 'first-hyphen-only', kind: 4, ...counted(() => undefined, 'createPipeline'), reply: onRecords('createPipeline', (record) => ({ ...record, uuid: String(record.name).replace('-', '_') })) },
  { name: 'carriage-returns-lost', kind: 4, ...stores('createBlock', (record) => text(record, 'content', (content) => content.replaceAll('\r', ''))) },
  { name: 'empty-configuration-values', kind: 4, reply: onRecords('readBlock', (record) => ({ ...record, configuration: isObject(record.configuration) && 'use_raw_sql' in record.configuration ? {} : record.configuration })) },
  { name: 'offset-needs-limit', kind: 5, ...asks('listBackfills', (query) => { if (!query.has('_limit')) query.delete('_offset') }) },
  { name: 'limit-needs-no-filter', kind: 5, ...asks('listBackfills', (query) => { if (query.has('pipeline_uuid') && query.has('_offset')) query.delete('_limit') }) },
  { name: 'count-lost-with-limit', kind: 5, ...asks('listBackfills', (query) => { if (query.has('_limit')) query.delete('include_run_count') }) },
  { name: 'offset-past-the-end-wraps', kind: 5, ...asks('listBackfills', (query) => { if (Number(query.get('_offset')) > 8) query.set('_offset', '0') }) },
  { name: 'next-true-on-exact-page', kind: 6, reply: onBody('listBackfills', (body, { query }) => (query.has('_limit') && (body.backfills as Json[]).length === Number(query.get('_limit')) ? { ...body, metadata: { count: 1, next: true } } : body)) },
  { name: 'next-false-with-offset', kind: 6, reply: onBody('listBackfills', (body, { query }) => (Number(query.get('_offset')) > 0 ? { ...body, metadata: { count: 1, next: false } } : body)) },
  { name: 'next-true-for-schedules', kind: 6, reply: onBody('listPipelineSchedules', (body) => ((body.pipeline_schedules as Json[]).length > 2 ? { ...body, metadata: { count: 9, next: true } } : body)) },
  { name: 'update-nulls-the-rest', kind: 7, ...stores('updateBackfill', (record) => ('name' in record || 'status' in record ? record : { interval_units: null, variables: null, ...record })) },
  { name: 'status-forgets-units', kind: 7, ...stores('updateBackfill', (record) => ('status' in record ? { ...record, interval_units: null } : record)) },
  { name: 'completed-cannot-fail', kind: 7, ...stores('updateBackfill', (record) => record), reply: (() => { const ended = new Set<string>(); return (reply: ParsedReply, passing: Passing) => { if (!reaches('updateBackfill', passing) || !isObject(reply.body)) return undefined; const status = sent(passing, 'backfill').status; if (status === 'failed' && ended.has(passing.path)) return { body: { backfill: { ...(reply.body.backfill as Json), status: 'completed' } } }; if (status === 'completed') ended.add(passing.path); return undefined } })() },
  { name: 'neighbour-renamed', kind: 8, reply: (() => { let updates = 0; return (reply: ParsedReply, passing: Passing) => { if (reaches('updateBackfill', passing) && 'name' in sent(passing, 'backfill')) updates++; return updates === 0 ? undefined : onBody('listBackfills', (body) => ({ ...body, backfills: (body.backfills as Json[]).map((each, index, all) => (index > 0 && index === all.length - 1 ? { ...each, name: 'renamed with it' } : each)) }))(reply, passing) } })() },
  { name: 'deleted-block-takes-content-along', kind: 8, reply: (() => { let deleted = false; return (reply: ParsedReply, passing: Passing) => { if (reaches('deleteBlock', passing)) deleted = true; return deleted ? onRecords('readBlock', (record) => ({ ...record, content: '' }))(reply, passing) : undefined } })() },
  { name: 'blocks-stand-next-door-too', kind: 8, reply: (() => { return (reply: ParsedReply, passing: Passing) => { onRecords('readPipeline', (record) => { if ((record.blocks as Json[]).length > 0) known = record.blocks as Json[]; return record })(reply, passing); return onRecords('readPipeline', (record) => ((record.blocks as Json[]).length === 0 && String(record.uuid).includes('next_door') ? { ...record, blocks: known } : record))(reply, passing) } })() },
  { name: 'forced-deletion-leaves-name', kind: 8, reply: (() => { let forced = false; return (reply: ParsedReply, passing: Passing) => { if (reaches('deleteBlock', passing) && passing.search.includes('force')) forced = true; return forced ? onRecords('readBlock', (record) => ({ ...record, upstream_blocks: [...(record.upstream_blocks as string[]), 'gone'] }))(reply, passing) : undefined } })() },
  { name: 'key-in-query-not-for-put', kind: 9, request: ({ method, path, query }) => (method === 'PUT' && query.has('api_key') ? { path } : undefined) },
  { name: 'key-in-query-not-for-delete', kind: 9, request: ({ method, path, query }) => (method === 'DELETE' && query.has('api_key') ? { path } : undefined) },
  { name: 'delete-asks-for-no-key', kind: 9, request: ({ method, path, query, search, headers }) => (method === 'DELETE' && !query.has('api_key') && !headers.has('x-api-key') ? { path: `${path}${search ? `${search}&` : '?'}api_key=contract-key` } : undefined) },
  { name: 'key-in-body-not-for-put', kind: 9, request: ({ method, body }) => { if (method !== 'PUT' || !isObject(body) || !('api_key' in body)) return undefined; const { api_key: _, ...rest } = body; return { body: rest } } },
  { name: 'key-in-any-letter-case', kind: 10, ...letsIn((given) => given.toLowerCase() === 'contract-key') },
  { name: 'part-of-the-key', kind: 10, ...letsIn((given) => given.length > 3 && 'contract-key'.startsWith(given)) },
  { name: 'token-of-any-schedule', kind: 10, ...knowsTokens((given, _, all) => all.includes(given)) },
  { name: 'token-in-any-letter-case', kind: 10, ...knowsTokens((given, own) => given.toLowerCase() === own.toLowerCase()) },
  { name: 'part-of-the-token', kind: 10, ...knowsTokens((given, own) => given.length > 3 && own.startsWith(given)) },
  { name: 'tags-by-and', kind: 5, ...tagged((tags, asked) => asked.every((tag) => tags.includes(tag))) },
  { name: 'tags-in-any-letter-case', kind: 13, ...tagged((tags, asked) => asked.some((tag) => tags.some((own) => own.toLowerCase() === tag.toLowerCase()))) },
  { name: 'tags-by-part', kind: 13, ...tagged((tags, asked) => asked.some((tag) => tags.some((own) => own.includes(tag)))) },
  { name: 'last-tag-only', kind: 13, ...tagged((tags, asked) => tags.includes(asked.at(-1) ?? '')) },
  { name: 'first-tag-of-a-schedule-only', kind: 4, ...tagged((tags, asked) => asked.includes(tags[0] ?? '')) },
  { name: 'filter-by-beginning', kind: 13, ...filtered((own, asked) => own.startsWith(asked)) },
  { name: 'filter-in-any-letter-case', kind: 13, ...filtered((own, asked) => own.toLowerCase() === asked.toLowerCase()) },
  { name: 'filter-with-wildcards', kind: 13, ...filtered((own, asked) => new RegExp(`^${asked.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/[%*]/g, '.*')}$`).test(own)) },
  { name: 'unknown-path-is-html', kind: 13, reply: (_, { path }) => (path.includes('no_such_resource') ? html : undefined) },
  { name: 'wrong-method-without-body', kind: 13, reply: (_, { method, path }) => (method === 'DELETE' && path.endsWith('/blocks') ? { status: 405, body: '' } : undefined) },
  { name: 'event-variables-lose-nulls', kind: 4, reply: onRecords('triggerPipeline', (record) => ({ ...record, event_variables: withoutNulls(record.event_variables) })) },
  { name: 'event-variables-lose-own-names', kind: 4, reply: onRecords('triggerPipeline', (record) => { const { status: _, ...rest } = record.event_variables as Json; return { ...record, event_variables: rest } }) },
  { name: 'created-at-moves-with-updates', kind: 7, ...lists((record) => (record.interval_units === null ? record : { ...record, created_at: '2020-01-01 00:00:00.000000+00:00' })) },
  { name: 'conditional-blocks-cannot-be-read', kind: 2, reply: (reply, passing) => (reaches('readBlock', passing) && isObject(reply.body) && (reply.body.block as Json | undefined)?.type === 'conditional' ? { body: { error: { code: 500, message: 'No.', type: 'server_error' }, status: 200 } } : undefined) },
  { name: 'charts-cannot-be-deleted', kind: 2, reply: (reply, passing) => (reaches('deleteBlock', passing) && isObject(reply.body) && (reply.body.block as Json | undefined)?.type === 'chart' ? { body: { error: { code: 500, message: 'No.', type: 'server_error' }, status: 200 } } : undefined) },
] // biome-ignore format: one server a line
