import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atPath,
  atRow,
  defineOperators,
  earlier,
  facts,
  handles,
  lists,
  recordsIn,
  replies,
  requests,
  requestTriggers,
  returned,
  rowOf,
  sentence,
  succeeded,
  success,
  type Target,
  unknown,
  type When,
  withQuery,
} from '../mutant.ts'
import { type Forward, isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { named } from '../triggers.ts'

const aList = sentence('What the service does', 'carries a list nests it')
const pageable = ['listBackfills', 'listOauthAccessTokens'] as const
const limited = [...pageable, 'listLogs'] as const
const filterable = ['listBackfills', 'listPipelineSchedules', 'listOauthAccessTokens'] as const
const everyList = ['listPipelines', ...filterable] as const
const whole = {
  listPipelines: sentence('Read pipelines', 'retrieves all pipelines'),
  listBackfills: sentence('Read backfills', 'Pipeline whose backfills are read'),
  listPipelineSchedules: sentence('Read pipeline schedules', 'belong to this pipeline'),
  listOauthAccessTokens: sentence('Read OAuth tokens', 'active tokens of the current user'),
} as const

/** Changes the records of a list. */
const items = (
  operations: readonly (keyof typeof whole)[],
  change: (records: Json[], request: MutantRequest) => unknown,
  stated?: Statement,
): Target[] =>
  operations.map((operation) => lists(at(operation, 'items', stated ?? whole[operation]), change))

const keyOf = (record: Json) => record.uuid ?? record.id

/** Changes of the items of lists. */
export const itemOperators = defineOperators({
  'item-lost': items(everyList, (records) => records.slice(0, -1)),
  'item-lost-among-many': items(everyList, (records) => records.slice(0, 2)),
  'cut-at-ten': items(everyList, (records) => records.slice(0, 10)),
  'cut-at-fifty': items(everyList, (records) => records.slice(0, 50)),
  'item-twice': items(everyList, (records) => [...records, ...records.slice(-1)]),
  'first-for-all': items(everyList, (records) => records.map(() => records[0])),
  'single-item-unlisted': items(everyList, (records) => (records.length === 1 ? records[0] : records), aList),
  'empty-list-null': items(filterable, (records) => (records.length === 0 ? null : records), aList),
  'empty-list-refused': filterable.map((operation) =>
    replies(at(operation, 'items', aList), (reply, { query }) =>
      // A server may refuse a limit of 0.
      recordsIn(reply, facts(operation).plural).length === 0 && query.get('_limit') !== '0'
        ? unknown
        : undefined,
    ),
  ),
  'list-of-before': everyList.map((operation) =>
    replies(
      at(operation, 'items', whole[operation]),
      (_, request) =>
        succeeded(request, operation).findLast(
          ({ request: { path, search } }) => path + search === request.path + request.search,
        )?.reply,
    ),
  ),
  'listed-late': (['listPipelines', 'listBackfills'] as const).map((operation) => {
    const triggers = named(
      'always',
      'only-with-the-filter',
      'only-without-the-filter',
      'only-with-a-limit',
      'after-an-error',
    ).filter(({ fits }) => fits(facts(operation), undefined))
    return lists(at(operation, 'items', whole[operation], ...triggers), (records, request) => {
      const seen = new Set(
        succeeded(request, operation).flatMap(({ reply }) =>
          recordsIn(reply, facts(operation).plural).map(keyOf),
        ),
      )
      return seen.size === 0 ? records : records.filter((record) => seen.has(keyOf(record)))
    })
  }),
  'added-unasked': (
    [
      ['listBackfills', 'include_run_count', 'total_run_count', 'true'],
      ['listPipelines', 'include_schedules', 'schedules', '1'],
      ['readPipeline', 'include_schedules', 'schedules', '1'],
    ] as const
  ).map(([operation, name, added, value]) =>
    handles(
      at(
        operation,
        added,
        rowOf(operation, name),
        ...requestTriggers(operation, undefined, 'only-with-schedules', 'only-with-the-run-count'),
      ),
      (request, forward) =>
        forward(request.query.has(name) ? undefined : { path: withQuery(request, { [name]: value }) }),
    ),
  ),
})

/** Changes the value of a query parameter; `undefined` removes it. */
const parameter = (
  operation: OperationId,
  name: string,
  change: (value: string, request: MutantRequest) => string | undefined,
  ...triggers: readonly When[]
): Target =>
  requests(atRow(operation, name, ...triggers), (request) => {
    const value = request.query.get(name)
    return value === null ? undefined : { path: withQuery(request, { [name]: change(value, request) }) }
  })
const plus = (step: number) => (value: string) => String(Math.max(0, Number(value) + step))

/** Changes the part of a list in a page. */
const pages = (
  aspect: '_limit' | '_offset',
  choose: (all: Json[], offset: number, limit: number) => Json[],
): Target[] =>
  pageable.map((operation) =>
    lists(atRow(operation, aspect), async (records, request, forward) => {
      const { query } = request
      if (!query.has('_limit') && !query.has('_offset')) return records
      const path = withQuery(request, { _limit: undefined, _offset: undefined })
      const all = recordsIn(await forward({ path }), facts(operation).plural)
      const limit = Number(query.get('_limit') ?? Number.POSITIVE_INFINITY)
      return choose(all, Number(query.get('_offset') ?? 0), limit)
    }),
  )

const optional: readonly (readonly [OperationId, readonly string[]])[] = [
  ['listBackfills', ['_limit', '_offset', 'pipeline_uuid', 'include_run_count']],
  ['listOauthAccessTokens', ['_limit', '_offset', 'show_all']],
  ['listLogs', ['_limit', '_offset', 'start_timestamp']],
  ['listPipelineSchedules', ['tag[]']],
  ['listPipelines', ['include_schedules']],
  ['readPipeline', ['include_schedules']],
  ['deleteBlock', ['force']],
]

/** Changes of limits, offsets and other parameters. */
export const pageOperators = defineOperators({
  'parameter-ignored': optional.flatMap(([operation, names]) =>
    names.map((name) => parameter(operation, name, () => undefined)),
  ),
  'limit-one-more': limited.map((operation) => parameter(operation, '_limit', plus(1))),
  'limit-zero-is-none': limited.map((operation) =>
    parameter(operation, '_limit', (value) => (value === '0' ? undefined : value), 'always'),
  ),
  'limit-cut-at-ten': limited.map((operation) =>
    parameter(operation, '_limit', (value) => String(Math.min(10, Number(value)))),
  ),
  'limit-of-last': pageable.map((operation) =>
    requests(atRow(operation, '_limit', 'always'), (request) => {
      const before = earlier(request, operation).at(-1)?.request.query.get('_limit') ?? undefined
      return before === undefined ? undefined : { path: withQuery(request, { _limit: before }) }
    }),
  ),
  'offset-one-more': limited.map((operation) => parameter(operation, '_offset', plus(1))),
  'offset-one-less': limited.map((operation) => parameter(operation, '_offset', plus(-1))),
  'offset-as-page': pages('_offset', (all, offset, limit) => {
    const start = Number.isFinite(limit) ? offset * limit : offset
    return all.slice(start, start + limit)
  }),
  'limit-from-the-start': pages('_limit', (all, offset, limit) => all.slice(offset, limit)),
  'limit-then-offset-from-the-end': pages('_offset', (all, offset, limit) =>
    all.slice(0, Math.max(0, all.length - offset)).slice(0, limit),
  ),
  'past-the-end-starts-again': pages('_offset', (all, offset, limit) =>
    all.slice(offset < all.length ? offset : 0).slice(0, limit),
  ),
  'last-page-filled': pages('_offset', (all, offset, limit) => {
    const last = Number.isFinite(limit) ? all.length - limit : offset
    return all.slice(Math.max(0, Math.min(offset, last))).slice(0, limit)
  }),
  'page-before-filter': handles(
    atRow(
      'listBackfills',
      'pipeline_uuid',
      'always',
      'only-with-an-offset',
      'only-with-a-limit',
      'only-with-an-offset-and-no-limit',
    ),
    async (request, forward) => {
      const wanted = request.query.get('pipeline_uuid')
      if (wanted === null) return forward()
      const reply = await forward({ path: withQuery(request, { pipeline_uuid: undefined }) })
      if (isErrorReply(reply) || !isObject(reply.body)) return reply
      const backfills = recordsIn(reply, 'backfills').filter(({ pipeline_uuid }) => pipeline_uuid === wanted)
      return { ...reply, body: { ...reply.body, backfills } }
    },
  ),
})

/** Filters a list in another way: reads it without the filter, and selects the records that match. */
const filter = (
  operation: OperationId,
  name: string,
  matches: (record: Json, wanted: readonly string[]) => boolean,
  stated = rowOf(operation, name),
): Target =>
  handles(
    at(operation, name, stated, ...requestTriggers(operation, undefined, 'only-without-the-filter')),
    async (request, forward) => {
      if (!request.query.has(name)) return forward()
      const { plural } = facts(operation)
      const reply = await forward({
        path: withQuery(request, { _limit: undefined, _offset: undefined, [name]: undefined }),
      })
      if (isErrorReply(reply)) return reply
      const found = recordsIn(reply, plural).filter((record) => matches(record, request.query.getAll(name)))
      const offset = Number(request.query.get('_offset') ?? 0)
      const page = found.slice(
        offset,
        offset + Number(request.query.get('_limit') ?? Number.POSITIVE_INFINITY),
      )
      return success({
        [plural]: page,
        metadata: { count: found.length, next: offset + page.length < found.length },
      })
    },
  )

const byPipeline = (matches: (own: string, wanted: string) => boolean) =>
  filter('listBackfills', 'pipeline_uuid', (record, [wanted = '']) =>
    matches(String(record.pipeline_uuid), wanted),
  )

const tagsOf = ({ tags }: Json): string[] => (Array.isArray(tags) ? tags.map(String) : [])
const byTags = (matches: (own: readonly string[], wanted: readonly string[]) => boolean) =>
  filter(
    'listPipelineSchedules',
    'tag[]',
    (record, wanted) => matches(tagsOf(record), wanted),
    sentence('Limits', 'Repeated values match with OR'),
  )
const hasAny = (own: readonly string[], wanted: readonly string[]) => wanted.some((tag) => own.includes(tag))

/** Finds a pipeline by another comparison of uuids, if there is none with exactly this uuid. */
const byUuid = (matches: (own: string, wanted: string) => boolean): Target =>
  handles(atPath('readPipeline', 'uuid', 'always', 'from-the-fourth-request'), async (request, forward) => {
    const reply = await forward()
    const { uuid: wanted = '' } = request.parameters
    const found = returned(request, 'createPipeline').find(({ uuid }) => matches(String(uuid), wanted))
    return found && isErrorReply(reply)
      ? forward({ path: `/api/pipelines/${found.uuid}${request.search}` })
      : reply
  })

/** Compares pipelines and tags in a filter like databases and careless code. */
const compares = (matches: (own: string, wanted: string) => boolean): Target[] => [
  byPipeline(matches),
  byTags((own, wanted) => wanted.some((tag) => own.some((each) => matches(each, tag)))),
]

const withUnderscores = (own: string, wanted: string) => like(wanted.replaceAll('%', '\\%')).test(own)
const withoutEnd = (own: string, wanted: string) => own.trimEnd() === wanted.trimEnd()
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')
const withoutAccents = (own: string, wanted: string) => plain(own) === plain(wanted)

/** Creates the regular expression of a pattern with the wildcards of SQL. */
function like(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'u')
}

