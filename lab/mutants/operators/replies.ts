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
  rowsOf,
  sentence,
  type Target,
  without,
} from '../mutant.ts'
import { always200 } from '../sentences.ts'
import { named } from '../triggers.ts'

const isList = (operation: OperationId) => facts(operation).action === 'list'
const isSingle = (operation: OperationId) => !isList(operation)
const anyOperation = () => true

const oneRecord = sentence('What the service does', 'A response that carries one record')
const aList = sentence('What the service does', 'carries a list nests it')
const json = sentence('What the service does', 'through a JSON HTTP API')

/** Changes the errors of the documented operations that fit, or their successes. */
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

/** Other bodies of errors. */
const errorBodies: Readonly<Record<string, readonly [does: string, change: (error: Json) => Json]>> = {
  'error-status-absent': ['omits the status of an error', (error) => ({ error })],
  'error-status-of-code': [
    'gives an error its code for its status',
    (error) => ({ error, status: error.code }),
  ],
  'error-status-as-text': ['gives the status of an error as a string', (error) => ({ error, status: '200' })],
  'error-as-text': ['gives an error as a sentence', ({ message }) => ({ error: message, status: 200 })],
  'error-under-errors': ['gives errors as a list', (error) => ({ errors: [error], status: 200 })],
  'error-unwrapped': [
    'gives code, message and type without an envelope',
    (error) => ({ ...error, status: 200 }),
  ],
}

/** Other values of a member of an error; `undefined` omits it. */
const errorMembers: Readonly<
  Record<string, readonly [does: string, name: string, change: (value: unknown) => unknown]>
> = {
  'error-code-as-text': ['gives the code of an error as a string', 'code', String],
  'error-code-absent': ['omits the code of an error', 'code', () => undefined],
  'error-message-list': ['gives a list of messages', 'message', (message) => [message]],
  'error-message-null': ['gives null for the message of an error', 'message', () => null],
  'error-type-null': ['gives null for the type of an error', 'type', () => null],
  'error-type-absent': ['omits the type of an error', 'type', () => undefined],
  'error-type-number': ['gives the type of an error as a number', 'type', () => 7],
}

/** Other envelopes of errors or successes, by the names of the operation's records. */
const envelopes: Readonly<
  Record<
    string,
    readonly [
      does: string,
      of: 'errors' | 'successes',
      stated: Statement,
      fits: (operation: OperationId) => boolean,
      wrap: (names: OperationFacts, body: Json) => unknown,
    ]
  >
> = {
  'error-under-singular': [
    'nests an error under the name of the resource', 'errors', always200, anyOperation, ({ singular }, body) => ({ [singular]: body }),
  ],
  'error-swallowed': [
    'gives null instead of an error', 'errors', always200, isSingle, ({ singular }) => ({ [singular]: null }),
  ],
  'error-swallowed-in-list': [
    'gives an empty list instead of an error', 'errors', always200, isList,
    ({ plural }) => ({ [plural]: [], metadata: { count: 0, next: false } }),
  ],
  'success-with-error': [
    'adds an empty error to a success', 'successes', always200, anyOperation, (_, body) => ({ ...body, error: {} }),
  ],
  'record-unwrapped': [
    'gives a record without its envelope', 'successes', oneRecord, isSingle, ({ singular }, body) => body[singular],
  ],
  'record-under-plural': [
    'nests a record under the plural', 'successes', oneRecord, isSingle,
    ({ singular, plural }, body) => ({ [plural]: body[singular] }),
  ],
  'record-in-list': [
    'gives a record as a list of one', 'successes', oneRecord, isSingle, ({ singular }, body) => ({ [singular]: [body[singular]] }),
  ],
  'record-under-data': ['nests a record under data', 'successes', oneRecord, isSingle, (_, body) => ({ data: body })],
  'list-under-items': [
    'nests a list under items', 'successes', aList, isList, ({ plural }, body) => ({ items: body[plural], metadata: body.metadata }),
  ],
  'list-unwrapped': ['gives a list without its envelope', 'successes', aList, isList, ({ plural }, body) => body[plural]],
  'list-by-key': [
    'gives a list as an object by index', 'successes', aList, isList,
    ({ plural }, body) => ({ ...body, [plural]: Array.isArray(body[plural]) ? { ...body[plural] } : body[plural] }),
  ],
  'json-in-text': [
    'gives JSON in a JSON string', 'successes', json, anyOperation, (_, body) => JSON.stringify(JSON.stringify(body)),
  ],
  'not-json': [
    'gives a body that is not JSON', 'successes', json, anyOperation, (_, body) => `)]}',\n${JSON.stringify(body)}`,
  ],
} // biome-ignore format: one or two lines each

const envelopesOf = (wanted: 'errors' | 'successes') =>
  rowsOf(
    Object.fromEntries(Object.entries(envelopes).filter(([, [, of]]) => of === wanted)),
    ([does, of, stated, fits, wrap]) => {
      const change: ReplyChange = ({ body }, { operation }) =>
        operation ? { body: wrap(facts(operation), body) } : undefined
      return [does, everywhere(of, stated, change, fits)]
    },
  )

const changesError =
  (change: (error: Json, body: Json) => Json): ReplyChange =>
  ({ body }) =>
    isObject(body.error) ? { body: change(body.error, body) } : undefined

