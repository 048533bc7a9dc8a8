import type { Operation, Route } from '../resources/resource.ts'
import type { Delivery } from './faults/delivery.ts'

/** A request in normal form. Callers of `dispatch` may pass a `RequestInput`. */
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
  /** True to pass on a request under `/api` that matches no operation, if the adapter supports it. */
  readonly isPassing?: boolean
  /** Set by adapters whose requests have this form already. */
  readonly isNormalized?: true
}

/** Replaces an unread body; its description is the reason. */
export type UnreadBody = symbol

/** A reply, free of any framework. */
export interface UnderstudyReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Logical status: `error.code` of the body, or 200; 0 if a fault prevents the reply. */
  readonly code: number
  /** Operation of the request, if it matched one. */
  readonly operation: Operation | undefined
  readonly route: Route | undefined
  /** Delivery of the reply, if a fault sets it. Default: whole and without delay. */
  readonly delivery?: Delivery
  /** It is no operation, and left to others, as its request asked for; this is no answer to it. */
  readonly isPassed?: true
  /** The world that answered. */
  readonly world?: string
  /** Ids of the faults that applied to the request. */
  readonly faults?: readonly string[]
}

/** A value, or a promise of it: nearly every request needs no promise. */
export type MaybePromise<Value> = Value | Promise<Value>
