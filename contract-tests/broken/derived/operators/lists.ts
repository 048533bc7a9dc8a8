import type { AddedBy } from '../../../../src/resources/table-types.ts'
import type { Statement } from '../../../rules/document.ts'
import type { OperationId } from '../../../rules/operation-id.ts'
import type { Reply } from '../../define-broken.ts'
import { fittingGuards, type Guard } from '../guards.ts'
import { asked, facts, named, type Operator, type Strike, sentence, without } from '../mutant.ts'
import { type Ask, type Heard, isErrorReply, isJson, type Json, type Start } from '../wrong-server.ts'

type Paged = 'listBackfills' | 'listOauthAccessTokens' | 'listLogs'
type Listed = Paged | 'listPipelines' | 'listPipelineSchedules'

const paged: readonly Paged[] = ['listBackfills', 'listOauthAccessTokens', 'listLogs']
const withMetadata: readonly Listed[] = ['listBackfills', 'listOauthAccessTokens', 'listPipelineSchedules']

/** The path of a request with other query parameters; undefined takes one away. */
export function withQuery(heard: Heard, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(heard.query)
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    if (value !== undefined) query.set(name, value)
  }
  return `${heard.path}?${query}`
}

/** The row about a parameter. */
export function parameter(operation: OperationId, name: string): Statement {
  const stated = facts(operation).parameters.find((known) => known.name === name)?.stated
  if (!stated) throw new Error(`[understudy] Expected a row about ${name} of ${operation}; found none.`)
  return stated
}

/** The records of a list, and the reply with others in their place. */
function listIn(
  heard: Heard,
  reply: Reply,
): { records: Json[]; put(records: unknown, next?: boolean): Reply } | undefined {
  const { body } = reply
  if (heard.operation === undefined || !isJson(body) || isErrorReply(reply)) return undefined
  const { plural } = facts(heard.operation)
  const records = body[plural]
  if (!Array.isArray(records)) return undefined
  return {
    records: records.filter(isJson),
    put: (others, next) => ({
      ...reply,
      body: {
        ...body,
        [plural]: others,
        ...(next !== undefined && isJson(body.metadata) && 'next' in body.metadata
          ? { metadata: { ...body.metadata, next } }
          : {}),
      },
    }),
  }
}

/** Sends a request with another query where the guard holds. */
function queryStrike(
  operation: OperationId,
  name: string,
  guards: readonly Guard[],
  change: (value: string, heard: Heard) => Readonly<Record<string, string | undefined>>,
): Strike {
  return {
    operation,
    aspect: name,
    sentence: parameter(operation, name),
    guards,
    wrong: (holds) => () => (heard, ask) => {
      const value = heard.query.get(name)
      if (heard.operation !== operation || value === null || !holds(asked(heard))) return ask()
      return ask({ path: withQuery(heard, change(value, heard)) })
    },
  }
}

function guardsOf(operation: OperationId, ...but: string[]): Guard[] {
  return fittingGuards(facts(operation), undefined, ['request']).filter(({ name }) => !but.includes(name))
}

/** Sees the list as a whole, and answers with another page of it. */
function repaged(
  operation: Listed,
  holds: (heard: Heard) => boolean,
  choose: (all: Json[], offset: number, limit: number) => Json[],
): Start {
  return () => async (heard, ask) => {
    if (
      heard.operation !== operation ||
      !(heard.query.has('_limit') || heard.query.has('_offset')) ||
      !holds(heard)
    )
      return ask()
    const page = listIn(heard, await ask())
    const whole = listIn(
      heard,
      await ask({ path: withQuery(heard, { _limit: undefined, _offset: undefined }) }),
    )
    if (!page || !whole) return ask()
    const limit = heard.query.get('_limit')
    return page.put(
      choose(
        whole.records,
        Number(heard.query.get('_offset') ?? 0),
        limit === null ? Number.POSITIVE_INFINITY : Number(limit),
      ),
    )
  }
}

function repagedStrikes(
  aspect: '_limit' | '_offset',
  choose: (all: Json[], offset: number, limit: number) => Json[],
): Strike[] {
  return (['listBackfills', 'listOauthAccessTokens'] as const).map((operation) => ({
    operation,
    aspect,
    sentence: parameter(operation, aspect),
    guards: guardsOf(operation),
    wrong: (holds) => repaged(operation, (heard) => holds(asked(heard)), choose),
  }))
}

