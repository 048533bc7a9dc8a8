import type { OperationId } from '../rules/index.ts'
import { isObject } from '../runner/is-object.ts'
import { operationOf } from '../runner/operation-of.ts'
import type { FaultyServer, Json, ParsedReply, Passing } from './define-mutant.ts'

/** Tests whether a request reaches an operation. */
export function reaches(operation: OperationId, { method, path }: Passing): boolean {
  return operationOf(method, path)?.facts.operation === operation
}

/** Changes the body of an operation's successful replies. */
export function onBody(
  operation: OperationId,
  change: (body: Json, passing: Passing) => unknown,
): NonNullable<FaultyServer['reply']> {
  return (reply: ParsedReply, passing) =>
    reaches(operation, passing) && isObject(reply.body) && reply.body.error === undefined
      ? { body: change(reply.body, passing) }
      : undefined
}

/** Sets members of the body of an operation's successful replies. */
export const setsInBody = (operation: OperationId, members: Json) =>
  onBody(operation, (body) => ({ ...body, ...members }))

/** Changes the list in an operation's successful replies. */
export const onList = (
  operation: OperationId,
  change: (records: readonly Json[], passing: Passing) => unknown,
) =>
  onBody(operation, (body, passing) =>
    mapMembers(body, (value) => (Array.isArray(value) ? change(value.filter(isObject), passing) : value)),
  )

/** Changes every record of an operation's successful replies: the single one, or those of the list. */
export function onRecords(
  operation: OperationId,
  change: (record: Json, passing: Passing) => Json,
): NonNullable<FaultyServer['reply']> {
  return onBody(operation, (body, passing) => {
    const changed = (record: unknown) => (isObject(record) ? change(record, passing) : record)
    return mapMembers(body, (value, key) => {
      if (key === 'metadata') return value
      return Array.isArray(value) ? value.map(changed) : changed(value)
    })
  })
}

function mapMembers(body: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, change(value, key)]))
}

/** Sets attributes of every record. */
export const sets = (operation: OperationId, values: Json) =>
  onRecords(operation, (record) => ({ ...record, ...values }))

/** Removes an attribute from every record. */
export const omits = (operation: OperationId, attribute: string) =>
  onRecords(operation, (record) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== attribute)),
  )

/** Changes the errors of an operation, or of all. */
export function onError(
  operation: OperationId | undefined,
  change: (body: Json, reply: ParsedReply) => Partial<ParsedReply>,
): NonNullable<FaultyServer['reply']> {
  return (reply, passing) =>
    (operation === undefined || reaches(operation, passing)) &&
    isObject(reply.body) &&
    isObject(reply.body.error)
      ? change(reply.body, reply)
      : undefined
}

/** Answers an operation with an error. */
export const refuses =
  (
    operation: OperationId,
    when: (passing: Passing) => boolean = () => true,
  ): NonNullable<FaultyServer['reply']> =>
  (_, passing) =>
    reaches(operation, passing) && when(passing)
      ? { body: { error: { code: 400, message: 'Refused.', type: 'record_invalid' }, status: 200 } }
      : undefined

/** Accepts an invalid request: replaces an error by a made-up success. */
export const accepts =
  (
    operation: OperationId,
    success: Json,
    when: (passing: Passing) => boolean = () => true,
  ): NonNullable<FaultyServer['reply']> =>
  (reply, passing) =>
    reaches(operation, passing) && when(passing) && isObject(reply.body) && isObject(reply.body.error)
      ? { body: success }
      : undefined

/** Removes query parameters from the requests of an operation. */
export function ignores(operation: OperationId, ...names: string[]): NonNullable<FaultyServer['request']> {
  return (passing) => {
    if (!reaches(operation, passing)) return undefined
    const query = new URLSearchParams(passing.query)
    for (const name of names) query.delete(name)
    return { path: `${passing.path}?${query}` }
  }
}

/** Tests whether a request sends these values; `undefined` means a missing attribute. */
export const sends =
  (singular: string, values: Json) =>
  (passing: Passing): boolean =>
    Object.entries(values).every(([name, value]) => sent(passing, singular)[name] === value)

/** The record in the body of a request. */
export function sent(passing: Passing, singular: string): Json {
  const body = isObject(passing.body) ? passing.body[singular] : undefined
  return isObject(body) ? body : {}
}
