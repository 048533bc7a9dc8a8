import { isObject } from './is-object.ts'
import type { Sendable } from './shell.ts'

/** A request that was sent, and what a later one may name of its reply: the reply itself is not kept. */
export interface SentRequest extends Sendable {
  /** What was made, where the reply says so. */
  readonly made?: { readonly id?: number; readonly uuid?: string; readonly token?: string } | undefined
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
