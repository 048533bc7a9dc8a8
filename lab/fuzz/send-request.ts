import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { expand, lengthOf } from './bytes.ts'
import type { FuzzRequest } from './requests.ts'

export interface FuzzReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The headers and the body, to search them for forbidden texts. */
  readonly text: string
}

/** The reply to a request, or the reason why there is none. */
export type Outcome = FuzzReply | 'closed' | 'hangs' | 'refused'

/** The milliseconds that a reply may take. */
const patience = 15_000

/** Sends a request, and reads its reply. */
export function sendRequest(port: number, agent: Agent, sent: FuzzRequest): Promise<Outcome> {
  const { method, target, body, chunked } = sent
  const framing =
    body === undefined
      ? []
      : chunked
        ? ['Transfer-Encoding', 'chunked']
        : ['Content-Length', String(lengthOf(body))]
  const headers = ['Host', 'localhost', ...sent.headers.flat(), ...framing]
  return new Promise((resolve) => {
    const outgoing = request({
      port,
      host: '127.0.0.1',
      agent,
      method,
      path: target,
      headers,
      timeout: patience,
    })
    outgoing.on('timeout', () => {
      resolve('hangs')
      outgoing.destroy()
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'closed'),
    )
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', () => resolve('closed'))
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode = 0, headers, rawHeaders } = incoming
        resolve({ status: statusCode, headers, body: text, text: `${rawHeaders.join('\n')}\n${text}` })
      })
    })
    outgoing.end(body === undefined ? undefined : expand(body))
  })
}
