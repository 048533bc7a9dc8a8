import type { Json, ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { AddedBy } from '../../../src/resources/table-types.ts'
import { fittingGuards, type Guard } from '../guards.ts'
import { asked, facts, type Strike, sentence, without } from '../mutant.ts'
import { type Ask, type HeardRequest, isErrorReply, type Start } from '../wrong-server.ts'

export type Paged = 'listBackfills' | 'listOauthAccessTokens' | 'listLogs'
export type ListOperation = Paged | 'listPipelines' | 'listPipelineSchedules'

export const paged: readonly Paged[] = ['listBackfills', 'listOauthAccessTokens', 'listLogs']
const withMetadata: readonly ListOperation[] = [
  'listBackfills',
  'listOauthAccessTokens',
  'listPipelineSchedules',
]

/** The path of a request with other query parameters; undefined takes one away. */
export function withQuery(
  heard: HeardRequest,
  changes: Readonly<Record<string, string | undefined>>,
): string {
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
export function listIn(
  heard: HeardRequest,
  reply: ParsedReply,
): { records: Json[]; put(records: unknown, next?: boolean): ParsedReply } | undefined {
  const { body } = reply
  if (heard.operation === undefined || !isObject(body) || isErrorReply(reply)) return undefined
  const { plural } = facts(heard.operation)
  const records = body[plural]
  if (!Array.isArray(records)) return undefined
  return {
    records: records.filter(isObject),
    put: (others, next) => ({
      ...reply,
      body: {
        ...body,
        [plural]: others,
        ...(next !== undefined && isObject(body.metadata) && 'next' in body.metadata
          ? { metadata: { ...body.metadata, next } }
          : {}),
      },
    }),
  }
}

/** Sends a request with another query where the guard holds. */
export function queryStrike(
  operation: OperationId,
  name: string,
  guards: readonly Guard[],
  change: (value: string, heard: HeardRequest) => Readonly<Record<string, string | undefined>>,
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

export function guardsOf(operation: OperationId, ...but: string[]): Guard[] {
  return fittingGuards(facts(operation), undefined, ['request']).filter(({ name }) => !but.includes(name))
}

/** Sees the list as a whole, and answers with another page of it. */
function repaged(
  operation: ListOperation,
  holds: (heard: HeardRequest) => boolean,
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

export function repagedStrikes(
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
export function listStrikes(
  operations: readonly ListOperation[],
  aspect: string,
  stated: (operation: ListOperation) => Statement,
  change: (records: Json[], heard: HeardRequest) => unknown,
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

export const nextSentence = sentence('List metadata', 'when there is no further page')
export const metadataSentence = sentence('What the service does', 'adds a `metadata` object')

/** Changes the metadata of a list where the guard holds. */
export function metadataStrikes(
  aspect: string,
  stated: Statement,
  change: (metadata: Json, list: { records: Json[]; heard: HeardRequest; total: number }) => unknown,
  operations: readonly ListOperation[] = withMetadata,
): Strike[] {
  return operations.map((operation) => ({
    operation,
    aspect,
    sentence: stated,
    guards: guardsOf(operation),
    wrong: (holds) => () => async (heard, ask) => {
      const reply = await ask()
      const list = heard.operation === operation && holds(asked(heard)) ? listIn(heard, reply) : undefined
      if (!list || !isObject(reply.body) || !isObject(reply.body.metadata)) return reply
      const total = Number(reply.body.metadata.count ?? 0)
      const metadata = change(reply.body.metadata, { records: list.records, heard, total })
      return {
        ...reply,
        body: metadata === undefined ? without(reply.body, 'metadata') : { ...reply.body, metadata },
      }
    },
  }))
}

export const all = (operation: ListOperation): Statement =>
  ({
    listPipelines: sentence('Read pipelines', 'retrieves all pipelines'),
    listBackfills: sentence('Read backfills', 'Pipeline whose backfills are read'),
    listPipelineSchedules: sentence('Read pipeline schedules', 'belong to this pipeline'),
    listOauthAccessTokens: sentence('Read OAuth tokens', 'active tokens of the current user'),
    listLogs: sentence('Read logs', 'whose logs are read'),
  })[operation]

export const everyList: readonly ListOperation[] = [
  'listPipelines',
  'listBackfills',
  'listPipelineSchedules',
  'listOauthAccessTokens',
]
export const numbers = (change: (value: number) => number) => (value: string) =>
  String(Math.max(0, change(Number(value))))

/** The parameters that the document lists, and whose absence can be seen. */
export function documentedParameters(): (readonly [OperationId, string])[] {
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

export function unasked<Id extends OperationId>(
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
    wrong: (holds) => () => (heard: HeardRequest, ask: Ask) =>
      heard.operation === operation && !heard.query.has(name) && holds(asked(heard))
        ? ask({ path: withQuery(heard, { [name]: value }) })
        : ask(),
  }
}