/** Changes a list's records where the guard holds. */
function listStrikes(
  operations: readonly Listed[],
  aspect: string,
  stated: (operation: Listed) => Statement,
  change: (records: Json[], heard: Heard) => unknown,
): Strike[] {
  return operations.map((operation) => ({
    operation,
    aspect,
    sentence: stated(operation),
    guards: guardsOf(operation),
    wrong: (holds) => () => async (heard, ask) => {
      const reply = await ask()
      const list = heard.operation === operation && holds(asked(heard)) ? listIn(heard, reply) : undefined
      return list ? list.put(change(list.records, heard)) : reply
    },
  }))
}

const nextSentence = sentence('List metadata', 'when there is no further page')
const metadataSentence = sentence('What the service does', 'adds a `metadata` object')

/** Changes the metadata of a list where the guard holds. */
function metadataStrikes(
  aspect: string,
  stated: Statement,
  change: (metadata: Json, list: { records: Json[]; heard: Heard; total: number }) => unknown,
  operations: readonly Listed[] = withMetadata,
): Strike[] {
  return operations.map((operation) => ({
    operation,
    aspect,
    sentence: stated,
    guards: guardsOf(operation),
    wrong: (holds) => () => async (heard, ask) => {
      const reply = await ask()
      const list = heard.operation === operation && holds(asked(heard)) ? listIn(heard, reply) : undefined
      if (!list || !isJson(reply.body) || !isJson(reply.body.metadata)) return reply
      const total = Number(reply.body.metadata.count ?? 0)
      const metadata = change(reply.body.metadata, { records: list.records, heard, total })
      return {
        ...reply,
        body: metadata === undefined ? without(reply.body, 'metadata') : { ...reply.body, metadata },
      }
    },
  }))
}

const all = (operation: Listed): Statement =>
  ({
    listPipelines: sentence('Read pipelines', 'retrieves all pipelines'),
    listBackfills: sentence('Read backfills', 'Pipeline whose backfills are read'),
    listPipelineSchedules: sentence('Read pipeline schedules', 'belong to this pipeline'),
    listOauthAccessTokens: sentence('Read OAuth tokens', 'active tokens of the current user'),
    listLogs: sentence('Read logs', 'whose logs are read'),
  })[operation]

const everyList: readonly Listed[] = [
  'listPipelines',
  'listBackfills',
  'listPipelineSchedules',
  'listOauthAccessTokens',
]
const numbers = (change: (value: number) => number) => (value: string) =>
  String(Math.max(0, change(Number(value))))

