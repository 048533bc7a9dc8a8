/** A request on the wire; the body is JSON text. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A received reply. */
export interface Incoming {
  readonly status: number
  readonly contentType: string
  readonly text: string
  /** The `Date` header of the reply, if it has one. */
  readonly date?: string | undefined
  /** The time to wait before the next try, from `Retry-After`. */
  readonly retryAfter?: string | undefined
  /** The address that a redirect names. */
  readonly location?: string | undefined
}

/** Sends requests to a target. */
export interface Transport {
  /** The base of the URLs in `curl` lines, without user and password. */
  readonly base: string
  /** The headers of every request, if the address names a user. */
  readonly authorization?: Readonly<Record<string, string>>
  /** Rejects if no reply arrives. After a timeout, the error has a `timeout` in milliseconds. */
  send(request: Outgoing, timeout: number): Promise<Incoming>
}

/** A transport with persistent connections. */
export interface Connected extends Transport {
  close(): void
}

/** An object that answers Fetch API requests in this process, such as the mock. */
export interface Fetchable {
  fetch(request: Request): Promise<Response>
}

/**
 * A handler in this process with plain values: objects of the Fetch API take more time than most
 * replies.
 */
export interface Answering {
  answer(request: Outgoing): Incoming | Promise<Incoming>
}
