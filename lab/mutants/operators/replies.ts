import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { OperationFacts } from '../../../contract-tests/runner/operation-facts.ts'
import {
  at,
  defineOperators,
  documentedOperations,
  facts,
  type ReplyChange,
  recordsIn,
  replies,
  requestTriggers,
  sentence,
  type Target,
  without,
} from '../mutant.ts'
import { always200 } from '../sentences.ts'
import { named } from '../triggers.ts'

const isList = (operation: OperationId) => facts(operation).action === 'list'
const isSingle = (operation: OperationId) => !isList(operation)
const anyOperation = (_: OperationId) => true

const oneRecord = sentence('What the service does', 'A response that carries one record')
const aList = sentence('What the service does', 'carries a list nests it')
const json = sentence('What the service does', 'through a JSON HTTP API')

/** Changes the errors of matching documented operations, or their successes. */
const everywhere = (
  of: 'errors' | 'successes',
  stated: Statement,
  change: ReplyChange,
  fits: (operation: OperationId) => boolean = anyOperation,
): Target[] =>
  documentedOperations.filter(fits).map((operation) => {
    const credentials = named('only-with-the-key-in-the-query', 'only-with-the-token-in-a-cookie')
    const triggers = [...requestTriggers(operation), ...credentials]
    return replies(at(operation, of === 'errors' ? 'error' : 'reply', stated, ...triggers), change, of)
  })

/** Changes errors, or their envelope. */
const changesError = (stated: Statement, change: (error: Json, body: Json) => Json): Target[] =>
  everywhere('errors', stated, ({ body }) =>
    isObject(body.error) ? { body: change(body.error, body) } : undefined,
  )

/** Changes a member of errors; `undefined` omits it. */
const changesMember = (name: string, change: (value: unknown) => unknown): Target[] =>
  changesError(sentence('Errors', `| \`${name}\``), (error, body) => {
    const value = change(error[name])
    return { ...body, error: value === undefined ? without(error, name) : { ...error, [name]: value } }
  })

/** Wraps errors or successes in another envelope, by the names of the operation's records. */
const wraps = (
  of: 'errors' | 'successes',
  stated: Statement,
  fits: (operation: OperationId) => boolean,
  wrap: (names: OperationFacts, body: Json) => unknown,
): Target[] =>
  everywhere(
    of,
    stated,
    ({ body }, { operation }) => (operation ? { body: wrap(facts(operation), body) } : undefined),
    fits,
  )
const wrapsErrors = (fits: typeof anyOperation, wrap: (names: OperationFacts, body: Json) => unknown) =>
  wraps('errors', always200, fits, wrap)
const wrapsRecord = (wrap: (names: OperationFacts, body: Json) => unknown) =>
  wraps('successes', oneRecord, isSingle, wrap)
const wrapsList = (wrap: (names: OperationFacts, body: Json) => unknown) =>
  wraps('successes', aList, isList, wrap)
const writesBody = (write: (body: Json) => unknown) =>
  wraps('successes', json, anyOperation, (_, body) => write(body))

/** Changes of errors and of their HTTP status. */
export const errorOperators = defineOperators({
  'error-as-http-status': everywhere('errors', always200, ({ body }) => ({
    status: isObject(body.error) && Number(body.error.code) >= 400 ? Number(body.error.code) : 400,
  })),
  'error-as-http-500': everywhere('errors', always200, () => ({ status: 500 })),
  'error-status-absent': changesError(always200, (error) => ({ error })),
  'error-status-of-code': changesError(always200, (error) => ({ error, status: error.code })),
  'error-status-as-text': changesError(always200, (error) => ({ error, status: '200' })),
  'error-as-text': changesError(always200, ({ message }) => ({ error: message, status: 200 })),
  'error-under-errors': changesError(always200, (error) => ({ errors: [error], status: 200 })),
  'error-unwrapped': changesError(always200, (error) => ({ ...error, status: 200 })),
  'error-code-as-text': changesMember('code', String),
  'error-code-absent': changesMember('code', () => undefined),
  'error-message-list': changesMember('message', (message) => [message]),
  'error-message-null': changesMember('message', () => null),
  'error-type-null': changesMember('type', () => null),
  'error-type-absent': changesMember('type', () => undefined),
  'error-type-number': changesMember('type', () => 7),
  'error-under-singular': wrapsErrors(anyOperation, ({ singular }, body) => ({ [singular]: body })),
  'error-swallowed': wrapsErrors(isSingle, ({ singular }) => ({ [singular]: null })),
  'error-swallowed-in-list': wrapsErrors(isList, ({ plural }) => ({
    [plural]: [],
    metadata: { count: 0, next: false },
  })),
})

