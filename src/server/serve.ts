import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Understudy } from '../engine/create-understudy.ts'
import { defaultHost, defaultPort } from '../shared/addresses.ts'
import * as limits from '../shared/limits.ts'
import { UnderstudyError, type UnderstudyErrorCode } from '../shared/understudy-error.ts'
import type { AdminOption } from './admin.ts'
import { refuseBrokenHttp } from './broken-http.ts'
import { closeServer, keepSockets } from './close-server.ts'
import { createServerListener, httpAdapter, type ObserverOption } from './listener.ts'
import { batchEnd } from './send.ts'

export interface ServeOptions extends ObserverOption {
  /** 0 takes a free port. Default 6789. */
  readonly port?: number
  /** Default 127.0.0.1: nothing outside this machine can reach it. */
  readonly host?: string
  /** How long `close` lets requests in flight finish, in milliseconds. Default 4,000. */
  readonly grace?: number
  /** The admin API. Default true: for this machine only. */
  readonly admin?: AdminOption
  /** How long a socket may take, in milliseconds, before it is cut. */
  readonly timeouts?: Timeouts
}

export interface Timeouts {
  /** Until the head of a request has arrived. Default 10,000. */
  readonly head?: number
  /** Until a whole request has arrived. Default 30,000. */
  readonly request?: number
  /** Between two requests. Default 5,000. */
  readonly idle?: number
}

/** A server that is listening. */
export interface Serving {
  /** Where it listens, such as `http://127.0.0.1:6789`. */
  readonly url: string
  readonly server: Server
  /** Accepts nothing new, lets requests in flight finish, and cuts what takes too long. */
  close(): Promise<void>
}

const hints: Readonly<Partial<Record<UnderstudyErrorCode, string>>> = {
  PORT_IN_USE: 'Stop what listens there, or take another port; 0 takes a free one.',
  PORT_FORBIDDEN: 'Take a port above 1023.',
  HOST_UNKNOWN: 'Take an address of this machine, such as 127.0.0.1.',
  LISTEN_FAILED: 'Look into `cause`.',
}

/**
 * Thrown where a server cannot listen; the message says the way out.
 *
 * @example
 * await expect(serve(understudy, { host: 'no.such.host.invalid' })).rejects.toThrow(ListenError)
 */
export class ListenError extends UnderstudyError {
  constructor(code: UnderstudyErrorCode, detail: string, cause: unknown) {
    super(code, detail, { cause })
    this.name = 'ListenError'
  }

  override get hint(): string {
    return hints[this.code] ?? super.hint
  }
}

/**
 * Serves an understudy over HTTP.
 *
 * @throws ListenError where the port is taken or the host is not of this machine.
 * @example
 * const { url, close } = await serve(createUnderstudy(), { port: 0 })
 */
export async function serve(understudy: Understudy, options: ServeOptions = {}): Promise<Serving> {
  const { port = defaultPort, host = defaultHost, grace = 4_000 } = options
  if (host.trim() === '') {
    throw new ListenError(
      'HOST_UNKNOWN',
      'The host is empty, which would be every address of this machine. Choose --host 127.0.0.1, or --host 0.0.0.0 for all of them.',
      undefined,
    )
  }
  const waits = understudy.attach(httpAdapter)
  const { admin = true, observe } = options
  const answers = { admin, pages: true, ...(observe && { observe }) }
  const listener = createServerListener(understudy, answers, waits, { host, end: batchEnd })
  const server = createServer(toServerOptions(options.timeouts))
  server.on('request', listener)
  const sockets = keepSockets(server)
  server.on('clientError', refuseBrokenHttp)
  // Nor would an Expect that Node does not know get a body; the service has no use for it, and answers.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    server,
    close() {
      waits.hurry()
      return closeServer(server, sockets, grace)
    },
  }
}

function toServerOptions({
  head = limits.requestHead,
  request = limits.request,
  idle = limits.idleConnection,
}: Timeouts = {}) {
  return {
    headersTimeout: head,
    requestTimeout: request,
    keepAliveTimeout: idle,
    // Node would refuse a request without Host by an empty body; nothing here needs the header.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(1_000, head / 2),
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port, host)))
    server.listen(port, host, resolve)
  })
}

function toListenError(error: NodeJS.ErrnoException, port: number, host: string): ListenError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(
        'PORT_IN_USE',
        `Port ${port} on ${host} is in use. Stop what listens there, or choose another: --port ${port + 1}, or --port 0 for any free one.`,
        error,
      )
    case 'EACCES':
      return new ListenError(
        'PORT_FORBIDDEN',
        `Port ${port} on ${host} needs rights that this process does not have. Choose one above 1023: --port ${defaultPort}.`,
        error,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenError(
        'HOST_UNKNOWN',
        `${host} is not an address of this machine. Choose --host 127.0.0.1, or --host 0.0.0.0 for all of them.`,
        error,
      )
    default:
      return new ListenError('LISTEN_FAILED', `Cannot listen on ${host}:${port}: ${error.message}.`, error)
  }
}
