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
import { isReadMethod } from '../../src/shared/http.ts'

/**
 * An answered request, with the reply of the correct server, or the mutant's if it forwarded another request.
 */
export interface Earlier {
  readonly request: MutantRequest
  readonly reply: ParsedReply
}

/** A request to a mutant, with the requests before it. */
export interface MutantRequest extends Passing {
  /** The operation of the table; undefined for an unknown path. */
  readonly operation: OperationId | undefined
  /** The decoded path parameters, by the names of the route. */
  readonly parameters: Readonly<Record<string, string>>
  /** The answered requests: a mutant has no other memory. */
  readonly earlier: readonly Earlier[]
  /** The number of earlier requests of this operation. */
  readonly nth: number
  /** The number of all earlier requests. */
  readonly total: number
  /** True while another request is in progress. */
  readonly isOverlapping: boolean
  /** True if the previous reply was an error. */
  readonly isAfterError: boolean
  /** The ids of updated backfills. */
  readonly updated: ReadonlySet<unknown>
}

/** Sends this request, perhaps changed, to the correct server. */
export type Forward = (changed?: Changed) => Promise<ParsedReply>

/** Handles a request; `forward` reaches the correct server. */
export type Handler = (request: MutantRequest, forward: Forward) => Promise<ParsedReply> | ParsedReply

/** Starts a mutant. */
export type Start = () => Handler

/** Serves a mutant in front of a correct server, without sockets; `onChange` is called when they differ. */
export function serveMutant(correct: Answering, start: Start, onChange?: () => void): Answering {
  const handle = start()
  const counts = new Map<OperationId | undefined, number>()
  const updated = new Set<unknown>()
  const earlier: Earlier[] = []
  let total = 0
  let inFlight = 0
  let isAfterError = false
  return {
    async answer(original) {
      const passing = read(original)
      const { facts, parameters = {} } =
        operationOf(passing.method === 'HEAD' ? 'GET' : passing.method, passing.path) ?? {}
      const operation = facts?.operation
      const nth = counts.get(operation) ?? 0
      counts.set(operation, nth + 1)
      const request: MutantRequest = {
        ...passing,
        operation,
        parameters,
        earlier,
        nth,
        total: total++,
        isOverlapping: inFlight > 0,
        isAfterError,
        updated,
      }
      let isChanged = false
      let plain: ParsedReply | undefined
      const forward: Forward = async (changed) => {
        const sent = changeRequest(original, changed)
        const { status, contentType, text } = await correct.answer(sent)
        const reply = { status, contentType, body: parse(text) }
        const isRead = isReadMethod(sent.method)
        // A repeated write changes more than the first.
        const isOriginal = changed === undefined || isSame(sent, changeRequest(original))
        if (isOriginal && (plain === undefined || isRead)) plain = reply
        else if (!isRead) isChanged = true
        return reply
      }
      inFlight++
      try {
        // A server takes a while to answer, and other requests arrive meanwhile.
        await setImmediate()
        const reply = await handle(request, forward)
        if (isChanged || !isSame(reply, plain)) onChange?.()
        earlier.push({ request, reply: plain ?? reply })
        isAfterError = isErrorReply(reply)
        if (operation === 'updateBackfill' && !isAfterError) updated.add(idIn(reply))
        return toIncoming(reply)
      } finally {
        inFlight--
      }
    },
  }
}

/** Tests whether two values are the same as JSON. */
export const isSame = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** Tests whether a reply reports an error in the form of the specification. */
export function isErrorReply({ body }: ParsedReply): boolean {
  return isObject(body) && isObject(body.error)
}

function idIn({ body }: ParsedReply): unknown {
  return isObject(body) && isObject(body.backfill) ? body.backfill.id : undefined
}
