import type { IncomingMessage, Server } from 'node:http'
import net from 'node:net'
import tls from 'node:tls'
import type { Upstream } from './upstream.ts'

/** Reports whether a request asks for a WebSocket. */
export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Passes on the bytes of a connection that becomes a WebSocket, both ways.
 *
 * @param head bytes after the head of the request.
 * @param lines headers for the target, as names and values in turn.
 */
export function openTunnel(
  request: IncomingMessage,
  head: Buffer,
  { isSecure, hostname: host, port, prefix }: Upstream,
  lines: readonly string[],
  secureContext: tls.SecureContext | undefined,
): void {
  const address = { host, port: Number(port) || (isSecure ? 443 : 80) }
  const upstream = isSecure
    ? tls.connect({ ...address, secureContext, servername: net.isIP(host) === 0 ? host : '' })
    : net.connect(address)
  const { socket } = request
  upstream.write(headText(request, prefix + request.url, lines), 'latin1')
  upstream.write(head)
  upstream.pipe(socket).pipe(upstream)
  for (const [one, other] of [
    [socket, upstream],
    [upstream, socket],
  ] as const) {
    one.once('error', () => other.destroy())
    one.once('close', () => other.destroy())
  }
}

/**
 * Answers a request without the upgrade that it asks for, as servers may. Node stops parsing the connection of such a
 * request, so the server reads it again from its start.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, head: Buffer): void {
  const { socket, rawHeaders } = request
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || /^(?:upgrade|http2-settings|connection)$/i.test(name)
      ? []
      : [name, rawHeaders[index + 1] ?? ''],
  )
  socket.unshift(Buffer.concat([Buffer.from(headText(request, request.url ?? '/', lines), 'latin1'), head]))
  server.emit('connection', socket)
}

function headText({ method, httpVersion }: IncomingMessage, path: string, lines: readonly string[]): string {
  const headers = lines.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${lines[index + 1]}\r\n`] : [],
  )
  return `${method} ${path} HTTP/${httpVersion}\r\n${headers.join('')}\r\n`
}
