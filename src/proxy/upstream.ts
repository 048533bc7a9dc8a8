import type { IncomingMessage } from 'node:http'

/** The address of the target, and the start of request paths to it. */
export interface Upstream {
  readonly origin: string
  readonly isSecure: boolean
  readonly hostname: string
  readonly port: string
  /** The value of `Host`. */
  readonly host: string
  /** The path of the base URL, without a slash at its end. */
  readonly prefix: string
}

export function toUpstream({ origin, protocol, hostname, port, host, pathname }: URL): Upstream {
  return {
    origin,
    isSecure: protocol === 'https:',
    // The brackets of an IPv6 address belong to URLs.
    hostname: hostname.replaceAll(/^\[|\]$/g, ''),
    port,
    host,
    prefix: pathname.replace(/\/$/, ''),
  }
}

/** The headers of a request for the target, as names and values in turn. */
export function linesFor({ host }: Upstream, { rawHeaders, headers }: IncomingMessage): string[] {
  const lines = rawHeaders.map((line, index) =>
    index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host' ? host : line,
  )
  return headers.host === undefined ? ['Host', host, ...lines] : lines
}

/** Returns whether a message has a body that its headers announce. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
