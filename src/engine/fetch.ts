import { hasNoBody, hasReplyBody, isReadMethod } from '../shared/http.ts'
import { toRequest } from '../shared/urls.ts'
import { decodeBody } from './body.ts'
import type { Delivery, Leaving, Waits } from './faults/delivery.ts'
import type { MaybePromise, UnderstudyReply, UnderstudyRequest } from './messages.ts'

/** Converts a Fetch API request. `cookies` replaces the header if the runtime hides it. */
export async function fromFetch(
  request: Request,
  cookies: Readonly<Record<string, string>> = {},
): Promise<UnderstudyRequest> {
  const headers: Record<string, string> = {}
  // happy-dom does not change the letter case of header names.
  for (const [name, value] of request.headers) headers[name.toLowerCase()] = value
  const pairs = Object.entries(cookies)
  if (headers.cookie === undefined && pairs.length > 0) {
    headers.cookie = pairs.map(([name, value]) => `${name}=${value}`).join('; ')
  }
  return {
    method: request.method,
    url: request.url,
    headers,
    body: isReadMethod(request.method) ? undefined : decodeBody(new Uint8Array(await request.arrayBuffer())),
    isNormalized: true,
  }
}

const anyOrigin = 'http://understudy.invalid'

/** Creates a `fetch` on top of `dispatch`, which delivers replies as faults require. */
export function createFetch(
  dispatch: (request: UnderstudyRequest) => MaybePromise<UnderstudyReply> | undefined,
  waits: Waits,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = await toRequest(input, init, anyOrigin)
    const reply = await dispatch(await fromFetch(request))
    return reply === undefined
      ? new Response('Not found: the paths of the API begin with /api.', { status: 404 })
      : toResponse(reply, waits, request)
  }
}

/** Parts of a Fetch API response: its body, and its status with its headers. */
export type ResponseParts = [body: string | ReadableStream<Uint8Array> | null, init: ResponseInit]

/** Method of the request, and the signal that its client has left. */
type FetchedRequest = Pick<Request, 'method' | 'signal'>

/** Delivers a reply as its faults require; `undefined` if the connection closes without one. */
export function deliver(
  whole: UnderstudyReply,
  waits: Waits,
  { method, signal }: FetchedRequest,
): ResponseParts | undefined | Promise<ResponseParts | undefined> {
  const reply = hasReplyBody(method) ? whole : { ...whole, body: '' }
  if (reply.delivery === undefined) return toParts(reply)
  const leaving: Leaving = (end) => {
    signal.addEventListener('abort', end, { once: true })
    return () => signal.removeEventListener('abort', end)
  }
  return deliverSlowly(reply, reply.delivery, waits, leaving)
}

/**
 * Delivers a reply as a Fetch API response.
 *
 * @throws TypeError if the connection closes without one, and the signal's reason after an abort, as
 * `fetch` does.
 */
async function toResponse(reply: UnderstudyReply, waits: Waits, request: FetchedRequest): Promise<Response> {
  const parts = await deliver(reply, waits, request)
  request.signal.throwIfAborted()
  if (parts === undefined) throw new TypeError('Failed to fetch: a fault closed the connection.')
  return new Response(...parts)
}

function toParts({ status, headers, body }: UnderstudyReply): ResponseParts {
  return [hasNoBody(status) ? null : body, { status, headers }]
}

async function deliverSlowly(
  reply: UnderstudyReply,
  { delay = 0, headTime = 0, bodyTime = 0, end }: Delivery,
  waits: Waits,
  leaving: Leaving,
): Promise<ResponseParts | undefined> {
  if (delay + headTime > 0 && !(await waits.pause(delay + headTime, leaving))) return undefined
  if (end === 'hang') await waits.forever(leaving)
  if (end === 'hang' || end === 'drop') return undefined
  const [body, init] = toParts(reply)
  if (body === null || (bodyTime === 0 && end === undefined)) return [body, init]
  const { streamBody } = await import('./faults/stream-body.ts')
  return [streamBody(reply.body, bodyTime, end === 'reset', waits, leaving), init]
}
