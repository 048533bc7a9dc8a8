import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorEnvelope } from '../shared/http.ts'
import { endBatch } from './send.ts'

/** The connections on which a request that has come whole is answered, though what follows is not HTTP. */
const answering = new WeakSet<Socket>()

/**
 * Answers what is not HTTP, too long or too slow; its path is not known, so it gets the API's error envelope. A request
 * before it that has come whole is answered first, and the connection ends with that: a reply that a fault makes late
 * or slow must not become another one.
 */
export function refuseBrokenHttp(error: NodeJS.ErrnoException, duplex: Duplex): void {
  const socket = duplex as Socket & { _httpMessage?: ServerResponse | null }
  const { _httpMessage: current } = socket
  if (!socket.writable) return void socket.destroy()
  if (current?.headersSent) {
    endBatch()
    return void (current.writableEnded ? socket.destroySoon() : socket.destroy())
  }
  if (current?.req.complete) {
    // Where still more comes, or the client leaves, it does not wait for the reply.
    if (answering.has(socket)) return void socket.destroy()
    answering.add(socket)
    current.shouldKeepAlive = false
    return
  }
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
