import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
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
import { named } from '../triggers.ts'

const isList = (operation: OperationId) => facts(operation).action === 'list'
const isSingle = (operation: OperationId) => !isList(operation)
const withCredentials = (operation: OperationId) => [
  ...requestTriggers(operation),
  ...named('only-with-the-key-in-the-query', 'only-with-the-token-in-a-cookie'),
]

const always200 = sentence('Errors', 'Every response carries HTTP status 200')
const oneRecord = sentence('What the service does', 'A response that carries one record')
const aList = sentence('What the service does', 'carries a list nests it')
const json = sentence('What the service does', 'through a JSON HTTP API')

const aspectOf = { errors: 'error', successes: 'reply' } as const

/** Changes the errors of every documented operation, or its successes. */
const everywhere =
  (of: 'errors' | 'successes') =>
  (
    stated: Statement,
    change: ReplyChange,
    fits: (operation: OperationId) => boolean = () => true,
  ): Target[] =>
    documentedOperations
      .filter(fits)
      .map((operation) =>
        replies(at(operation, aspectOf[of], stated, withCredentials(operation)), change, of),
      )
const errors = everywhere('errors')
const successes = everywhere('successes')

/** Changes the body of every error. */
const errorBodies = (stated: Statement, change: (error: Json, body: Json) => Json): Target[] =>
  errors(stated, ({ body }) => (isObject(body.error) ? { body: change(body.error, body) } : undefined))

/** Sets or omits a member of every error. */
const errorMember = (name: 'code' | 'message' | 'type', change: (value: unknown) => unknown): Target[] =>
  errorBodies(sentence('Errors', `| \`${name}\``), (error, body) => {
    const value = change(error[name])
    return { ...body, error: value === undefined ? without(error, name) : { ...error, [name]: value } }
  })

/** Gives an envelope of its own for the singular or plural name. */
const wrapped =
  (wrap: (names: { singular: string; plural: string }, body: Json) => unknown): ReplyChange =>
  ({ body }, { operation }) =>
    operation ? { body: wrap(facts(operation), body) } : undefined

/** Changes of errors and of their HTTP status. */
export const errorOperators = defineOperators({
  'error-as-http-status': [
    'gives an error the HTTP status of its code',
    errors(always200, ({ body }) => ({
      status: isObject(body.error) && Number(body.error.code) >= 400 ? Number(body.error.code) : 400,
    })),
  ],
  'error-as-http-500': ['gives an error HTTP 500', errors(always200, () => ({ status: 500 }))],
  'error-status-absent': ['omits the status of an error', errorBodies(always200, (error) => ({ error }))],
  'error-status-of-code': [
    'gives an error its code for its status',
    errorBodies(always200, (error) => ({ error, status: error.code })),
  ],
  'error-status-as-text': [
    'gives the status of an error as a string',
    errorBodies(always200, (error) => ({ error, status: '200' })),
  ],
  'error-code-as-text': ['gives the code of an error as a string', errorMember('code', String)],
  'error-code-absent': ['omits the code of an error', errorMember('code', () => undefined)],
  'error-message-list': ['gives a list of messages', errorMember('message', (message) => [message])],
  'error-message-null': ['gives null for the message of an error', errorMember('message', () => null)],
  'error-type-null': ['gives null for the type of an error', errorMember('type', () => null)],
  'error-type-absent': ['omits the type of an error', errorMember('type', () => undefined)],
  'error-type-number': ['gives the type of an error as a number', errorMember('type', () => 7)],
  'error-as-text': [
    'gives an error as a sentence',
    errorBodies(always200, ({ message }) => ({ error: message, status: 200 })),
  ],
  'error-under-errors': [
    'gives errors as a list',
    errorBodies(always200, (error) => ({ errors: [error], status: 200 })),
  ],
  'error-unwrapped': [
    'gives code, message and type without an envelope',
    errorBodies(always200, (error) => ({ ...error, status: 200 })),
  ],
  'error-under-singular': [
    'nests an error under the name of the resource',
    errors(
      always200,
      wrapped(({ singular }, body) => ({ [singular]: body })),
    ),
  ],
  'error-swallowed': [
    'gives null instead of an error',
    errors(
      always200,
      wrapped(({ singular }) => ({ [singular]: null })),
      isSingle,
    ),
  ],
  'error-swallowed-in-list': [
    'gives an empty list instead of an error',
    errors(
      always200,
      wrapped(({ plural }) => ({ [plural]: [], metadata: { count: 0, next: false } })),
      isList,
    ),
  ],
})

const byIndex = (list: unknown) => (Array.isArray(list) ? { ...list } : list)

