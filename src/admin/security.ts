import { isLoopbackAddress, isOwnName } from '../shared/addresses.ts'
import { Problem } from './problem.ts'

export interface AdminAccess {
  /** With a token, anyone who sends it has access; without one, only this machine. */
  readonly token?: string | undefined
  /** The address the server listens on, which a request may name as its host. */
  readonly host?: string | undefined
}

export interface Visitor {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly remoteAddress: string | undefined
  readonly isEncrypted?: boolean
}

const way = 'Start the server with --admin-token to use the admin API from elsewhere.'

/** Returns the reason for rejecting a request, or undefined. */
export function refuseVisitor({ token, host }: AdminAccess, visitor: Visitor): Problem | undefined {
  const named = one(visitor, 'host')
  const origin = one(visitor, 'origin')
  // Any page in a browser can send requests to this machine. Its origin shows that.
  if ((origin !== undefined && !isSameOrigin(origin, schemeOf(visitor), named)) || isEmbedded(visitor)) {
    return new Problem(403, 'The admin API does not answer pages of other origins.')
  }
  if (token !== undefined) {
    if (isSameText(bearerOf(visitor), token)) return undefined
    return new Problem(401, 'The admin API needs its token: Authorization: Bearer <token>.', {
      headers: { 'www-authenticate': 'Bearer realm="understudy admin"' },
    })
  }
  if (!isLoopbackAddress(visitor.remoteAddress)) {
    return new Problem(403, `The admin API answers this machine only. ${way}`)
  }
  // Behind a proxy on this machine, every client would appear to be local.
  if (['forwarded', 'x-forwarded-for', 'x-real-ip'].some((name) => one(visitor, name) !== undefined)) {
    return new Problem(403, `The admin API does not answer through a proxy. ${way}`)
  }
  // A page can let its own host name resolve to this machine, and then has the same origin (DNS rebinding).
  if (!isOwnName(named, host)) {
    return new Problem(403, `The admin API does not answer under the name in Host. ${way}`)
  }
  return undefined
}

function one({ headers }: Visitor, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

/** Returns whether a page of another site loads this as an image or a script; such requests have no origin. */
function isEmbedded(visitor: Visitor): boolean {
  const isForeign = ['cross-site', 'same-site'].includes(one(visitor, 'sec-fetch-site') ?? '')
  return isForeign && one(visitor, 'sec-fetch-mode') !== 'navigate'
}

function bearerOf(visitor: Visitor): string {
  return /^Bearer +(\S+) *$/i.exec(one(visitor, 'authorization') ?? '')?.[1] ?? ''
}

function isSameText(given: string, expected: string): boolean {
  const encoder = new TextEncoder()
  const [left, right] = [encoder.encode(given), encoder.encode(expected)]
  let difference = left.length ^ right.length
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index % right.length] ?? 0)
  return difference === 0
}

/** Compares scheme, host and port, with or without default ports. */
function isSameOrigin(origin: string, scheme: string, host: string | undefined): boolean {
  const own = `${scheme}://${host}`
  if (!/^https?:\/\/[^/?#\\@\s]+$/i.test(origin) || host === undefined) return false
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin
}

/** The scheme that the page was loaded with. A proxy that ends the encryption reports it in a header. */
function schemeOf(visitor: Visitor): string {
  // Of several proxies, the page has connected to the first.
  const [forwarded = ''] = (one(visitor, 'x-forwarded-proto') ?? '').split(',')
  return forwarded.trim().toLowerCase() || (visitor.isEncrypted ? 'https' : 'http')
}
