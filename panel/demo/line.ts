import { isReadMethod } from '../../src/shared/http.ts'
import { withoutTrailingSlashes } from '../../src/shared/urls.ts'
import type { CrossedRequest, Port, ReplyMessage } from './messages.ts'

/** The connection of a page to the mock of the demo: each request is sent with a port for its reply. */
export class Line {
  readonly #port: Port

  /** @param onNote called with each message about the stored state. */
  constructor(port: Port, onNote: (note: string) => void = () => undefined) {
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<string>) => onNote(data)
    // The other side has no other way to detect that this page is closed.
    addEventListener('pagehide', () => port.postMessage('bye'))
  }

  /**
   * Sends a request whose address is below that of the demo, and returns the reply once its head is there.
   *
   * @throws TypeError where the connection closes without one, and the signal's reason after an abort, as `fetch` does.
   */
  async send(request: Request, base: string, cookies?: Readonly<Record<string, string>>): Promise<Response> {
    const crossed = await toCrossed(request, base, cookies)
    const { signal } = request
    signal.throwIfAborted()
    const { port1: reply, port2 } = new MessageChannel()
    return new Promise((resolve, reject) => {
      let pieces: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
      const leave = () => {
        reply.postMessage('leave')
        reply.close()
      }
      const body = new ReadableStream({
        start(controller) {
          pieces = controller
        },
        cancel: leave,
      })
      const fail = (reason: unknown) => {
        reject(reason)
        pieces?.error(reason)
      }
      reply.onmessage = ({ data }: MessageEvent<ReplyMessage>) => {
        if (data.kind === 'piece') return pieces?.enqueue(data.bytes)
        if (data.kind === 'head') return resolve(new Response(data.hasBody ? body : null, data))
        if (data.kind === 'end') pieces?.close()
        else fail(new TypeError('Failed to fetch: the connection was closed.'))
        reply.close()
      }
      signal.addEventListener('abort', () => {
        leave()
        fail(signal.reason)
      })
      this.#port.postMessage(crossed, [port2])
    })
  }

  /** Returns a `fetch` for URLs below an address. */
  fetchBelow(base: string): (input: string | Request, init?: RequestInit) => Promise<Response> {
    return (input, init) => this.send(new Request(input, init), base)
  }
}

/** Converts a request to a message; its address is relative to the demo. */
async function toCrossed(
  request: Request,
  base: string,
  cookies: Readonly<Record<string, string>> = {},
): Promise<CrossedRequest> {
  const headers = Object.fromEntries(request.headers)
  const pairs = Object.entries(cookies)
  if (pairs.length > 0) headers.cookie ??= pairs.map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    method: request.method,
    url: request.url.slice(withoutTrailingSlashes(base).length),
    headers,
    ...(!isReadMethod(request.method) && { body: await request.arrayBuffer() }),
  }
}
