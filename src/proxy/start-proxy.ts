import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext, rootCertificates } from 'node:tls'
import { closeServer, trackSockets } from '../server/close-server.ts'
import { listen } from '../server/listen.ts'
import { defaultHost, isLoopbackAddress, isOwnName } from '../shared/addresses.ts'
import type { RecordedExchange } from '../traffic/exchange.ts'
import { ExchangeRecorder, type RecorderCounts } from './exchange-recorder.ts'
import { ignoreUpgrade, isWebSocketRequest, openTunnel } from './upgrade.ts'
import { hasBody, linesFor, toUpstream, type Upstream } from './upstream.ts'

export interface ProxyOptions {
  /** Base URL of the server that answers. */
  readonly target: URL
  /** 0 takes a free port. */
  readonly port: number
  /** Default 127.0.0.1: nothing outside this machine can reach it. */
  readonly host?: string | undefined
  /** Additional certificate authorities of the target, in PEM. */
  readonly ca?: string | undefined
  /** Called with each exchange, in the order of the requests, and awaited. The exchange contains credentials. */
  readonly onExchange: (exchange: RecordedExchange) => Promise<void>
}

/** A proxy that is listening. */
export interface RunningProxy {
  readonly url: string
  readonly counts: RecorderCounts
  /** Accepts nothing new, lets requests in flight finish, and delivers their exchanges. */
  close(): Promise<void>
}

/** Maximum size of a request's or reply's head, in bytes. */
const headSize = 256 * 1024
/** Milliseconds that requests in flight may take when the proxy closes. */
const grace = 4_000

/** The reason for refusing a page of another site whose name resolves to this machine (DNS rebinding). */
const foreignHost =
  'The header Host does not name this machine. Send requests to localhost, or start the proxy with --host and an address of the network.'

/** A connection of a client. It has one connection to the target, so that both end together. */
interface Connection {
  readonly agent: http.Agent
  /** Number of exchanges in progress. */
  active: number
}

/**
 * Starts a proxy that passes everything on unchanged, except for the header `Host`, which names the target.
 *
 * @throws ListenError if the port is in use or the host is not of this machine.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { target, port, host = defaultHost } = options
  const recorder = new ExchangeRecorder(target, options.onExchange)
  const server = http.createServer({ maxHeaderSize: headSize, keepAliveTimeout: 0, requestTimeout: 0 })
  server.maxHeadersCount = 0
  const upstream = toUpstream(target)
  const connect = createConnections(upstream, options.ca)
  const isLocal = host === 'localhost' || isLoopbackAddress(host)
  const isForeign = ({ headers }: IncomingMessage) =>
    isLocal && headers.host !== undefined && !isOwnName(headers.host, host)
  const onRequest = (request: IncomingMessage, reply: ServerResponse) => {
    if (isForeign(request)) refuse(reply, 403, foreignHost)
    else forward(request, reply, connect(request.socket), upstream, recorder)
  }
  server.on('request', onRequest)
  // Without this, Node asks for the body before the target does.
  server.on('checkContinue', onRequest)
  const tunnels = new Set<Socket>()
  const secureContext = options.ca === undefined ? undefined : createSecureContext(trusted(options.ca))
  server.on('upgrade', (request, _, head) => {
    if (isForeign(request))
      return void request.socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
    if (!isWebSocketRequest(request)) return ignoreUpgrade(server, request, head)
    const { socket } = request
    tunnels.add(socket)
    socket.once('close', () => tunnels.delete(socket))
    openTunnel(request, head, upstream, linesFor(upstream, request), secureContext)
  })
  const sockets = trackSockets(server)
  return {
    url: await listen(server, port, host),
    counts: recorder.counts,
    async close() {
      for (const socket of tunnels) socket.destroy()
      await closeServer(server, sockets, grace)
      await recorder.flush()
    },
  }
}

/** Returns a function that finds the connection to the target which belongs to one of a client. */
function createConnections({ isSecure }: Upstream, ca: string | undefined): (socket: Socket) => Connection {
  const connections = new WeakMap<Socket, Connection>()
  const settings = { keepAlive: true, maxSockets: 1 }
  return (socket) => {
    const found = connections.get(socket)
    if (found !== undefined) return found
    const agent = isSecure
      ? new https.Agent({ ...settings, ...(ca !== undefined && trusted(ca)) })
      : new http.Agent(settings)
    const connection = { agent, active: 0 }
    connections.set(socket, connection)
    socket.once('close', () => agent.destroy())
    return connection
  }
}

