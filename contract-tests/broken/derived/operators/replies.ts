import type { Statement } from '../../../rules/document.ts'
import type { OperationId } from '../../../rules/operation-id.ts'
import type { Reply } from '../../define-broken.ts'
import { fittingGuards } from '../guards.ts'
import { asked, documentedOperations, facts, named, type Operator, type Strike, sentence } from '../mutant.ts'
import { type Heard, isErrorReply, isJson, type Json } from '../wrong-server.ts'

type Change = (reply: Reply & { readonly body: Json }, heard: Heard) => Partial<Reply> | undefined

/** Changes replies of every documented operation: its errors, or its successes. */
function strikes(
  kind: 'errors' | 'successes',
  stated: (operation: OperationId) => Statement,
  change: Change,
  fits: (operation: OperationId) => boolean = () => true,
): Strike[] {
  return documentedOperations.filter(fits).map((operation) => ({
    operation,
    aspect: kind === 'errors' ? 'error' : 'reply',
    sentence: stated(operation),
    guards: [
      ...fittingGuards(facts(operation), undefined, ['request']),
      ...named('keyInQuery', 'tokenInCookie'),
    ],
    wrong: (holds) => () => async (heard, ask) => {
      const reply = await ask()
      const { body } = reply
      if (
        heard.operation !== operation ||
        !isJson(body) ||
        isErrorReply(reply) !== (kind === 'errors') ||
        !holds(asked(heard))
      )
        return reply
      return { ...reply, ...change({ ...reply, body }, heard) }
    },
  }))
}

const always200 = () => sentence('Errors', 'Every response carries HTTP status 200')
const underError = always200
const errorRow = (name: string) => () => sentence('Errors', `| \`${name}\``)
const isList = (operation: OperationId) => facts(operation).action === 'list'
const isSingle = (operation: OperationId) => !isList(operation)
const singular = () => sentence('What the service does', 'A response that carries one record')

const onError =
  (change: (error: Json, body: Json) => Json): Change =>
  ({ body }) =>
    isJson(body.error) ? { body: change(body.error, body) } : undefined