/** Changes of errors and of their HTTP status. */
export const errorOperators = defineOperators({
  'error-as-http-status': [
    'gives an error the HTTP status of its code',
    everywhere('errors', always200, ({ body }) => ({
      status: isObject(body.error) && Number(body.error.code) >= 400 ? Number(body.error.code) : 400,
    })),
  ],
  'error-as-http-500': ['gives an error HTTP 500', everywhere('errors', always200, () => ({ status: 500 }))],
  ...rowsOf(errorBodies, ([does, change]) => [does, everywhere('errors', always200, changesError(change))]),
  ...rowsOf(errorMembers, ([does, name, change]) => [
    does,
    everywhere(
      'errors',
      sentence('Errors', `| \`${name}\``),
      changesError((error, body) => {
        const value = change(error[name])
        return { ...body, error: value === undefined ? without(error, name) : { ...error, [name]: value } }
      }),
    ),
  ]),
  ...envelopesOf('errors'),
})

/** Changes of the envelopes of successes. */
export const successOperators = defineOperators({
  'success-as-http-201': [
    'gives a success HTTP 201',
    everywhere('successes', always200, () => ({ status: 201 })),
  ],
  'success-as-http-202': [
    'gives a success HTTP 202',
    everywhere('successes', always200, () => ({ status: 202 }), isSingle),
  ],
  'success-as-http-204': [
    'gives a success HTTP 204 without a body',
    everywhere('successes', always200, () => ({ status: 204 }), isSingle),
  ],
  ...envelopesOf('successes'),
})

const paged: readonly OperationId[] = ['listBackfills', 'listOauthAccessTokens']
const counted: readonly OperationId[] = [...paged, 'listPipelineSchedules']
const all: readonly OperationId[] = [...counted, 'listPipelines', 'listLogs']
const noFurtherPage = sentence('List metadata', 'when there is no further page')
const isBoolean = sentence('List metadata', 'boolean')
const hasCount = sentence('List metadata', '`count`')
const hasMetadata = sentence('What the service does', 'adds a `metadata` object')

/** The metadata of a list, and facts about the page. */
interface Page {
  readonly metadata: Json
  readonly length: number
  readonly limit: number | undefined
  readonly offset: number
}

const next = (isFurther: (page: Page) => unknown) => (page: Page) => ({
  ...page.metadata,
  next: isFurther(page),
})
const count = (change: (count: unknown) => unknown) => (page: Page) => ({
  ...page.metadata,
  count: change(page.metadata.count),
})
const whenLast = (instead: (metadata: Json) => Json) => (page: Page) =>
  page.metadata.next === false ? instead(page.metadata) : page.metadata
const total = ({ metadata }: Page) => Number(metadata.count ?? 0)

/** Other metadata of lists; `undefined` omits it. */
const metadata: Readonly<
  Record<
    string,
    readonly [does: string, stated: Statement, operations: readonly OperationId[], change: (page: Page) => unknown]
  >
> = {
  'next-always-false': ['reports no further page', noFurtherPage, paged, next(() => false)],
  'next-always-true': ['reports a further page', noFurtherPage, counted, next(() => true)],
  'next-true-when-full': [
    'reports a further page when a page is full', noFurtherPage, paged, next(({ length, limit }) => length === limit),
  ],
  'next-without-offset': [
    'calculates next without the offset', noFurtherPage, paged,
    next((page) => page.limit !== undefined && page.limit < total(page)),
  ],
  'next-of-one-too-many': [
    'reports no further page when one item is left', noFurtherPage, paged,
    next((page) => page.offset + page.length + 1 < total(page)),
  ],
  'next-as-number': ['gives next as 0 or 1', isBoolean, counted, next((page) => Number(page.metadata.next))],
  'next-as-text': ['gives next as a string', isBoolean, counted, next((page) => String(page.metadata.next))],
  'next-absent-when-false': [
    'omits next when it is false', noFurtherPage, counted, whenLast((before) => without(before, 'next')),
  ],
  'next-null-when-false': [
    'gives null for next when it is false', noFurtherPage, counted, whenLast((before) => ({ ...before, next: null })),
  ],
  'count-as-text': ['gives count as a string', hasCount, counted, count(String)],
  'count-null': ['gives null for count', hasCount, counted, count(() => null)],
  'count-absent-when-empty': [
    'omits count when the list is empty', hasCount, counted,
    (page) => (page.length === 0 ? without(page.metadata, 'count') : page.metadata),
  ],
  'count-with-fraction': [
    'gives a count that is no integer', hasCount, counted, count((before) => Number(before) / 2 + 0.25),
  ],
  'metadata-absent': ['omits the metadata of a list', hasMetadata, all, () => undefined],
  'metadata-null': ['gives null for the metadata of a list', hasMetadata, all, () => null],
  'metadata-array': ['gives an array for the metadata of a list', hasMetadata, all, (page) => [page.metadata]],
  'metadata-not-empty': [
    'gives metadata to the logs', sentence('List metadata', 'empty `metadata` object'), ['listLogs'],
    () => ({ count: 1, next: false }),
  ],
} // biome-ignore format: one or two lines each

/** Changes of the metadata of lists. */
export const metadataOperators = defineOperators(
  rowsOf(metadata, ([does, stated, operations, change], name) => [
    does,
    operations.map((operation) =>
      // The aspect is the member that the name begins with.
      replies(at(operation, name.split('-')[0] ?? '', stated), ({ body, ...reply }, { query }) => {
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
    ),
  ]),
)
