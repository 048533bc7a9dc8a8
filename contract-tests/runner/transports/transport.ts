/** A request as it goes out; the body is JSON text. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A reply as it came in. */
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

/** Brings requests to a target. */
export interface Transport {
  /** The base of the URLs in `curl` lines, without user and password. */
  readonly base: string
  /** The headers of every request, if the address names a user. */
  readonly authorization?: Readonly<Record<string, string>>
  /** Rejects where no reply comes, with a `timeout` in milliseconds on the error where that was too long. */
  send(request: Outgoing, timeout: number): Promise<Incoming>
}

/** A transport whose connections stay open. */
export interface Connected extends Transport {
  close(): void
}

/** An object that answers Fetch API requests in this process, such as the mock. */
export interface Fetchable {
  fetch(request: Request): Promise<Response>
}

/**
 * Something that answers in this process by plain values: without objects of the Fetch API, which cost more than most
 * replies.
 */
export interface Answering {
  answer(request: Outgoing): Incoming | Promise<Incoming>
}