/** What goes wrong with HTTP statuses and envelopes. */
export const replyOperators: readonly Operator[] = [
  {
    name: 'error-as-http-status',
    does: 'gives an error the HTTP status of its code',
    strikes: strikes('errors', always200, ({ body }) => ({
      status: isJson(body.error) && Number(body.error.code) >= 400 ? Number(body.error.code) : 400,
    })),
  },
  {
    name: 'error-as-http-500',
    does: 'gives an error HTTP 500',
    strikes: strikes('errors', always200, () => ({ status: 500 })),
  },
  {
    name: 'success-as-http-201',
    does: 'gives a success HTTP 201',
    strikes: strikes('successes', always200, () => ({ status: 201 })),
  },
  {
    name: 'success-as-http-202',
    does: 'gives a success HTTP 202',
    strikes: strikes('successes', always200, () => ({ status: 202 }), isSingle),
  },
  {
    name: 'success-as-http-204',
    does: 'gives a success HTTP 204 without a body',
    strikes: strikes('successes', always200, () => ({ status: 204 }), isSingle),
  },
  {
    name: 'error-status-absent',
    does: 'leaves the status of an error out',
    strikes: strikes('errors', underError, ({ body }) => ({ body: { error: body.error } })),
  },
  {
    name: 'error-status-of-code',
    does: 'gives an error its code for its status',
    strikes: strikes(
      'errors',
      underError,
      onError((error) => ({ error, status: error.code })),
    ),
  },
  {
    name: 'error-status-as-text',
    does: 'gives the status of an error as a string',
    strikes: strikes(
      'errors',
      underError,
      onError((error) => ({ error, status: '200' })),
    ),
  },
  {
    name: 'error-code-as-text',
    does: 'gives the code of an error as a string',
    strikes: strikes(
      'errors',
      errorRow('code'),
      onError((error, body) => ({ ...body, error: { ...error, code: String(error.code) } })),
    ),
  },
  {
    name: 'error-code-absent',
    does: 'leaves the code of an error out',
    strikes: strikes(
      'errors',
      errorRow('code'),
      onError(({ message, type }, body) => ({ ...body, error: { message, type } })),
    ),
  },
  {
    name: 'error-message-list',
    does: 'gives a list of messages',
    strikes: strikes(
      'errors',
      errorRow('message'),
      onError((error, body) => ({ ...body, error: { ...error, message: [error.message] } })),
    ),
  },
  {
    name: 'error-message-null',
    does: 'gives null for the message of an error',
    strikes: strikes(
      'errors',
      errorRow('message'),
      onError((error, body) => ({ ...body, error: { ...error, message: null } })),
    ),
  },
  {
    name: 'error-type-null',
    does: 'gives null for the type of an error',
    strikes: strikes(
      'errors',
      errorRow('type'),
      onError((error, body) => ({ ...body, error: { ...error, type: null } })),
    ),
  },
  {
    name: 'error-type-absent',
    does: 'leaves the type of an error out',
    strikes: strikes(
      'errors',
      errorRow('type'),
      onError(({ code, message }, body) => ({ ...body, error: { code, message } })),
    ),
  },
  {
    name: 'error-type-number',
    does: 'gives the type of an error as a number',
    strikes: strikes(
      'errors',
      errorRow('type'),
      onError((error, body) => ({ ...body, error: { ...error, type: 7 } })),
    ),
  },
  {
    name: 'error-as-text',
    does: 'gives an error as a sentence',
    strikes: strikes(
      'errors',
      underError,
      onError((error) => ({ error: error.message, status: 200 })),
    ),
  },
  {
    name: 'error-under-errors',
    does: 'gives errors as a list',
    strikes: strikes(
      'errors',
      underError,
      onError((error) => ({ errors: [error], status: 200 })),
    ),
  },
  {
    name: 'error-unwrapped',
    does: 'gives code, message and type without an envelope',
    strikes: strikes(
      'errors',
      underError,
      onError((error) => ({ ...error, status: 200 })),
    ),
  },
  {
    name: 'error-under-singular',
    does: 'nests an error under the name of the resource',
    strikes: strikes('errors', underError, (reply, { operation }) =>
      operation ? { body: { [facts(operation).singular]: reply.body } } : undefined,
    ),
  },
  {
    name: 'error-swallowed',
    does: 'answers null where there is an error',
    strikes: strikes(
      'errors',
      underError,
      (_, { operation }) => (operation ? { body: { [facts(operation).singular]: null } } : undefined),
      isSingle,
    ),
  },
  {
    name: 'error-swallowed-in-list',
    does: 'answers an empty list where there is an error',
    strikes: strikes(
      'errors',
      underError,
      (_, { operation }) =>
        operation
          ? { body: { [facts(operation).plural]: [], metadata: { count: 0, next: false } } }
          : undefined,
      isList,
    ),
  },
  {
    name: 'success-with-error',
    does: 'puts an empty error beside a success',
    strikes: strikes('successes', underError, ({ body }) => ({ body: { ...body, error: {} } })),
  },
  {
    name: 'record-unwrapped',
    does: 'gives a record without its envelope',
    strikes: strikes(
      'successes',
      singular,
      ({ body }, { operation }) => (operation ? { body: body[facts(operation).singular] } : undefined),
      isSingle,
    ),
  },
  {
    name: 'record-under-plural',
    does: 'nests a record under the plural',
    strikes: strikes(
      'successes',
      singular,
      ({ body }, { operation }) =>
        operation ? { body: { [facts(operation).plural]: body[facts(operation).singular] } } : undefined,
      isSingle,
    ),
  },
  {
    name: 'record-in-list',
    does: 'gives a record as a list of one',
    strikes: strikes(
      'successes',
      singular,
      ({ body }, { operation }) =>
        operation ? { body: { [facts(operation).singular]: [body[facts(operation).singular]] } } : undefined,
      isSingle,
    ),
  },
  {
    name: 'record-under-data',
    does: 'nests a record under data',
    strikes: strikes('successes', singular, ({ body }) => ({ body: { data: body } }), isSingle),
  },
  {
    name: 'list-under-items',
    does: 'nests a list under items',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'carries a list nests it'),
      ({ body }, { operation }) =>
        operation ? { body: { items: body[facts(operation).plural], metadata: body.metadata } } : undefined,
      isList,
    ),
  },
  {
    name: 'list-unwrapped',
    does: 'gives a list without its envelope',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'carries a list nests it'),
      ({ body }, { operation }) => (operation ? { body: body[facts(operation).plural] } : undefined),
      isList,
    ),
  },
  {
    name: 'list-by-key',
    does: 'gives a list as an object by index',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'carries a list nests it'),
      ({ body }, { operation }) =>
        operation
          ? {
              body: {
                ...body,
                [facts(operation).plural]: {
                  ...(Array.isArray(body[facts(operation).plural])
                    ? Object.fromEntries(Object.entries(body[facts(operation).plural] ?? {}))
                    : {}),
                },
              },
            }
          : undefined,
      isList,
    ),
  },
  {
    name: 'json-in-text',
    does: 'gives JSON in a JSON string',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'through a JSON HTTP API'),
      ({ body }) => ({ body: JSON.stringify(JSON.stringify(body)) }),
    ),
  },
  {
    name: 'not-json',
    does: 'gives what no JSON parser reads',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'through a JSON HTTP API'),
      ({ body }) => ({ body: `)]}',\n${JSON.stringify(body)}` }),
    ),
  },
]
