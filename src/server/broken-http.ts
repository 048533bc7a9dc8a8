import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorEnvelope } from '../wire/envelope.ts'

/** Answers what is not HTTP, too long or too slow; its path is not known, so it gets the API's error envelope. */
export function refuseBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: current } = socket as Duplex & { _httpMessage?: ServerResponse | null }
  // The reply to an earlier request, which a fault can make late or slow, must not become another one.
  const isUnderWay = current != null && (current.headersSent || current.req.complete)
  if (!socket.writable || isUnderWay) return void socket.destroy()
  const [status, message] = brokenHttp[error.code ?? ''] ?? [400, 'The request is not HTTP.']
  const body = errorEnvelope({ code: status, message, type: 'record_invalid' })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const brokenHttp: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are longer than 16 KB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}