/** Changes of the envelopes of successes. */
export const successOperators = defineOperators({
  'success-as-http-201': everywhere('successes', always200, () => ({ status: 201 })),
  'success-as-http-202': everywhere('successes', always200, () => ({ status: 202 }), isSingle),
  'success-as-http-204': everywhere('successes', always200, () => ({ status: 204 }), isSingle),
  'success-with-error': wraps('successes', always200, anyOperation, (_, body) => ({ ...body, error: {} })),
  'record-unwrapped': wrapsRecord(({ singular }, body) => body[singular]),
  'record-under-plural': wrapsRecord(({ singular, plural }, body) => ({ [plural]: body[singular] })),
  'record-in-list': wrapsRecord(({ singular }, body) => ({ [singular]: [body[singular]] })),
  'record-under-data': wrapsRecord((_, body) => ({ data: body })),
  'list-under-items': wrapsList(({ plural }, body) => ({ items: body[plural], metadata: body.metadata })),
  'list-unwrapped': wrapsList(({ plural }, body) => body[plural]),
  'list-by-key': wrapsList(({ plural }, body) => ({
    ...body,
    [plural]: Array.isArray(body[plural]) ? { ...body[plural] } : body[plural],
  })),
  'json-in-text': writesBody((body) => JSON.stringify(JSON.stringify(body))),
  'not-json': writesBody((body) => `)]}',\n${JSON.stringify(body)}`),
})

const paged: readonly OperationId[] = ['listBackfills', 'listOauthAccessTokens']
const counted: readonly OperationId[] = [...paged, 'listPipelineSchedules']
const all: readonly OperationId[] = [...counted, 'listPipelines', 'listLogs']
const noFurtherPage = sentence('List metadata', 'when there is no further page')
const isBoolean = sentence('List metadata', 'boolean')
const hasCount = sentence('List metadata', '`count`')
const emptyMetadata = sentence('List metadata', 'empty `metadata` object')
const hasMetadata = sentence('What the service does', 'adds a `metadata` object')

/** The metadata of a list, and facts about the page. */
interface Page {
  readonly metadata: Json
  readonly length: number
  readonly limit: number | undefined
  readonly offset: number
}

/** Changes the metadata of lists; `undefined` omits it. */
const changesMetadata = (
  aspect: string,
  stated: Statement,
  operations: readonly OperationId[],
  change: (page: Page) => unknown,
): Target[] =>
  operations.map((operation) =>
    replies(at(operation, aspect, stated), ({ body, ...reply }, { query }) => {
      if (!isObject(body.metadata)) return undefined
      const limit = query.get('_limit')
      const changed = change({
        metadata: body.metadata,
        length: recordsIn({ ...reply, body }, facts(operation).plural).length,
        limit: limit === null ? undefined : Number(limit),
        offset: Number(query.get('_offset') ?? 0),
      })
      return { body: changed === undefined ? without(body, 'metadata') : { ...body, metadata: changed } }
    }),
  )
const next = (stated: Statement, operations: readonly OperationId[], isFurther: (page: Page) => unknown) =>
  changesMetadata('next', stated, operations, (page) => ({ ...page.metadata, next: isFurther(page) }))
const whenLast = (instead: (metadata: Json) => Json) =>
  changesMetadata('next', noFurtherPage, counted, ({ metadata }) =>
    metadata.next === false ? instead(metadata) : metadata,
  )
const count = (change: (count: unknown) => unknown) =>
  changesMetadata('count', hasCount, counted, ({ metadata }) => ({
    ...metadata,
    count: change(metadata.count),
  }))
const total = ({ metadata }: Page) => Number(metadata.count ?? 0)

/** Changes of the metadata of lists. */
export const metadataOperators = defineOperators({
  'next-always-false': next(noFurtherPage, paged, () => false),
  'next-always-true': next(noFurtherPage, counted, () => true),
  'next-true-when-full': next(noFurtherPage, paged, ({ length, limit }) => length === limit),
  'next-without-offset': next(
    noFurtherPage,
    paged,
    (page) => page.limit !== undefined && page.limit < total(page),
  ),
  'next-of-one-too-many': next(noFurtherPage, paged, (page) => page.offset + page.length + 1 < total(page)),
  'next-as-number': next(isBoolean, counted, (page) => Number(page.metadata.next)),
  'next-as-text': next(isBoolean, counted, (page) => String(page.metadata.next)),
  'next-absent-when-false': whenLast((before) => without(before, 'next')),
  'next-null-when-false': whenLast((before) => ({ ...before, next: null })),
  'count-as-text': count(String),
  'count-null': count(() => null),
  'count-absent-when-empty': changesMetadata('count', hasCount, counted, (page) =>
    page.length === 0 ? without(page.metadata, 'count') : page.metadata,
  ),
  'count-with-fraction': count((before) => Number(before) / 2 + 0.25),
  'metadata-absent': changesMetadata('metadata', hasMetadata, all, () => undefined),
  'metadata-null': changesMetadata('metadata', hasMetadata, all, () => null),
  'metadata-array': changesMetadata('metadata', hasMetadata, all, (page) => [page.metadata]),
  'metadata-not-empty': changesMetadata('metadata', emptyMetadata, ['listLogs'], () => ({
    count: 1,
    next: false,
  })),
})
