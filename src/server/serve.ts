import { createServer, type Server } from 'node:http'
import type { Understudy } from '../engine/create-understudy.ts'
import { defaultHost, defaultPort } from '../shared/addresses.ts'
import * as limits from '../shared/limits.ts'
import type { AdminOption } from './admin.ts'
import { closeServer, trackSockets } from './close-server.ts'
import { listen } from './listen.ts'
import { createServerListener, httpAdapter, type ObserverOption } from './listener.ts'
import { refuseMalformedHttp } from './malformed-http.ts'
import { batchEnd } from './send.ts'

export interface ServeOptions extends ObserverOption {
  /** 0 takes a free port. Default 6789. */
  readonly port?: number
  /** Default 127.0.0.1: nothing outside this machine can reach it. */
  readonly host?: string
  /** Time for requests in flight to finish after `close`, in milliseconds. Default 4,000. */
  readonly grace?: number
  /** The admin API. Default true: for this machine only. */
  readonly admin?: AdminOption
}

/** A server that is listening. */
export interface Serving {
  /** The address, such as `http://127.0.0.1:6789`. */
  readonly url: string
  readonly server: Server
  /** Accepts nothing new, lets requests in flight finish, and cuts those that take too long. */
  close(): Promise<void>
}

const serverOptions = {
  headersTimeout: limits.requestHead,
  requestTimeout: limits.request,
  keepAliveTimeout: limits.idleConnection,
  connectionsCheckingInterval: 1_000,
  // Node would refuse a request without Host by an empty body; nothing here needs the header.
  requireHostHeader: false,
}

/**
 * Serves a mock server over HTTP.
 *
 * @throws ListenError if the port is in use or the host is not of this machine.
 * @example
 * const { url, close } = await serve(createUnderstudy(), { port: 0 })
 */
export async function serve(understudy: Understudy, options: ServeOptions = {}): Promise<Serving> {
  const { port = defaultPort, host = defaultHost, grace = 4_000 } = options
  const waits = understudy.attach(httpAdapter)
  const { admin = true, observe } = options
  const answers = { admin, pages: true, ...(observe && { observe }) }
  const listener = createServerListener(understudy, answers, waits, { host, end: batchEnd })
  const server = createServer(serverOptions)
  server.on('request', listener)
  const sockets = trackSockets(server)
  server.on('clientError', refuseMalformedHttp)
  // Node would also refuse an unknown `Expect` by an empty body. The API ignores that header.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return {
    url: await listen(server, port, host),
    server,
    close() {
      waits.hurry()
      return closeServer(server, sockets, grace)
    },
  }
}
