import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { facts, onRecords, onSuccess, sentence } from '../mutants/mutant.ts'
import { isErrorReply, type Start } from '../mutants/serve-mutant.ts'
import { onBodies } from './variant.ts'

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

/** Other codes and types of errors than ours, but those of a failed sign-in, which are stated. */
export const errorsAs = (change: (error: Json) => Json): Start =>
  onBodies((body, { operation }) =>
    isObject(body.error) && operation !== 'createSession' ? { ...body, error: change(body.error) } : body,
  )

export const reversed = (operation: OperationId): Start =>
  onSuccess(operation, ({ body }, { query }) => {
    const { plural } = facts(operation)
    const records = body[plural]
    const isPaged = query.has('_limit') || query.has('_offset')
    return Array.isArray(records) && !isPaged ? { body: { ...body, [plural]: [...records].reverse() } } : {}
  })

export const sets = (
  operation: OperationId,
  values: Json,
  when: (record: Json) => boolean = () => true,
): Start => onRecords(operation, (record) => (when(record) ? { ...record, ...values } : record))

/** Gives a list a page size of its own where the client asks for none, or for more. */
export const pages =
  (operation: OperationId, byDefault: number, most: number): Start =>
  () =>
  (heard, ask) => {
    if (heard.operation !== operation) return ask()
    const query = new URLSearchParams(heard.query)
    query.set('_limit', String(Math.min(Number(heard.query.get('_limit') ?? byDefault), most)))
    return ask({ path: `${heard.path}?${query}` })
  }

/** Texts that are JSON as well as ours is. */
export const written =
  (write: (body: unknown) => string): Start =>
  () =>
  async (_, ask) => {
    const reply = await ask()
    return isObject(reply.body) ? { ...reply, body: write(reply.body) } : reply
  }

export const moved = (value: unknown): unknown => (value === 'initial' ? 'running' : value)
export const silent = (part: string) => sentence('Block', part)
export const backfillMoves = sentence('States and transitions', 'Transitions other than those in the table')

export function emptyWhereUnknown(operation: OperationId, body: Json): Start {
  return () => async (heard, ask) => {
    const reply = await ask()
    const isUnknown =
      isErrorReply(reply) &&
      isObject(reply.body) &&
      isObject(reply.body.error) &&
      reply.body.error.code === 404
    return heard.operation === operation && isUnknown ? { ...reply, body } : reply
  }
}
