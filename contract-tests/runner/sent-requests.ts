import { isObject } from './is-object.ts'
import type { Sendable } from './shell.ts'

/** A request that was sent, and what a later one may name of its reply: the reply itself is not kept. */
export interface SentRequest extends Sendable {
  /** What was made, where the reply says so. */
  readonly made?: { readonly id?: number; readonly uuid?: string; readonly token?: string } | undefined
}

/** How many requests are kept: more than lie between a finding and what it rests on, with every sequence told at once. */
const mostKept = 8_000

/** The latest requests of a run, however long it is. */
export class SentRequests {
  #kept: SentRequest[] = []

  add(request: SentRequest): void {
    this.#kept.push(request)
    // Seldom, so that a run of any length costs the same for each request.
    if (this.#kept.length >= 2 * mostKept) this.#kept = this.#kept.slice(-mostKept)
  }

  get kept(): readonly SentRequest[] {
    return this.#kept
  }
}

/** What a reply says was made. */
export function madeBy(method: string, body: unknown): SentRequest['made'] {
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