/** What goes wrong with pages, parameters and metadata of lists. */
export const listOperators: readonly Operator[] = [
  {
    name: 'parameter-ignored',
    does: 'does not see a query parameter',
    strikes: documentedParameters().map(([operation, name]) =>
      queryStrike(operation, name, guardsOf(operation), () => ({ [name]: undefined })),
    ),
  },
  {
    name: 'limit-one-more',
    does: 'returns one item more than the limit',
    strikes: paged.map((operation) =>
      queryStrike(operation, '_limit', guardsOf(operation), (value) => ({
        _limit: numbers((n) => n + 1)(value),
      })),
    ),
  },
  {
    name: 'limit-zero-is-none',
    does: 'takes a limit of 0 for no limit',
    strikes: paged.map((operation) =>
      queryStrike(operation, '_limit', named('always'), (value) => ({
        _limit: value === '0' ? undefined : value,
      })),
    ),
  },
  {
    name: 'limit-of-last',
    does: 'takes the limit of the request before',
    strikes: (['listBackfills', 'listOauthAccessTokens'] as const).map((operation) => ({
      operation,
      aspect: '_limit',
      sentence: parameter(operation, '_limit'),
      guards: named('always'),
      wrong: () => () => {
        let last: string | null = null
        return (heard, ask) => {
          if (heard.operation !== operation) return ask()
          const before = last
          last = heard.query.get('_limit')
          return before === null ? ask() : ask({ path: withQuery(heard, { _limit: before }) })
        }
      },
    })),
  },
  ...([1, -1] as const).map(
    (step): Operator => ({
      name: step === 1 ? 'offset-one-more' : 'offset-one-less',
      does: `skips one item ${step === 1 ? 'more' : 'less'} than the offset`,
      strikes: paged.map((operation) =>
        queryStrike(operation, '_offset', guardsOf(operation, 'only-with-an-offset'), (value) => ({
          _offset: numbers((n) => n + step)(value),
        })),
      ),
    }),
  ),
  {
    name: 'offset-as-page',
    does: 'takes the offset for the number of a page',
    strikes: repagedStrikes('_offset', (records, offset, limit) =>
      limit === Number.POSITIVE_INFINITY
        ? records.slice(offset)
        : records.slice(offset * limit, offset * limit + limit),
    ),
  },
  {
    name: 'limit-from-the-start',
    does: 'counts the limit from the first item and not from the offset',
    strikes: repagedStrikes('_limit', (records, offset, limit) => records.slice(offset, limit)),
  },
  {
    name: 'limit-then-offset-from-the-end',
    does: 'skips items at the end',
    strikes: repagedStrikes('_offset', (records, offset, limit) =>
      records.slice(0, Math.max(0, records.length - offset)).slice(0, limit),
    ),
  },
  {
    name: 'past-the-end-starts-again',
    does: 'starts again where the offset is past the end',
    strikes: repagedStrikes('_offset', (records, offset, limit) =>
      records.slice(offset < records.length ? offset : 0).slice(0, limit),
    ),
  },
  {
    name: 'last-page-filled',
    does: 'fills the last page with items of the page before',
    strikes: repagedStrikes('_offset', (records, offset, limit) =>
      limit === Number.POSITIVE_INFINITY
        ? records.slice(offset)
        : records.slice(Math.max(0, Math.min(offset, records.length - limit))).slice(0, limit),
    ),
  },
  {
    name: 'page-before-filter',
    does: 'counts limit and offset before it filters',
    strikes: [
      {
        operation: 'listBackfills',
        aspect: 'pipeline_uuid',
        sentence: parameter('listBackfills', 'pipeline_uuid'),
        guards: named('always', 'laterPage', 'limited', 'offsetAlone', 'fromTheFourth'),
        wrong: (holds) => () => async (heard, ask) => {
          const wanted = heard.query.get('pipeline_uuid')
          if (heard.operation !== 'listBackfills' || wanted === null || !holds(asked(heard))) return ask()
          const reply = await ask({ path: withQuery(heard, { pipeline_uuid: undefined }) })
          const list = listIn(heard, reply)
          return list ? list.put(list.records.filter(({ pipeline_uuid }) => pipeline_uuid === wanted)) : reply
        },
      },
    ],
  },
  {
    name: 'item-lost',
    does: 'leaves the last item of a list out',
    strikes: listStrikes(everyList, 'items', all, (records) => records.slice(0, -1)),
  },
  {
    name: 'item-lost-among-many',
    does: 'leaves out the third item and those behind it',
    strikes: listStrikes(everyList, 'items', all, (records, { query }) =>
      query.has('_limit') ? records : records.slice(0, 2),
    ),
  },
  {
    name: 'item-twice',
    does: 'lists the last item twice',
    strikes: listStrikes(everyList, 'items', all, (records) => [...records, ...records.slice(-1)]),
  },
  {
    name: 'first-for-all',
    does: 'lists the first item as often as there are items',
    strikes: listStrikes(everyList, 'items', all, (records) => records.map(() => records[0])),
  },
  {
    name: 'single-item-unlisted',
    does: 'gives a list of one item as that item',
    strikes: listStrikes(
      everyList,
      'items',
      () => sentence('What the service does', 'carries a list nests it'),
      (records) => (records.length === 1 ? records[0] : records),
    ),
  },
  {
    name: 'empty-list-null',
    does: 'gives null for an empty list',
    strikes: listStrikes(
      ['listBackfills', 'listPipelineSchedules', 'listOauthAccessTokens'],
      'items',
      () => sentence('What the service does', 'carries a list nests it'),
      (records) => (records.length === 0 ? null : records),
    ),
  },
  {
    name: 'empty-list-refused',
    does: 'answers an empty list with an error',
    strikes: (['listBackfills', 'listPipelineSchedules', 'listOauthAccessTokens'] as const).map(
      (operation) => ({
        operation,
        aspect: 'items',
        sentence: sentence('What the service does', 'carries a list nests it'),
        guards: guardsOf(operation),
        wrong: (holds) => () => async (heard, ask) => {
          const reply = await ask()
          const list = heard.operation === operation && holds(asked(heard)) ? listIn(heard, reply) : undefined
          // A limit of 0 may be refused.
          if (list?.records.length !== 0 || heard.query.get('_limit') === '0') return reply
          return {
            ...reply,
            body: { error: { code: 404, message: 'Nothing found.', type: 'record_not_found' }, status: 200 },
          }
        },
      }),
    ),
  },
  {
    name: 'list-of-before',
    does: 'shows the list as the same request showed it before',
    strikes: everyList.map((operation) => ({
      operation,
      aspect: 'items',
      sentence: all(operation),
      guards: guardsOf(operation, 'only-the-first-request'),
      wrong: (holds) => () => {
        const before = new Map<string, Reply>()
        return async (heard, ask) => {
          const reply = await ask()
          if (heard.operation !== operation || isErrorReply(reply)) return reply
          const key = `${heard.path}${heard.search}`
          const old = before.get(key)
          before.set(key, reply)
          return old !== undefined && holds(asked(heard)) ? old : reply
        }
      },
    })),
  },
  {
    name: 'listed-late',
    does: 'lists a new record only from the second read on',
    strikes: (['listPipelines', 'listBackfills'] as const).map((operation) => ({
      operation,
      aspect: 'items',
      sentence: all(operation),
      guards: named('always', 'filtered', 'unfiltered', 'limited', 'afterAnError').filter((guard) =>
        guard.fits(facts(operation), undefined),
      ),
      wrong: (holds) => () => {
        const seen = new Set<unknown>()
        return async (heard, ask) => {
          const reply = await ask()
          const list = heard.operation === operation ? listIn(heard, reply) : undefined
          if (!list) return reply
          const key = operation === 'listPipelines' ? 'uuid' : 'id'
          const old = new Set(seen)
          for (const record of list.records) seen.add(record[key])
          return holds(asked(heard)) && old.size > 0
            ? list.put(list.records.filter((record) => old.has(record[key])))
            : reply
        }
      },
    })),
  },
  {
    name: 'next-always-false',
    does: 'says that there is no further page',
    strikes: metadataStrikes('next', nextSentence, (metadata) => ({ ...metadata, next: false }), [
      'listBackfills',
      'listOauthAccessTokens',
    ]),
  },
  {
    name: 'next-always-true',
    does: 'says that there is a further page',
    strikes: metadataStrikes('next', nextSentence, (metadata) => ({ ...metadata, next: true })),
  },
  {
    name: 'next-true-when-full',
    does: 'says that there is a further page where a page is full',
    strikes: metadataStrikes(
      'next',
      nextSentence,
      (metadata, { records, heard }) => ({
        ...metadata,
        next: records.length === Number(heard.query.get('_limit') ?? -1),
      }),
      ['listBackfills', 'listOauthAccessTokens'],
    ),
  },
  {
    name: 'next-without-offset',
    does: 'works next out as if there were no offset',
    strikes: metadataStrikes(
      'next',
      nextSentence,
      (metadata, { heard, total }) => ({
        ...metadata,
        next: heard.query.has('_limit') && Number(heard.query.get('_limit')) < total,
      }),
      ['listBackfills', 'listOauthAccessTokens'],
    ),
  },
  {
    name: 'next-of-one-too-many',
    does: 'says that there is no further page where one item is left',
    strikes: metadataStrikes(
      'next',
      nextSentence,
      (metadata, { heard, records, total }) => ({
        ...metadata,
        next: Number(heard.query.get('_offset') ?? 0) + records.length + 1 < total,
      }),
      ['listBackfills', 'listOauthAccessTokens'],
    ),
  },
  {
    name: 'next-as-number',
    does: 'gives next as 0 or 1',
    strikes: metadataStrikes('next', sentence('List metadata', 'boolean'), (metadata) => ({
      ...metadata,
      next: Number(metadata.next),
    })),
  },
  {
    name: 'next-as-text',
    does: 'gives next as a string',
    strikes: metadataStrikes('next', sentence('List metadata', 'boolean'), (metadata) => ({
      ...metadata,
      next: String(metadata.next),
    })),
  },
  {
    name: 'next-absent-when-false',
    does: 'leaves next out where it is false',
    strikes: metadataStrikes('next', nextSentence, (metadata) =>
      metadata.next === false ? without(metadata, 'next') : metadata,
    ),
  },
  {
    name: 'next-null-when-false',
    does: 'gives null for next where it is false',
    strikes: metadataStrikes('next', nextSentence, (metadata) =>
      metadata.next === false ? { ...metadata, next: null } : metadata,
    ),
  },
  {
    name: 'count-as-text',
    does: 'gives count as a string',
    strikes: metadataStrikes('count', sentence('List metadata', '`count`'), (metadata) => ({
      ...metadata,
      count: String(metadata.count),
    })),
  },
  {
    name: 'count-null',
    does: 'gives null for count',
    strikes: metadataStrikes('count', sentence('List metadata', '`count`'), (metadata) => ({
      ...metadata,
      count: null,
    })),
  },
  {
    name: 'count-absent-when-empty',
    does: 'leaves count out where the list is empty',
    strikes: metadataStrikes('count', sentence('List metadata', '`count`'), (metadata, { records }) =>
      records.length === 0 ? without(metadata, 'count') : metadata,
    ),
  },
  {
    name: 'count-with-fraction',
    does: 'gives a count that is no integer',
    strikes: metadataStrikes('count', sentence('List metadata', '`count`'), (metadata) => ({
      ...metadata,
      count: Number(metadata.count) / 2 + 0.25,
    })),
  },
  {
    name: 'metadata-absent',
    does: 'leaves the metadata of a list out',
    strikes: metadataStrikes('metadata', metadataSentence, () => undefined, [...everyList, 'listLogs']),
  },
  {
    name: 'metadata-null',
    does: 'gives null for the metadata of a list',
    strikes: metadataStrikes('metadata', metadataSentence, () => null, [...everyList, 'listLogs']),
  },
  {
    name: 'metadata-array',
    does: 'gives an array for the metadata of a list',
    strikes: metadataStrikes('metadata', metadataSentence, (metadata) => [metadata], [
      ...everyList,
      'listLogs',
    ]),
  },
  {
    name: 'metadata-not-empty',
    does: 'gives metadata to the logs',
    strikes: metadataStrikes(
      'metadata',
      sentence('List metadata', 'empty `metadata` object'),
      () => ({ count: 1, next: false }),
      ['listLogs'],
    ),
  },
  {
    name: 'added-unasked',
    does: 'adds what only a parameter asks for',
    strikes: [
      unasked('listBackfills', 'include_run_count', 'total_run_count', 'true'),
      unasked('listPipelines', 'include_schedules', 'schedules', '1'),
      unasked('readPipeline', 'include_schedules', 'schedules', '1'),
    ],
  },
]

