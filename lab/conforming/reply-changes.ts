import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { isUnknown, onRecords, sentence } from '../mutants/mutant.ts'
import type { MutantRequest, Start } from '../mutants/serve-mutant.ts'

/** The attributes that a client writes, or without fixed members. Do not change them. */
const verbatim: readonly string[] = [
  'variables',
  'event_variables',
  'config',
  'configuration',
  'metadata',
  'extensions',
  'executor_config',
  'notification_config',
  'spark_config',
  'error',
  'settings',
  'metrics',
]

/** Changes every object of a reply, at any depth, except those under verbatim names. */
export function deep(value: unknown, change: (record: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((inner) => deep(inner, change))
  if (!isObject(value)) return value
  return change(
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        verbatim.includes(name) ? inner : deep(inner, change),
      ]),
    ),
  )
}

/** Changes every body. */
export const onBodies =
  (change: (body: Json, request: MutantRequest) => unknown): Start =>
  () =>
  async (request, forward) => {
    const reply = await forward()
    return isObject(reply.body) ? { ...reply, body: change(reply.body, request) } : reply
  }

export const inSeconds = (operation: OperationId): Start =>
  onRecords(operation, (record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/.test(String(value))
          ? String(value).slice(0, 19)
          : value,
      ]),
    ),
  )

/** Other codes and types of errors than ours, except those of a failed sign-in, which the specification states. */
export const errorsAs = (change: (error: Json) => Json): Start =>
  onBodies((body, { operation }) =>
    isObject(body.error) && operation !== 'createSession' ? { ...body, error: change(body.error) } : body,
  )

/** Other JSON texts of the same value. */
export const written =
  (write: (body: unknown) => string): Start =>
  () =>
  async (_, forward) => {
    const reply = await forward()
    return isObject(reply.body) ? { ...reply, body: write(reply.body) } : reply
  }

export const backfillMoves = sentence('States and transitions', 'Transitions other than those in the table')

export function emptyWhereUnknown(operation: OperationId, body: Json): Start {
  return () => async (request, forward) => {
    const reply = await forward()
    return request.operation === operation && isUnknown(reply) ? { ...reply, body } : reply
  }
}
