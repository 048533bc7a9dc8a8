import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { facts, type Operator } from '../mutant.ts'
import { always200, errorRow, isList, isSingle, onError, strikes } from './reply-strikes.ts'

/** What goes wrong with errors and their HTTP status. */
export const errorOperators: readonly Operator[] = [
  {
    name: 'error-as-http-status',
    does: 'gives an error the HTTP status of its code',
    strikes: strikes('errors', always200, ({ body }) => ({
      status: isObject(body.error) && Number(body.error.code) >= 400 ? Number(body.error.code) : 400,
    })),
  },
  {
    name: 'error-as-http-500',
    does: 'gives an error HTTP 500',
    strikes: strikes('errors', always200, () => ({ status: 500 })),
  },
  {
    name: 'error-status-absent',
    does: 'leaves the status of an error out',
    strikes: strikes('errors', always200, ({ body }) => ({ body: { error: body.error } })),
  },
  {
    name: 'error-status-of-code',
    does: 'gives an error its code for its status',
    strikes: strikes(
      'errors',
      always200,
      onError((error) => ({ error, status: error.code })),
    ),
  },
  {
    name: 'error-status-as-text',
    does: 'gives the status of an error as a string',
    strikes: strikes(
      'errors',
      always200,
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
      always200,
      onError((error) => ({ error: error.message, status: 200 })),
    ),
  },
  {
    name: 'error-under-errors',
    does: 'gives errors as a list',
    strikes: strikes(
      'errors',
      always200,
      onError((error) => ({ errors: [error], status: 200 })),
    ),
  },
  {
    name: 'error-unwrapped',
    does: 'gives code, message and type without an envelope',
    strikes: strikes(
      'errors',
      always200,
      onError((error) => ({ ...error, status: 200 })),
    ),
  },
  {
    name: 'error-under-singular',
    does: 'nests an error under the name of the resource',
    strikes: strikes('errors', always200, (reply, { operation }) =>
      operation ? { body: { [facts(operation).singular]: reply.body } } : undefined,
    ),
  },
  {
    name: 'error-swallowed',
    does: 'answers null where there is an error',
    strikes: strikes(
      'errors',
      always200,
      (_, { operation }) => (operation ? { body: { [facts(operation).singular]: null } } : undefined),
      isSingle,
    ),
  },
  {
    name: 'error-swallowed-in-list',
    does: 'answers an empty list where there is an error',
    strikes: strikes(
      'errors',
      always200,
      (_, { operation }) =>
        operation
          ? { body: { [facts(operation).plural]: [], metadata: { count: 0, next: false } } }
          : undefined,
      isList,
    ),
  },
]