/** Reads the same list of the pipeline before. */
const ofPreviousParent = (operation: 'listPipelineSchedules' | 'listLogs'): Target =>
  requests(atPath(operation, 'pipeline_uuid'), (request) => {
    const { path, search, parameters } = request
    const { pipeline_uuid: before } = earlier(request, operation).at(-1)?.request.parameters ?? {}
    return before === undefined
      ? undefined
      : { path: `${path.replace(`/${parameters.pipeline_uuid}/`, `/${before}/`)}${search}` }
  })

/** Gives the whole list when a filter matches nothing. */
const allForNone = (operation: 'listBackfills' | 'listPipelineSchedules', name: string): Target =>
  handles(
    atRow(operation, name, ...requestTriggers(operation, undefined, 'only-without-the-filter')),
    async (request: MutantRequest, forward: Forward) => {
      const reply = await forward()
      const isNone =
        request.query.has(name) &&
        !isErrorReply(reply) &&
        recordsIn(reply, facts(operation).plural).length === 0
      return isNone ? forward({ path: withQuery(request, { [name]: undefined }) }) : reply
    },
  )

/** A value at the edge of a parameter's range, handled as if the parameter were missing or of another value. */
const edges: readonly (readonly [OperationId, name: string, edge: string, instead: string | undefined])[] = [
  ['listLogs', 'start_timestamp', '0', String(2 ** 31 - 1)],
  ['listBackfills', '_offset', '0', '1'],
  ['listOauthAccessTokens', '_offset', '0', '1'],
  ['listBackfills', '_limit', '1', '2'],
  ['listOauthAccessTokens', '_limit', '1', '2'],
  ['listBackfills', 'include_run_count', 'false', 'true'],
]

