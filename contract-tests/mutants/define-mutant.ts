import { isReadMethod } from '../../src/shared/http.ts'
import type { RuleId } from '../rules/index.ts'
import type { Answering, Incoming, Outgoing } from '../runner/transports/transport.ts'

/** A request, as a mutant sees it. */
export interface Passing {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The unchanged query, with its question mark. */
  readonly search: string
  readonly headers: Headers
  readonly body: unknown
}

/** A JSON object. */
export type Json = Record<string, unknown>

/** A reply whose body is a value, not a text. */
export interface ParsedReply {
  readonly status: number
  readonly contentType: string
  readonly body: unknown
}

/** The changes of a request. */
export type Changed = Partial<{ method: string; path: string; headers: Headers; body: unknown }>

/** A mutant: a correct server with one change. */
export interface FaultyServer {
  readonly name: string
  /** The rule meant to detect it. */
  readonly breaks: RuleId
  /** `open` if only a target that checks no credentials shows it: no run could verify another one. */
  readonly auth?: 'open'
  /** Changes the request before the correct server handles it. */
  readonly request?: (passing: Passing) => Changed | undefined
  /** Changes the correct server's reply; `undefined` leaves it unchanged. */
  readonly reply?: (reply: ParsedReply, passing: Passing) => Partial<ParsedReply> | undefined
}

/** Serves a mutant in front of a correct server. */
export function breakServer(
  good: Answering,
  { request, reply }: Pick<FaultyServer, 'request' | 'reply'>,
): Answering {
  return {
    async answer(original) {
      const passing = read(original)
      const answered = await good.answer(changeRequest(original, request?.(passing)))
      return reply === undefined ? answered : changeReply(answered, reply, passing)
    },
  }
}

/** Changes a reply as a mutant does. */
export function changeReply(
  answered: Incoming,
  reply: NonNullable<FaultyServer['reply']>,
  passing: Passing,
): Incoming {
  const before = replyOf(answered)
  const instead = reply(before, passing)
  return instead === undefined ? answered : toIncoming({ ...before, ...instead })
}

/** The reply of a correct server; parses the body when it is used, as few mutants do. */
function replyOf({ status, contentType, text }: Incoming): ParsedReply {
  let body: { readonly value: unknown } | undefined
  return {
    status,
    contentType,
    get body() {
      body ??= { value: parse(text) }
      return body.value
    },
  }
}

/** Reads a request; parses each part on its first use. */
export function read({ method, path: whole, headers, body }: Outgoing): Passing {
  const mark = whole.indexOf('?')
  const [path, search] = mark === -1 ? [whole, ''] : [whole.slice(0, mark), whole.slice(mark)]
  return {
    method,
    path,
    get query() {
      return new URLSearchParams(search)
    },
    search: search === '?' ? '' : search,
    get headers() {
      return new Headers(headers)
    },
    get body() {
      return body === undefined || body === '' ? undefined : parse(body)
    },
  }
}

/** Creates the request that the correct server gets. */
export function changeRequest(original: Outgoing, changed: Changed = {}): Outgoing {
  const method = changed.method ?? original.method
  const body = 'body' in changed ? JSON.stringify(changed.body) : original.body
  return {
    method,
    path: changed.path ?? original.path,
    headers: changed.headers ? Object.fromEntries(changed.headers) : original.headers,
    body: isReadMethod(method) || body === '' ? undefined : body,
  }
}

/** Creates the reply that the client gets. */
export function toIncoming({ status, contentType, body }: ParsedReply): Incoming {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, contentType, text: status === 204 ? '' : text }
}

/** Returns the JSON of a body, or its text if it is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
