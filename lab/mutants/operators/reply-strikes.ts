import type { Json, ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import { asked, documentedOperations, facts, named, type Strike, sentence } from '../mutant.ts'
import { type HeardRequest, isErrorReply } from '../wrong-server.ts'

export type ReplyChange = (
  reply: ParsedReply & { readonly body: Json },
  heard: HeardRequest,
) => Partial<ParsedReply> | undefined

/** Changes replies of every documented operation: its errors, or its successes. */
export function strikes(
  kind: 'errors' | 'successes',
  stated: (operation: OperationId) => Statement,
  change: ReplyChange,
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
        !isObject(body) ||
        isErrorReply(reply) !== (kind === 'errors') ||
        !holds(asked(heard))
      )
        return reply
      return { ...reply, ...change({ ...reply, body }, heard) }
    },
  }))
}

export const always200 = () => sentence('Errors', 'Every response carries HTTP status 200')
export const errorRow = (name: string) => () => sentence('Errors', `| \`${name}\``)
export const isList = (operation: OperationId) => facts(operation).action === 'list'
export const isSingle = (operation: OperationId) => !isList(operation)
export const singular = () => sentence('What the service does', 'A response that carries one record')

export const onError =
  (change: (error: Json, body: Json) => Json): ReplyChange =>
  ({ body }) =>
    isObject(body.error) ? { body: change(body.error, body) } : undefined