/** Changes of filters. */
export const filterOperators = defineOperators({
  'filter-prefix': compares((own, wanted) => own.startsWith(wanted)),
  'filter-substring': compares((own, wanted) => own.includes(wanted)),
  'filter-any-case': compares((own, wanted) => own.toLowerCase() === wanted.toLowerCase()),
  'filter-joker': compares((own, wanted) => like(wanted).test(own)),
  'filter-underscore': [compares(withUnderscores), byUuid(withUnderscores)],
  'filter-trimmed': [compares(withoutEnd), byUuid(withoutEnd)],
  'filter-accents': [compares(withoutAccents), byUuid(withoutAccents)],
  'filter-unknown-is-all': [
    allForNone('listBackfills', 'pipeline_uuid'),
    allForNone('listPipelineSchedules', 'tag[]'),
  ],
  'filter-edge': edges.map(([operation, name, edge, instead]) =>
    parameter(operation, name, (value) => (value === edge ? instead : value), 'always'),
  ),
  'filter-bound-exclusive': parameter(
    'listLogs',
    'start_timestamp',
    (value) => (value === '0' ? value : String(Number(value) + 1)),
    'always',
  ),
  'tags-and': byTags((own, wanted) => wanted.every((tag) => own.includes(tag))),
  'tags-first-only': byTags((own, [first = '']) => own.includes(first)),
  'tags-last-only': byTags((own, wanted) => own.includes(wanted.at(-1) ?? '')),
  'tags-only-first-of-schedule': byTags(([first], wanted) => first !== undefined && wanted.includes(first)),
  'tags-only-single': byTags((own, wanted) => own.length === 1 && hasAny(own, wanted)),
  'tags-with-untagged': byTags((own, wanted) => own.length === 0 || hasAny(own, wanted)),
  'tags-at-most-two': byTags((own, wanted) => hasAny(own, wanted.slice(0, 2))),
  'tags-split-at-commas': byTags((own, wanted) =>
    hasAny(
      own,
      wanted.flatMap((tag) => tag.split(',')),
    ),
  ),
  'other-parent': [ofPreviousParent('listPipelineSchedules'), ofPreviousParent('listLogs')],
})
