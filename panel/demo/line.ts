import { isReadMethod } from '../../src/shared/http.ts'
import { withoutTrailingSlashes } from '../../src/shared/urls.ts'
import type { CrossedRequest, Port, ReplyMessage } from './messages.ts'

/** A reply as it has crossed to a page. */
interface CrossedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array<ArrayBuffer>> | null
}

/** A page's line to the understudy of the demo: each request crosses with a port for its reply. */
export class Line {
  readonly #port: Port

  /** @param hear called with what is to be shown about the stored state. */
  constructor(port: Port, hear: (note: string) => void = () => undefined) {
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<string>) => hear(data)
    // The other end hears from nobody else that this one is gone.
    addEventListener('pagehide', () => port.postMessage('bye'))
  }

  /**
   * Asks, and returns the reply once its head is there.
   *
   * @throws TypeError where the connection closes without one, and the signal's reason where it is aborted, as `fetch` does.
   */
  ask(request: CrossedRequest, signal?: AbortSignal | null): Promise<CrossedReply> {
    const { port1: reply, port2 } = new MessageChannel()
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      let pieces: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
      const leave = () => {
        reply.postMessage('leave')
        reply.close()
      }
      const fail = (reason: unknown) => {
        reject(reason)
        pieces?.error(reason)
      }
      const stream = () =>
        new ReadableStream({
          start(controller) {
            pieces = controller
          },
          cancel: leave,
        })
      reply.onmessage = ({ data }: MessageEvent<ReplyMessage>) => {
        if (data.kind === 'piece') return pieces?.enqueue(data.bytes)
        if (data.kind === 'head') {
          const { status, headers, body = stream() } = data
          resolve({ status, headers, body })
          if (data.body === undefined) return
        } else if (data.kind === 'end') pieces?.close()
        else fail(new TypeError('Failed to fetch: the connection was closed.'))
        reply.close()
      }
      const abort = () => {
        leave()
        fail(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#port.postMessage(request, [port2])
    })
  }

  /** Returns a `fetch` for what is below an address. */
  fetchBelow(base: string): (input: string | Request, init?: RequestInit) => Promise<Response> {
    return async (input, init) => {
      const request = new Request(input, init)
      const { status, headers, body } = await this.ask(await toCrossed(request, base), request.signal)
      return new Response(body, { status, headers })
    }
  }
}

/** Returns a request as it crosses, its address below that of the demo. */
export async function toCrossed(
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
