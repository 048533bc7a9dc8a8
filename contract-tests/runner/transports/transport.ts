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
  /** The header that says when the reply was made by the target's clock, where there is one. */
  readonly date?: string | undefined
  /** How long to wait before the next try, where the target says so. */
  readonly retryAfter?: string | undefined
  /** The address that a redirect names. */
  readonly location?: string | undefined
}

/** Brings requests to a target. */
export interface Transport {
  /** What paths follow in a `curl` line; it holds no user and no password. */
  readonly base: string
  /** What goes with every request besides, where the address names a user. */
  readonly authorization?: Readonly<Record<string, string>>
  /** Rejects where no reply comes, with a `timeout` in milliseconds on the error where that was too long. */
  send(request: Outgoing, timeout: number): Promise<Incoming>
}

/** A transport that keeps connections open. */
export interface Connected extends Transport {
  close(): void
}

/** Something that answers Fetch API requests in this process, such as an understudy. */
export interface Fetchable {
  fetch(request: Request): Promise<Response>
}

/** Something that answers in this process by plain values: nothing of the Fetch API is made, which costs more than most replies. */
export interface Answering {
  answer(request: Outgoing): Incoming | Promise<Incoming>
}
