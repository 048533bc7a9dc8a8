/** A request and its reply as somebody recorded them: the form of traffic from HAR files, the journal and the proxy. */
export interface RecordedExchange {
  /** Identifies the recording: the path of the file, or the name of the world. */
  readonly source: string
  /** The world of a mock that answered; `undefined` for other servers. */
  readonly world: string | undefined
  /** Position in the recording, from 1. */
  readonly position: number
  /** Identifies who sent the request. Requests of one client may overlap in time, like those of a browser. */
  readonly client: string
  /** Time of the request, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Time until the reply was complete. */
  readonly milliseconds: number
  /** True if the recorder served one request after the other, so that the positions are the order of the effects. */
  readonly isOrdered: boolean
  readonly request: RecordedRequest
  /** `undefined` if the recording has no reply: the client aborted or blocked the request, or the connection failed. */
  readonly reply: RecordedReply | undefined
}

export interface RecordedRequest {
  readonly method: string
  /** The whole URL, with the query. */
  readonly url: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as text; `undefined` if there was none, or the recording does not contain it. */
  readonly body: string | undefined
}

export interface RecordedReply {
  readonly status: number
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as text, decoded; `undefined` if the recording does not contain it. */
  readonly body: string | undefined
}

/** Target of a request: the server, whose state is its own, and the path within the API with its query. */
export interface ApiAddress {
  readonly server: string
  readonly base: string
  readonly path: string
}

/** Finds the part of a URL that the API answers; `undefined` if there is none. */
export function addressOf({ request: { url }, world }: RecordedExchange): ApiAddress | undefined {
  const [plain = ''] = url.split('#')
  const start = plain.indexOf('/api/', plain.indexOf('://') + 3)
  if (start === -1 || plain.slice(0, start).includes('?')) return undefined
  const base = plain.slice(0, start)
  return { server: world === undefined ? base : `${base} ${world}`, base, path: plain.slice(start) }
}