/** The certificate authorities for targets. */
function trusted(ca: string) {
  return { ca: [...rootCertificates, ca] }
}

function forward(
  request: IncomingMessage,
  reply: ServerResponse,
  connection: Connection,
  target: Upstream,
  recorder: ExchangeRecorder,
): void {
  const exchange = recorder.begin(request)
  const outgoing = sendOn(request, connection, target)
  connection.active++
  reply.once('close', () => {
    connection.active--
    recorder.end(exchange, reply.writableFinished)
    if (!reply.writableFinished) outgoing.destroy()
  })
  outgoing.on('continue', () => reply.writeContinue())
  outgoing.on('response', (incoming) => {
    recorder.answer(exchange, incoming)
    // Node would add these; the lines below pass on what the target sent.
    for (const name of ['connection', 'transfer-encoding', 'date']) reply.removeHeader(name)
    reply.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, incoming.rawHeaders)
    // The head of a stream must not wait for its first event. Other heads are sent together with their bodies.
    setImmediate(() => reply.writableEnded || reply.flushHeaders())
    passTrailers(incoming, reply)
    incoming.pipe(reply)
    incoming.once('error', () => reply.destroy())
  })
  outgoing.on('error', (error) => {
    // The client retries a request on a reused connection that was just closed, as it does without a proxy.
    if (reply.headersSent || reply.destroyed || outgoing.reusedSocket) reply.destroy()
    else
      refuse(
        reply,
        502,
        `Cannot reach ${target.origin}: ${error.message}. Check that the server runs at this address.`,
      )
  })
  // The client waits for the target before it sends the body.
  if (request.headers.expect !== undefined) outgoing.flushHeaders()
  if (!hasBody(request)) return void outgoing.end()
  passTrailers(request, outgoing)
  request.pipe(outgoing)
}

/** Sends the received head of a request to the target. */
function sendOn(request: IncomingMessage, connection: Connection, target: Upstream): http.ClientRequest {
  const { isSecure, hostname, port, prefix } = target
  const lines = linesFor(target, request)
  // Node writes a list of headers as it is, which takes a tenth less time per request, but adds missing headers.
  const isComplete =
    request.headers.connection !== undefined && (hasBody(request) || request.method === 'GET')
  const outgoing = (isSecure ? https : http).request({
    agent: connection.agent,
    hostname,
    port,
    method: request.method,
    path: prefix + request.url,
    setHost: false,
    maxHeaderSize: headSize,
    ...(isComplete && { headers: lines }),
  })
  outgoing.maxHeadersCount = 0
  if (!isComplete) {
    for (const name of ['connection', 'content-length', 'transfer-encoding']) outgoing.removeHeader(name)
    for (let index = 0; index < lines.length; index += 2)
      outgoing.appendHeader(lines[index] ?? '', lines[index + 1] ?? '')
  }
  outgoing.once('socket', (socket) => {
    if (outgoing.reusedSocket) return
    // The target ends a connection between two requests: its client learns that before it sends the next one.
    socket.once('close', () => connection.active === 0 && request.socket.end())
  })
  return outgoing
}

/** Passes on the headers that follow a body. Call it before piping the body. */
function passTrailers(from: IncomingMessage, to: http.OutgoingMessage): void {
  // Only a body in chunks has trailers.
  if (from.headers['transfer-encoding'] === undefined) return
  from.once('end', () => {
    const lines = from.rawTrailers
    if (lines.length === 0) return
    const pairs = lines.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, lines[index + 1] ?? '']] : [],
    )
    to.addTrailers(pairs)
  })
}

function refuse(reply: ServerResponse, status: number, reason: string): void {
  reply.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  reply.end(`${reason}\n`)
}
