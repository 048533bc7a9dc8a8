import { setTimeout as wait } from 'node:timers/promises'
import { isObject } from './is-object.ts'
import { TooLarge } from './limits.ts'
import type { Secrets } from './redact.ts'
import { madeBy, type SentRequest } from './sent-requests.ts'
import { curlCommand } from './shell.ts'
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
  /** When the reply was made by the target's clock, where it says so. */
  readonly date: Date | undefined
  /** The headers that carry credentials. */
  readonly credentials: Readonly<Record<string, string>>
  /** A curl command for the same request; keys and tokens are variables of the environment. */
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

/** Sends requests to a target, and keeps count. */
export class Client {
  requests = 0
  /** Milliseconds spent waiting for replies. */
  waited = 0
  credentials: Credentials
  /** How often the target asked for patience. */
  slowed = 0
  /** Every exchange, where somebody asked for them: replies may be large. */
  readonly exchanges: Exchange[] = []
  /** Every request, and what it made. */
  readonly sent: SentRequest[] = []
  /** Whether exchanges are kept. */
  keepsExchanges = false
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
    secrets.add(transport.authorization?.Authorization, 'UNDERSTUDY_USERINFO')
  }

  /** Where requests go. */
  get base(): string {
    return this.#transport.base
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
    const { token: _, ...onlyKey } = this.credentials
    const sent = { false: {}, key: onlyKey, true: this.credentials }[`${options.credentials ?? true}`]
    const path = withKey(plainPath, sent)
    this.#secrets.add(this.credentials.token, 'UNDERSTUDY_TOKEN')
    const headers = { ...this.#transport.authorization, ...credentialHeaders(sent), ...options.headers }
    const body = options.body === undefined ? undefined : JSON.stringify(options.body)
    const request = { method, path, headers, body }
    for (let attempt = 0; ; attempt++) {
      const { exchange, retryAfter } = await this.#sendOnce(request, options.body)
      if (!isRateLimit(exchange) || attempt === mostRetries) {
        this.onExchange?.(exchange)
        return exchange
      }
      // A limit of the target says nothing of the document: wait, and ask again.
      this.slowed++
      await wait(retryAfter ?? 200 * 2 ** attempt)
    }
  }

  async #sendOnce(
    request: Outgoing,
    sentBody: unknown,
  ): Promise<{ exchange: Exchange; retryAfter?: number }> {
    const { method, path } = request
    this.requests++
    const start = performance.now()
    try {
      const reply = await this.#transport.send(request, this.#timeout)
      const exchange = toExchange(request, sentBody, reply, this.#transport.base, this.#secrets)
      if (this.keepsExchanges) this.exchanges.push(exchange)
      const { credentials } = exchange
      this.sent.push({
        method,
        path,
        credentials,
        requestBody: sentBody,
        made: madeBy(method, exchange.body),
      })
      const seconds = Number(reply.retryAfter)
      return seconds > 0 ? { exchange, retryAfter: Math.min(seconds, 30) * 1_000 } : { exchange }
    } catch (error) {
      throw new TransportError(explain(error as NodeJS.ErrnoException & { timeout?: number }, method, path))
    } finally {
      this.waited += performance.now() - start
    }
  }
}

/** How often a request is sent again that the target was too busy for. */
const mostRetries = 5

function isRateLimit({ httpStatus, code }: Exchange): boolean {
  return httpStatus === 429 || code === 429
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
  { status, contentType, text, date }: Incoming,
  base: string,
  secrets: Secrets,
): Exchange {
  const body = parse(text)
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  secrets.learn(body)
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
    date: date === undefined || Number.isNaN(Date.parse(date)) ? undefined : new Date(date),
    credentials: headers,
    // Only a finding needs it, and few exchanges become one.
    get curl() {
      return curlCommand(base, { method, path, credentials: headers, requestBody }, secrets)
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
  if (error instanceof TooLarge) return `${request}: ${error.message}.`
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