/** Changes of the envelopes of successes. */
export const successOperators = defineOperators({
  'success-as-http-201': ['gives a success HTTP 201', successes(always200, () => ({ status: 201 }))],
  'success-as-http-202': [
    'gives a success HTTP 202',
    successes(always200, () => ({ status: 202 }), isSingle),
  ],
  'success-as-http-204': [
    'gives a success HTTP 204 without a body',
    successes(always200, () => ({ status: 204 }), isSingle),
  ],
  'success-with-error': [
    'adds an empty error to a success',
    successes(always200, ({ body }) => ({ body: { ...body, error: {} } })),
  ],
  'record-unwrapped': [
    'gives a record without its envelope',
    successes(
      oneRecord,
      wrapped(({ singular }, body) => body[singular]),
      isSingle,
    ),
  ],
  'record-under-plural': [
    'nests a record under the plural',
    successes(
      oneRecord,
      wrapped(({ singular, plural }, body) => ({ [plural]: body[singular] })),
      isSingle,
    ),
  ],
  'record-in-list': [
    'gives a record as a list of one',
    successes(
      oneRecord,
      wrapped(({ singular }, body) => ({ [singular]: [body[singular]] })),
      isSingle,
    ),
  ],
  'record-under-data': [
    'nests a record under data',
    successes(oneRecord, ({ body }) => ({ body: { data: body } }), isSingle),
  ],
  'list-under-items': [
    'nests a list under items',
    successes(
      aList,
      wrapped(({ plural }, body) => ({ items: body[plural], metadata: body.metadata })),
      isList,
    ),
  ],
  'list-unwrapped': [
    'gives a list without its envelope',
    successes(
      aList,
      wrapped(({ plural }, body) => body[plural]),
      isList,
    ),
  ],
  'list-by-key': [
    'gives a list as an object by index',
    successes(
      aList,
      wrapped(({ plural }, body) => ({ ...body, [plural]: byIndex(body[plural]) })),
      isList,
    ),
  ],
  'json-in-text': [
    'gives JSON in a JSON string',
    successes(json, ({ body }) => ({ body: JSON.stringify(JSON.stringify(body)) })),
  ],
  'not-json': [
    'gives a body that is not JSON',
    successes(json, ({ body }) => ({ body: `)]}',\n${JSON.stringify(body)}` })),
  ],
})

const paged: readonly OperationId[] = ['listBackfills', 'listOauthAccessTokens']
const counted: readonly OperationId[] = [...paged, 'listPipelineSchedules']
const all: readonly OperationId[] = [...counted, 'listPipelines', 'listLogs']
const noFurtherPage = sentence('List metadata', 'when there is no further page')
const isBoolean = sentence('List metadata', 'boolean')
const count = sentence('List metadata', '`count`')
const hasMetadata = sentence('What the service does', 'adds a `metadata` object')

interface Page {
  readonly length: number
  readonly limit: number | undefined
  readonly offset: number
  readonly total: number
}

/** Changes the metadata of lists; `undefined` omits it. */
const metadata = (
  aspect: string,
  stated: Statement,
  operations: readonly OperationId[],
  change: (metadata: Json, page: Page) => unknown,
): Target[] =>
  operations.map((operation) =>
    replies(at(operation, aspect, stated), (reply, { query }) => {
      const before = reply.body.metadata
      if (!isObject(before)) return undefined
      const limit = query.get('_limit')
      const changed = change(before, {
        length: recordsIn(reply, facts(operation).plural).length,
        limit: limit === null ? undefined : Number(limit),
        offset: Number(query.get('_offset') ?? 0),
        total: Number(before.count ?? 0),
      })
      const body =
        changed === undefined ? without(reply.body, 'metadata') : { ...reply.body, metadata: changed }
      return { body }
    }),
  )

const next = (operations: readonly OperationId[], isFurther: (page: Page) => boolean): Target[] =>
  metadata('next', noFurtherPage, operations, (before, page) => ({ ...before, next: isFurther(page) }))

/** Changes of the metadata of lists. */
export const metadataOperators = defineOperators({
  'next-always-false': ['reports no further page', next(paged, () => false)],
  'next-always-true': ['reports a further page', next(counted, () => true)],
  'next-true-when-full': [
    'reports a further page when a page is full',
    next(paged, ({ length, limit }) => length === limit),
  ],
  'next-without-offset': [
    'calculates next without the offset',
    next(paged, ({ limit, total }) => limit !== undefined && limit < total),
  ],
  'next-of-one-too-many': [
    'reports no further page when one item is left',
    next(paged, ({ offset, length, total }) => offset + length + 1 < total),
  ],
  'next-as-number': [
    'gives next as 0 or 1',
    metadata('next', isBoolean, counted, (before) => ({ ...before, next: Number(before.next) })),
  ],
  'next-as-text': [
    'gives next as a string',
    metadata('next', isBoolean, counted, (before) => ({ ...before, next: String(before.next) })),
  ],
  'next-absent-when-false': [
    'omits next when it is false',
    metadata('next', noFurtherPage, counted, (before) =>
      before.next === false ? without(before, 'next') : before,
    ),
  ],
  'next-null-when-false': [
    'gives null for next when it is false',
    metadata('next', noFurtherPage, counted, (before) =>
      before.next === false ? { ...before, next: null } : before,
    ),
  ],
  'count-as-text': [
    'gives count as a string',
    metadata('count', count, counted, (before) => ({ ...before, count: String(before.count) })),
  ],
  'count-null': [
    'gives null for count',
    metadata('count', count, counted, (before) => ({ ...before, count: null })),
  ],
  'count-absent-when-empty': [
    'omits count when the list is empty',
    metadata('count', count, counted, (before, { length }) =>
      length === 0 ? without(before, 'count') : before,
    ),
  ],
  'count-with-fraction': [
    'gives a count that is no integer',
    metadata('count', count, counted, (before) => ({ ...before, count: Number(before.count) / 2 + 0.25 })),
  ],
  'metadata-absent': [
    'omits the metadata of a list',
    metadata('metadata', hasMetadata, all, () => undefined),
  ],
  'metadata-null': [
    'gives null for the metadata of a list',
    metadata('metadata', hasMetadata, all, () => null),
  ],
  'metadata-array': [
    'gives an array for the metadata of a list',
    metadata('metadata', hasMetadata, all, (before) => [before]),
  ],
  'metadata-not-empty': [
    'gives metadata to the logs',
    metadata('metadata', sentence('List metadata', 'empty `metadata` object'), ['listLogs'], () => ({
      count: 1,
      next: false,
    })),
  ],
})
