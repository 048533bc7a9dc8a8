import type { Server } from 'node:http'
import { defaultPort } from '../shared/addresses.ts'
import { UnderstudyError, type UnderstudyErrorCode } from '../shared/understudy-error.ts'
import { required } from '../shared/values.ts'

/**
 * Thrown if a server cannot listen; the message contains the solution.
 *
 * @example
 * await expect(serve(understudy, { host: 'no.such.host.invalid' })).rejects.toThrow(ListenError)
 */
export class ListenError extends UnderstudyError {
  constructor(code: UnderstudyErrorCode, detail: string, cause: unknown) {
    super(code, detail, { cause })
    this.name = 'ListenError'
  }
}

/**
 * Listens, and returns the URL of the server.
 *
 * @throws ListenError if the port is in use or the host is not of this machine.
 */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  if (host.trim() === '') {
    throw new ListenError(
      'HOST_UNKNOWN',
      'The host is empty, which would be every address of this machine. Choose --host 127.0.0.1, or --host 0.0.0.0 for all of them.',
      undefined,
    )
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port, host)))
    server.listen(port, host, resolve)
  })
  const address = required(server.address(), 'the address of a server that listens')
  if (typeof address === 'string') return address
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}`
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
      return new ListenError(
        'LISTEN_FAILED',
        `Cannot listen on ${host}:${port}: ${error.message}. Choose another --host or --port.`,
        error,
      )
  }
}
