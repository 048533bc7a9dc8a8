import { setImmediate } from 'node:timers/promises'
import {
  type Changed,
  changeRequest,
  type ParsedReply,
  type Passing,
  parse,
  read,
  toIncoming,
} from '../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { operationOf } from '../../contract-tests/runner/operation-of.ts'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'

/** A request as a wrong server hears it, with what it remembers of those before. */
export interface HeardRequest extends Passing {
  /** The operation of the table that it reaches; undefined where there is none. */
  readonly operation: OperationId | undefined
  /** What its path names, by the names of the route, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** How many requests of the operation came before. */
  readonly nth: number
  /** Whether another request is being answered meanwhile. */
  readonly isOverlapping: boolean
  /** Whether the reply before was an error. */
  readonly isAfterError: boolean
  /** The ids of the backfills that were updated so far. */
  readonly updated: ReadonlySet<unknown>
}

/** Asks the good server: for this request, perhaps changed, or for another one by path. */
export type Ask = (changed?: Changed) => Promise<ParsedReply>

/** What a wrong server makes of a request. */
export type WrongHandler = (heard: HeardRequest, ask: Ask) => Promise<ParsedReply> | ParsedReply

/** Begins a wrong server's life: what it remembers is its own. */
export type Start = () => WrongHandler

/** Puts a wrong server in front of a good one, without sockets. */
export function serveWrong(good: Answering, start: Start): Answering {
  const wrong = start()
  const counts = new Map<OperationId | undefined, number>()
  const updated = new Set<unknown>()
  let inFlight = 0
  let isAfterError = false
  return {
    async answer(original) {
      const passing = read(original)
      const { facts, parameters = {} } = operationOf(passing.method, passing.path) ?? {}
      const operation = facts?.operation
      const nth = counts.get(operation) ?? 0
      counts.set(operation, nth + 1)
      const heard: HeardRequest = {
        operation,
        parameters,
        nth,
        isOverlapping: inFlight > 0,
        isAfterError,
        updated,
        ...passing,
      }
      const ask: Ask = async (changed = {}) => {
        const { status, contentType, text } = await good.answer(changeRequest(original, changed))
        return { status, contentType, body: parse(text) }
      }
      inFlight++
      try {
        // A server's answer takes a while, in which other requests arrive.
        await setImmediate()
        const reply = await wrong(heard, ask)
        isAfterError = isErrorReply(reply)
        if (heard.operation === 'updateBackfill' && !isAfterError) updated.add(idIn(reply))
        return toIncoming(reply)
      } finally {
        inFlight--
      }
    },
  }
}

/** Tells whether a reply reports an error in the document's form. */
export function isErrorReply({ body }: ParsedReply): boolean {
  return isObject(body) && isObject(body.error)
}

function idIn({ body }: ParsedReply): unknown {
  return isObject(body) && isObject(body.backfill) ? body.backfill.id : undefined
}
