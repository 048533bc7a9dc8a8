import type { Switches } from '../assumptions/switches.ts'
import type { Operation, Route } from '../resources/define-resource.ts'
import type { Delivery } from './faults/delivery.ts'

/** A request, free of any framework. */
export interface UnderstudyRequest {
  readonly method: string
  /** A path with its query, or an absolute URL; as the client sent it, nothing decoded. */
  readonly url: string
  /** Header names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body's text, or why there is none. */
  readonly body?: string | typeof tooLarge | typeof notText | undefined
  /** The world to ask where the request itself names none. Default `main`. */
  readonly world?: string | undefined
}

/** Stands for a body that is longer than the limit. */
export const tooLarge = Symbol('too large')

/** Stands for a body that is not UTF-8. */
export const notText = Symbol('not text')

/** Decodes a body; byte order marks stay, so that every face hands on the same text. */
export function decodeBody(bytes: Uint8Array): string | typeof notText {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return notText
  }
}

/** The longest body that is read (`body-limit`), in bytes. */
export const bodyLimit = 10 * 1024 * 1024

/** A reply, free of any framework. */
export interface UnderstudyReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Makes the body again, where it can be: who keeps a reply keeps this instead. */
  readonly again?: (() => string) | undefined
  /** The logical status: `error.code` of the body, or 200; 0 where a fault keeps the reply back. */
  readonly code: number
  /** The operation that was reached, where one was. */
  readonly operation: Operation | undefined
  readonly route: Route | undefined
  /** How it is to be delivered, where a fault says so; absent: whole and at once. */
  readonly delivery?: Delivery
  /** The ids of the faults that struck the request. */
  readonly faults?: readonly string[]
}

const json = { 'content-type': 'application/json' }
const anyOrigin: Readonly<Record<string, string>> = { ...json, 'access-control-allow-origin': '*' }

/** The headers of every reply: JSON, and readable from any origin, cookies included (`cors`). */
export function replyHeaders(
  request: UnderstudyRequest,
  { cors }: Switches,
): Readonly<Record<string, string>> {
  if (cors === 'none') return json
  const origin = request.headers?.origin
  if (typeof origin !== 'string') return anyOrigin
  return {
    ...json,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  }
}

/** The headers of a preflight's reply: any method, any header (`cors`). */
export function preflightHeaders(
  request: UnderstudyRequest,
  switches: Switches,
): Readonly<Record<string, string>> {
  const { 'content-type': _, ...headers } = replyHeaders(request, switches)
  if (switches.cors === 'none') return headers
  return {
    ...headers,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': String(request.headers?.['access-control-request-headers'] ?? '*'),
    'access-control-max-age': '600',
  }
}
