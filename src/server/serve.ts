import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Understudy } from '../engine/create-understudy.ts'
import { type AdminOption, createAdminListener } from './admin.ts'
import { createListener, type ListenerOptions } from './listener.ts'

export interface ServeOptions extends ListenerOptions {
  /** 0 takes a free port. Default 6789. */
  readonly port?: number
  /** Default 127.0.0.1: nothing outside this machine can reach it. */
  readonly host?: string
  /** The admin API. Default true: for this machine only. */
  readonly admin?: AdminOption
}

/** A server that is listening. */
export interface Serving {
  /** Where it listens, such as `http://127.0.0.1:6789`. */
  readonly url: string
  readonly server: Server
  close(): Promise<void>
}

/** Thrown where a server cannot listen; the message says the way out. */
export class ListenError extends Error {}

/**
 * Serves an understudy over HTTP.
 *
 * @throws ListenError where the port is taken or the host is not of this machine.
 * @example
 * const { url, close } = await serve(createUnderstudy(), { port: 0 })
 */
export async function serve(understudy: Understudy, options: ServeOptions = {}): Promise<Serving> {
  const { port = 6789, host = '127.0.0.1' } = options
  const admin = createAdminListener(understudy, options.admin ?? true, host)
  const listener = createListener(understudy, options)
  // Express is loaded when somebody asks for a page: API requests never pass through it.
  let site: Promise<(request: never, response: never) => void> | undefined
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (request, response) => {
    const toSite = () => {
      site ??= import('./site.ts').then(({ createSite }) => createSite(understudy))
      void site.then((app) => app(request as never, response as never))
    }
    listener(request, response, () => admin.handle(request, response, toSite))
  })
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        admin.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ListenError(explain(error, port, host))),
    )
    server.listen(port, host, resolve)
  })
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop what listens there, or choose another: --port ${port + 1}, or --port 0 for any free one.`
    case 'EACCES':
      return `Port ${port} on ${host} needs rights that this process does not have. Choose one above 1023: --port 6789.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Choose --host 127.0.0.1, or --host 0.0.0.0 for all of them.`
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}.`
  }
}
