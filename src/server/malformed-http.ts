import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorEnvelope } from '../shared/http.ts'
import { endBatch } from './send.ts'

/** Connections that are answering a complete request before data that is not HTTP. */
const answering = new WeakSet<Socket>()

/**
 * Answers data that is not HTTP, too long or too slow with the API's error envelope, since its path is
 * unknown. An earlier complete request first gets its reply, and then the connection ends, so that the reply cannot be
 * confused with the error.
 */
export function refuseMalformedHttp(error: NodeJS.ErrnoException, duplex: Duplex): void {
  const socket = duplex as Socket & { _httpMessage?: ServerResponse | null }
  const { _httpMessage: current } = socket
  if (!socket.writable) return void socket.destroy()
  if (current?.headersSent) {
    endBatch()
    return void (current.writableEnded ? socket.destroySoon() : socket.destroy())
  }
  if (current?.req.complete) {
    // If more data arrives, or the client disconnects, do not wait for the reply.
    if (answering.has(socket)) return void socket.destroy()
    answering.add(socket)
    current.shouldKeepAlive = false
    return
  }
  const [status, message] = statusByCode[error.code ?? ''] ?? [400, 'The request is not HTTP.']
  const body = errorEnvelope({ code: status, message, type: 'record_invalid' })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const statusByCode: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are longer than 16 KB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}
