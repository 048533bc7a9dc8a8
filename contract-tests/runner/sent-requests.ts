import { isObject } from './is-object.ts'
import type { Exchange } from './read-exchange.ts'
import type { Sendable } from './shell.ts'

/** Identifiers of a created record, which later requests may name. */
export interface Made {
  readonly id?: number
  readonly uuid?: string
  readonly token?: string
}

/** A sent request. Its reply is not stored. */
export interface SentRequest extends Sendable {
  readonly made?: Made | undefined
  /** The play of a sequence that sent it; several run concurrently. */
  readonly scope?: unknown
}

/** Maximum number of stored requests: more than any sequence sends, times those that run concurrently. */
const mostStored = 8_000

/** The latest requests of a run, however long it is. */
export class SentRequests {
  #stored: SentRequest[] = []
  readonly #byExchange = new WeakMap<Exchange, SentRequest>()

  add(request: SentRequest, exchange?: Exchange): void {
    this.#stored.push(request)
    if (exchange !== undefined) this.#byExchange.set(exchange, request)
    // Seldom, so that a run of any length costs the same for each request.
    if (this.#stored.length >= 2 * mostStored) this.#stored = this.#stored.slice(-mostStored)
  }

  get stored(): readonly SentRequest[] {
    return this.#stored
  }

  /** The requests of the play that an exchange belongs to, up to its own. */
  historyOf(exchange: Exchange): readonly SentRequest[] {
    const last = this.#byExchange.get(exchange)
    const end = last === undefined ? -1 : this.#stored.lastIndexOf(last)
    return this.#stored.slice(0, end + 1).filter(({ scope }) => scope === last?.scope)
  }
}

/** Reads the created record from a reply. */
export function madeBy(method: string, body: unknown): Made | undefined {
  if (method === 'GET' || method === 'DELETE' || !isObject(body)) return undefined
  const record = Object.values(body).find(isObject)
  if (record === undefined || body.error !== undefined) return undefined
  const { id, uuid, token } = record
  return {
    ...(typeof id === 'number' ? { id } : {}),
    ...(typeof uuid === 'string' ? { uuid } : {}),
    ...(typeof token === 'string' ? { token } : {}),
  }
}
