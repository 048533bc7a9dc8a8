import { setTimeout as wait } from 'node:timers/promises'
import { isObject } from './is-object.ts'
import { curlLine, type Secrets } from './redact.ts'
import type { Incoming, Outgoing, Transport } from './transports/transport.ts'

/** What a request may carry besides the client's own credentials. */
export interface SendOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** False sends none of the client's credentials, `key` only the API key. */
  readonly credentials?: boolean | 'key'
}

/** A request and its reply. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly requestBody: unknown
  readonly httpStatus: number
  readonly contentType: string
  readonly text: string
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown
  /** The logical status: `error.code` of the body, or 200. */
  readonly code: number
  readonly error: Readonly<Record<string, unknown>> | undefined
  /** The headers that carry credentials. */
  readonly credentials: Readonly<Record<string, string>>
  /** A curl command for the same request, secrets replaced. */
  readonly curl: string
}

export interface Credentials {
  readonly apiKey?: string | undefined
  /** Where the key goes: the header of the samples, or the query parameter that the document states. */
  readonly keyIn?: 'header' | 'query'
  /** The decoded token. */
  readonly token?: string | undefined
}

/** Thrown where a reply did not come, or was none of this API. */
export class TransportError extends Error {}

/** How often a request is sent again that came too fast, and how long the first wait is, in milliseconds. */
const mostWaits = 6
const firstWait = 100

/** Sends requests to a target, and keeps count. */
export class Client {
  requests = 0
  /** How often the target said that it was asked too fast. */
  slowedDown = 0
  /** Milliseconds spent waiting for replies. */
  waited = 0
  credentials: Credentials
  readonly exchanges: Exchange[] = []
  /** Sees every exchange. */
  onExchange: ((exchange: Exchange) => void) | undefined
  readonly #transport: Transport
  readonly #timeout: number
  readonly #secrets: Secrets

  constructor(transport: Transport, credentials: Credentials, timeout: number, secrets: Secrets) {
    this.#transport = transport
    this.credentials = credentials
    this.#timeout = timeout
    this.#secrets = secrets
  }

  /** Takes every secret known so far out of a text. */
  redact(text: string): string {
    return this.#secrets.redact(text)
  }

  /**
   * Sends one request.
   *
   * @throws TransportError where the connection fails or the timeout passes.
   */
  async send(method: string, plainPath: string, options: SendOptions = {}): Promise<Exchange> {
    for (let tries = 1; ; tries++) {
      const exchange = await this.#sendOnce(method, plainPath, options)
      // Rate limits are not documented: a target that has one is waited for, and not judged by it.
      const isTooFast = exchange.code === 429 || exchange.httpStatus === 429
      if (!isTooFast || tries > mostWaits) {
        this.exchanges.push(exchange)
        this.onExchange?.(exchange)
        return exchange
      }
      this.slowedDown++
      await wait(firstWait * 2 ** tries)
    }
  }

  async #sendOnce(method: string, plainPath: string, options: SendOptions): Promise<Exchange> {
    const { token: _, ...onlyKey } = this.credentials
    const sent = { false: {}, key: onlyKey, true: this.credentials }[`${options.credentials ?? true}`]
    const path = withKey(plainPath, sent)
    const headers = { ...credentialHeaders(sent), ...options.headers }
    const body = options.body === undefined ? undefined : JSON.stringify(options.body)
    const request = { method, path, headers, body }
    this.requests++
    const start = performance.now()
    try {
      const reply = await this.#transport.send(request, this.#timeout)
      return toExchange(request, options.body, reply, this.#transport.base, this.#secrets)
    } catch (error) {
      throw new TransportError(explain(error as NodeJS.ErrnoException & { timeout?: number }, method, path))
    } finally {
      this.waited += performance.now() - start
    }
  }
}

function withKey(path: string, { apiKey, keyIn }: Credentials): string {
  if (apiKey === undefined || keyIn !== 'query') return path
  return `${path}${path.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(apiKey)}`
}

function credentialHeaders({ apiKey, keyIn, token }: Credentials): Record<string, string> {
  return {
    ...(apiKey === undefined || keyIn === 'query' ? {} : { 'X-API-KEY': apiKey }),
    ...(token === undefined ? {} : { 'OAUTH-TOKEN': token, Cookie: '' }),
  }
}

function toExchange(
  { method, path, headers }: Outgoing,
  requestBody: unknown,
  { status, contentType, text }: Incoming,
  base: string,
  secrets: Secrets,
): Exchange {
  const body = parse(text)
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  secrets.learn(body)
  for (const value of Object.values(headers)) secrets.add(value.replace(/^(Bearer |oauth_token=)/, ''))
  return {
    method,
    path,
    requestBody,
    httpStatus: status,
    contentType,
    text,
    body,
    code: error ? Number(error.code) : 200,
    error,
    credentials: headers,
    // Only a finding needs it, and few exchanges become one.
    get curl() {
      return curlLine(base, method, path, headers, requestBody, secrets)
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function explain(error: NodeJS.ErrnoException & { timeout?: number }, method: string, path: string): string {
  const request = `${method} ${path}`
  if (error.timeout !== undefined) return `${request}: no answer within ${error.timeout} ms.`
  // Some runtimes say the code in the message only.
  switch (error.code ?? /^E[A-Z]+/.exec(error.message)?.[0]) {
    case 'ECONNREFUSED':
      return `${request}: nothing listens there.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${request}: the host name is not known.`
    case 'ECONNRESET':
    case 'HPE_INVALID_CONSTANT':
      return `${request}: the connection was dropped.`
    default:
      return `${request}: ${error.message}.`
  }
}
