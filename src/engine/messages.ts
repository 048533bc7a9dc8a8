import type { Operation, Route } from '../resources/resource.ts'
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
  /** True if a request under `/api` that matches no operation is passed on, if the adapter supports it. */
  readonly isPassing?: boolean
  /** Said by adapters: it is in this form for sure, and nobody looks once more. */
  readonly isNormalized?: true
}

/** Stands for a body of which there is no text; its description says why. */
export type UnreadBody = symbol

/** A reply, free of any framework. */
export interface UnderstudyReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Logical status: `error.code` of the body, or 200; 0 if a fault prevents the reply. */
  readonly code: number
  /** The operation that was reached, where one was. */
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
