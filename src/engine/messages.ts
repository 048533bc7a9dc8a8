import type { Operation, Route } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import type { Delivery } from './faults/delivery.ts'

/** A request, free of any framework, as it is read: what people write is a `RequestInput`. */
export interface UnderstudyRequest {
  /** In capitals. */
  readonly method: string
  /** A path with its query, or an absolute URL; as the client sent it, nothing decoded. */
  readonly url: string
  /** Header names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body's text, or why there is none. */
  readonly body?: string | UnreadBody | undefined
  /** The world to ask where the request itself names none. Default `main`. */
  readonly world?: string | undefined
  /** Whether a request under `/api` that is no operation is passed on, where that is possible. */
  readonly isPassing?: boolean
  /** Said by faces: it is in this form for sure, and nobody looks once more. */
  readonly isNormalized?: true
}

/** Stands for a body of which there is no text; its description says why. */
export type UnreadBody = symbol

/** Stands for a body that is longer than the limit. */
export const tooLarge: UnreadBody = Symbol('too large')

const notText: UnreadBody = Symbol('The body is not UTF-8.')

/** The longest body that is read (`body-limit`), in bytes. */
export const bodyLimit: number = limits.body

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a body; byte order marks stay, so that every face hands on the same text. */
export function decodeBody(bytes: Uint8Array, maximum = bodyLimit): string | UnreadBody {
  if (bytes.length > maximum) return tooLarge
  try {
    return decoder.decode(bytes)
  } catch {
    return notText
  }
}

/** Tells whether a text is longer than the limit; only one that may be is counted byte by byte. */
export function isTooLarge(text: string, maximum: number): boolean {
  if (text.length > maximum) return true
  // A UTF-16 unit is at most three bytes of UTF-8.
  return text.length * 3 > maximum && new TextEncoder().encode(text).length > maximum
}

/** A reply, free of any framework. */
export interface UnderstudyReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The logical status: `error.code` of the body, or 200; 0 where a fault keeps the reply back. */
  readonly code: number
  /** The operation that was reached, where one was. */
  readonly operation: Operation | undefined
  readonly route: Route | undefined
  /** How it is to be delivered, where a fault says so; absent: whole and at once. */
  readonly delivery?: Delivery
  /** It is no operation, and left to others, as its request asked for; this is no answer to it. */
  readonly isPassed?: true
  /** The world that answered. */
  readonly world?: string
  /** The ids of the faults that struck the request. */
  readonly faults?: readonly string[]
}
