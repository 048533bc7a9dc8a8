import type { Fetchable } from '../judge/transports/transport.ts'
import type { RuleId } from '../rules/index.ts'

/** A request and its reply, as a wrong server may change them. */
export interface Passing {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The query as it was sent, with its question mark. */
  readonly search: string
  readonly headers: Headers
  readonly body: unknown
}

/** A JSON object. */
export type Json = Record<string, unknown>

/** The reply a wrong server gives instead. */
export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: unknown
}

/** What a wrong server makes of a request. */
export type Changed = Partial<{ method: string; path: string; headers: Headers; body: unknown }>

/** A server that is wrong in one way: a small change of what a good one does. */
export interface BrokenServer {
  readonly name: string
  /** The rule meant to catch it. */
  readonly breaks: RuleId
  /** `open` where it shows only on a target that checks no credentials: elsewhere it could not be judged at all. */
  readonly auth?: 'open'
  /** Changes the request before the good server sees it. */
  readonly request?: (passing: Passing) => Changed | undefined
  /** Changes the good server's reply; undefined leaves it. */
  readonly reply?: (reply: Reply, passing: Passing) => Partial<Reply> | undefined
}

/** Puts a wrong server in front of a good one. */
export function breakServer(
  good: Fetchable,
  { request, reply }: Pick<BrokenServer, 'request' | 'reply'>,
): Fetchable {
  return {
    async fetch(original) {
      const { passing, text } = await read(original)
      const changed = request?.(passing)
      // What is neither changed nor read needs no second request.
      const isPassedOn = changed === undefined && original.body === null
      const answered = await good.fetch(isPassedOn ? original : changeRequest(original, text, changed))
      const replyText = await answered.text()
      const before = { status: answered.status, contentType: 'application/json', body: parse(replyText) }
      const wrong = { ...before, ...reply?.(before, passing) }
      return toResponse(wrong)
    },
  }
}

/** Reads a request once, with the text of its body. */
export async function read(original: Request): Promise<{ passing: Passing; text: string }> {
  const url = new URL(original.url)
  const text = original.body === null ? '' : await original.text()
  const passing = {
    method: original.method,
    path: url.pathname,
    query: url.searchParams,
    search: url.search,
    headers: original.headers,
    body: text === '' ? undefined : parse(text),
  }
  return { passing, text }
}

/** Makes of a request, whose body has been read, the one that the good server gets. */
export function changeRequest(original: Request, text: string, changed: Changed = {}): Request {
  const url = new URL(original.url)
  const method = changed.method ?? original.method
  const body = 'body' in changed ? JSON.stringify(changed.body) : text
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== undefined && body !== ''
  return new Request(`${url.origin}${changed.path ?? `${url.pathname}${url.search}`}`, {
    method,
    headers: changed.headers ?? original.headers,
    body: hasBody ? body : null,
  })
}

/** Makes a response of a reply. */
export function toResponse({ status, contentType, body }: Reply): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(status === 204 ? null : text, { status, headers: { 'content-type': contentType } })
}

/** The JSON of a body, or its text where it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