/** The parameters that the document lists, and whose absence can be seen. */
function documentedParameters(): (readonly [OperationId, string])[] {
  const rows: readonly (readonly [OperationId, readonly string[]])[] = [
    ['listBackfills', ['_limit', '_offset', 'pipeline_uuid', 'include_run_count']],
    ['listOauthAccessTokens', ['_limit', '_offset', 'show_all']],
    ['listLogs', ['_limit', '_offset', 'start_timestamp']],
    ['listPipelineSchedules', ['tag[]']],
    ['listPipelines', ['include_schedules']],
    ['readPipeline', ['include_schedules']],
    ['deleteBlock', ['force']],
  ]
  return rows.flatMap(([operation, names]) => names.map((name) => [operation, name] as const))
}

function unasked<Id extends OperationId>(
  operation: Id,
  name: string,
  added: AddedBy<Id>,
  value: string,
): Strike {
  return {
    operation,
    aspect: String(added),
    sentence: parameter(operation, name),
    guards: guardsOf(operation, 'only-with-schedules', 'only-with-the-run-count'),
    wrong: (holds) => () => (heard: Heard, ask: Ask) =>
      heard.operation === operation && !heard.query.has(name) && holds(asked(heard))
        ? ask({ path: withQuery(heard, { [name]: value }) })
        : ask(),
  }
}
