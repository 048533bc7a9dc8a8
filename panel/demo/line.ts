import { isReadMethod } from '../../src/shared/http-method.ts'
import { withoutTrailingSlashes } from '../../src/shared/urls.ts'
import type { CrossedRequest, FromPage, Port, ToPage } from './messages.ts'

/** A reply as it has crossed to a page. */
export interface CrossedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array<ArrayBuffer>> | null
}

interface Waiting {
  head(reply: CrossedReply): void
  lost(): void
  /** Where the pieces of its body go, once its head is there. */
  pieces?: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>
}

/** A page's line to the understudy of the demo. */
export class Line {
  readonly #port: Port
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  /** @param hear told what is to be said of the state. */
  constructor(port: Port, hear: (note: string) => void = () => undefined) {
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<ToPage>) => {
      if (data.kind === 'note') hear(data.text)
      else this.#receive(data)
    }
    // The other end is told by nobody else that this one is gone.
    addEventListener('pagehide', () => this.#say({ kind: 'bye' }))
  }

  /**
   * Asks, and gives the reply once its head is there.
   *
   * @throws TypeError where the connection closes without one, and the signal's reason where it is aborted, as `fetch` does.
   */
  ask(request: CrossedRequest, signal?: AbortSignal | null): Promise<CrossedReply> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const waiting: Waiting = {
        head: resolve,
        lost: () => reject(new TypeError('Failed to fetch: the connection was closed.')),
      }
      this.#waiting.set(id, waiting)
      signal?.addEventListener(
        'abort',
        () => {
          if (!this.#waiting.has(id)) return
          this.#leave(id)
          reject(signal.reason)
          waiting.pieces?.error(signal.reason)
        },
        { once: true },
      )
      this.#say({ kind: 'ask', id, request })
    })
  }

  /** The same with the names of the Fetch API, for what is below an address. */
  fetchBelow(base: string): (input: string | Request, init?: RequestInit) => Promise<Response> {
    return async (input, init) => {
      const request = new Request(input, init)
      const { status, headers, body } = await this.ask(await toSent(request, base), request.signal)
      return new Response(body, { status, headers })
    }
  }

  #receive(told: Exclude<ToPage, { kind: 'note' }>): void {
    const { id } = told
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    if (told.kind === 'head') {
      const { status, headers, body } = told
      if (body !== undefined) this.#waiting.delete(id)
      waiting.head({ status, headers, body: body === undefined ? this.#bodyOf(id, waiting) : body })
    } else if (told.kind === 'piece') waiting.pieces?.enqueue(told.bytes)
    else {
      this.#waiting.delete(id)
      if (told.kind === 'end') waiting.pieces?.close()
      else if (waiting.pieces === undefined) waiting.lost()
      else waiting.pieces.error(new TypeError('The connection was closed.'))
    }
  }

  #bodyOf(id: number, waiting: Waiting): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      start(controller) {
        waiting.pieces = controller
      },
      cancel: () => this.#leave(id),
    })
  }

  #leave(id: number): void {
    if (this.#waiting.delete(id)) this.#say({ kind: 'leave', id })
  }

  #say(said: FromPage): void {
    this.#port.postMessage(said)
  }
}

/** A request as it crosses, its address below that of the demo. */
export async function toSent(
  request: Request,
  base: string,
  cookies: Readonly<Record<string, string>> = {},
): Promise<CrossedRequest> {
  const headers = Object.fromEntries(request.headers)
  const pairs = Object.entries(cookies)
  if (pairs.length > 0) headers.cookie ??= pairs.map(([name, value]) => `${name}=${value}`).join('; ')
  const hasBody = !isReadMethod(request.method)
  return {
    method: request.method,
    url: request.url.slice(withoutTrailingSlashes(base).length),
    headers,
    ...(hasBody && { body: await request.arrayBuffer() }),
  }
}
