import { setTimeout as wait } from 'node:timers/promises'
import { mostReplyBytes } from '../../src/shared/read-reply.ts'
import { isObject } from './is-object.ts'
import { largeReply, mostLargeBytes, TooLarge, TooMuchRead } from './limits.ts'
import { maxPause, Pace, readRetryAfter } from './pace.ts'
import { type Exchange, Rounded, roundedId, toExchange } from './read-exchange.ts'
import { type Secrets, wrongCredential } from './redact.ts'
import { requestScope } from './request-scope.ts'
import { encodedPath, escapedJson, type KeyPlace, type RequestVariant } from './request-variants.ts'
import { madeBy, SentRequests } from './sent-requests.ts'
import type { Credentials } from './token-encodings.ts'
import type { Outgoing, Transport } from './transports/transport.ts'

export type { Exchange } from './read-exchange.ts'
export type { Credentials } from './token-encodings.ts'

/** Options of a request. */
export interface SendOptions {
  readonly body?: unknown
  /** The body as a text, instead of JSON. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** False sends none of the client's credentials, `key` only the API key. */
  readonly credentials?: boolean | 'key'
  /** Encoding of the request on the wire. */
  readonly variant?: RequestVariant
}

/** A request on the wire, and its body as a value. */
interface WrittenRequest {
  readonly outgoing: Outgoing
  readonly sentBody: unknown
}

/** Thrown if there is no reply, or none of this API. */
export class TransportError extends Error {
  readonly method: string
  readonly path: string

  constructor(method: string, path: string, why: string, cause?: unknown) {
    super(`${method} ${path}: ${why}.`, { cause })
    this.method = method
    this.path = path
  }
}

/** Waits for a reply; undefined if the target does not answer. */
export async function orNothing<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value
  } catch (error) {
    if (error instanceof TransportError) return undefined
    throw error
  }
}

/** Sends requests to a target, and counts them. */
export class Client {
  requests = 0
  /** Milliseconds spent waiting for replies. */
  waited = 0
  credentials: Credentials
  /** The number of consecutive requests that failed: by the timeout, or by a rate limit. */
  unanswered = 0
  /** The reason to end the run, if the target has sent too much data. */
  tooMuch: TooMuchRead | undefined
  /** Receives the reason to end the run, once. */
  onTooMuch: ((reason: TooMuchRead) => void) | undefined
  /** The latest requests, and the records that they created. */
  readonly sent = new SentRequests()
  /** Refuses forbidden requests: it throws, or its promise rejects. */
  guard: ((method: string, path: string) => Promise<void> | undefined) | undefined
  /** Receives every request before the target does. */
  onSend: ((method: string, path: string, body: unknown) => void) | undefined
  /** Receives every exchange; the client stores none. */
  onExchange: ((exchange: Exchange) => void) | undefined
  /** Signs in again if a refusal with these credentials means that the session has ended; returns whether a session is open. */
  renewSession: ((refused: Exchange, used: Credentials) => Promise<boolean>) | undefined
  readonly #transport: Transport
  readonly #timeout: number
  readonly #secrets: Secrets
  readonly #pace: Pace
  #largeBytes = 0
  /** True if the client can read large lists by pages. */
  readonly #largeLists = new Map<string, 'paged' | 'whole only'>()

  constructor(
    transport: Transport,
    credentials: Credentials,
    timeout: number,
    secrets: Secrets,
    pace = new Pace(),
  ) {
    this.#transport = transport
    this.credentials = credentials
    this.#timeout = timeout
    this.#secrets = secrets
    this.#pace = pace
    secrets.add(transport.authorization?.Authorization, 'UNDERSTUDY_USERINFO')
  }

  /** The headers of a plain request with all credentials; undefined if the target does not accept them in headers. */
  get plainHeaders(): Readonly<Record<string, string>> | undefined {
    const { keyIn, tokenIn } = this.credentials
    if (keyIn === 'query' || tokenIn === 'cookie') return undefined
    return { ...this.#transport.authorization, ...credentialHeaders(this.credentials, 'header', undefined) }
  }

  /** Base URL of the target. */
  get base(): string {
    return this.#transport.base
  }

  /** The number of replies by which the target limited the rate. */
  get slowed(): number {
    return this.#pace.slowed
  }

  /** Redacts the known secrets in a text. */
  redact(text: string): string {
    return this.#secrets.redact(text)
  }

  /** Adds a wrong credential to the secrets: one that resembles a secret reveals it. */
  hideWrong(text: string): void {
    this.#secrets.add(text, wrongCredential)
  }

  /**
   * Sends one request; again if the target limits the rate, and with another session if the session has ended.
   *
   * @throws TransportError if the connection fails, the timeout passes, or the target limits the rate for too long.
   */
  async send(method: string, plainPath: string, options: SendOptions = {}): Promise<Exchange> {
    // Sends an allowed request at once, without waiting for replies to others.
    const guarding = this.guard?.(method, plainPath)
    if (guarding !== undefined) await guarding
    this.onSend?.(method, plainPath, options.body)
    for (let attempt = 1; ; attempt++) {
      const used = this.credentials
      const exchange = await this.#sendPaged(method, plainPath, options)
      const carriesSession = (options.credentials ?? true) === true && (used.token ?? used.raw) !== undefined
      // Another sign-in may have ended the session: a target may allow one at a time.
      const isRenewed =
        carriesSession &&
        exchange.error !== undefined &&
        attempt < mostSessions &&
        (await this.renewSession?.(exchange, used)) === true
      if (isRenewed) continue
      this.onExchange?.(exchange)
      return exchange
    }
  }

  /** Sends a request; requests a page instead of a whole list if the target has sent a large reply for it before. */
  async #sendPaged(method: string, plainPath: string, options: SendOptions): Promise<Exchange> {
    const list = method === 'GET' ? wholeListIn(plainPath) : undefined
    if (list === undefined) return this.#sendPatiently(this.#write(method, plainPath, options))
    const isPaged = this.#largeLists.get(list) === 'paged'
    const path = isPaged ? withPage(plainPath) : plainPath
    try {
      const exchange = await this.#sendPatiently(this.#write(method, path, options))
      // A target may ignore the parameter: the specification has it for backfills only.
      if (exchange.text.length > largeReply) this.#largeLists.set(list, isPaged ? 'whole only' : 'paged')
      return exchange
    } catch (error) {
      if (isPaged || !(error instanceof TransportError) || !(error.cause instanceof TooLarge)) throw error
      const page = await this.#sendPatiently(this.#write(method, withPage(plainPath), options))
      this.#largeLists.set(list, 'paged')
      return page
    }
  }

  /** Writes a request with its credentials. */
  #write(method: string, plainPath: string, options: SendOptions): WrittenRequest {
    const { token: _, raw: __, ...onlyKey } = this.credentials
    const { variant, text } = options
    const sent: Credentials = { false: {}, key: onlyKey, true: this.credentials }[
      `${options.credentials ?? true}`
    ]
    const keyIn = keyPlace(sent, variant, options.body)
    const isKeyFirst = variant?.isKeyFirst === true
    const written = withKey(plainPath, sent, keyIn, isKeyFirst)
    const path = variant?.isEncoded ? encodedPath(written) : written
    // First the raw token: a target may accept it unchanged, or the run tried only that.
    this.#secrets.add(this.credentials.raw, 'UNDERSTUDY_RAW_TOKEN')
    this.#secrets.add(this.credentials.token, 'UNDERSTUDY_TOKEN')
    const headers = {
      ...this.#transport.authorization,
      ...credentialHeaders(sent, keyIn, variant),
      ...variant?.headers,
      ...options.headers,
    }
    const value =
      keyIn === 'body' && isObject(options.body)
        ? { ...(isKeyFirst && { api_key: sent.apiKey }), ...options.body, api_key: sent.apiKey }
        : options.body
    const json = variant?.isEncoded ? escapedJson : JSON.stringify
    const body = text ?? (value === undefined ? undefined : json(value))
    return { outgoing: { method, path, headers, body }, sentBody: text ?? value }
  }

  async #sendPatiently({ outgoing, sentBody }: WrittenRequest): Promise<Exchange> {
    const { method, path } = outgoing
    const start = performance.now()
    for (let attempt = 0; ; attempt++) {
      await this.#pace.waitForSlot()
      const { exchange, retryAfter } = await this.#sendOnce(outgoing, sentBody)
      if (isUnavailable(exchange) && attempt < mostUnavailable) {
        await wait(50 * 2 ** attempt)
        continue
      }
      if (!isRateLimit(exchange)) {
        this.#pace.answered()
        this.unanswered = 0
        return exchange
      }
      // A rate limit violates no rule: wait, and send the request again.
      const wanted = readRetryAfter(retryAfter)
      this.#pace.refused(attempt, wanted)
      const elapsed = performance.now() - start
      const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`
      const given =
        wanted !== undefined && wanted > maxPause
          ? `the target asks to be left alone for ${seconds(wanted)}`
          : elapsed > patience * this.#timeout
            ? `the target still asks for patience after ${seconds(elapsed)}`
            : undefined
      if (given !== undefined) {
        this.unanswered++
        throw new TransportError(method, path, given)
      }
    }
  }

  async #sendOnce(
    request: Outgoing,
    sentBody: unknown,
  ): Promise<{ exchange: Exchange; retryAfter: string | undefined }> {
    const { method, path } = request
    this.requests++
    const start = performance.now()
    try {
      const reply = await this.#transport.send(request, this.#timeout)
      if (reply.text.length > largeReply) this.#addLarge(reply.text.length, request)
      const exchange = toExchange(request, sentBody, reply, this.#transport.base, this.#secrets)
      const rounded = roundedId(exchange.body)
      if (rounded !== undefined) throw new Rounded(rounded)
      const { credentials } = exchange
      const scope = requestScope.getStore()
      const made = madeBy(method, exchange.body)
      this.sent.add({ method, path, credentials, requestBody: sentBody, made, scope }, exchange)
      return { exchange, retryAfter: reply.retryAfter }
    } catch (error) {
      if (error instanceof Error && 'timeout' in error) this.unanswered++
      if (error instanceof TooLarge) this.#addLarge(mostReplyBytes, request)
      const why = explain(error as NodeJS.ErrnoException & { timeout?: number })
      throw new TransportError(method, path, why, error)
    } finally {
      this.waited += performance.now() - start
    }
  }

  /** Counts the read bytes of a large reply. */
  #addLarge(bytes: number, { method, path }: Outgoing): void {
    this.#largeBytes += bytes
    if (this.#largeBytes <= mostLargeBytes || this.tooMuch !== undefined) return
    this.tooMuch = new TooMuchRead(`${method} ${path}`)
    this.onTooMuch?.(this.tooMuch)
  }
}

/** The list that a request reads as a whole; `undefined` for other requests. */
function wholeListIn(path: string): string | undefined {
  const [list = '', query = ''] = path.split('?')
  const isWhole = !/(^|&)(_limit|pipeline_uuid)=/.test(query)
  return isWhole && (list === '/api/pipelines' || list === '/api/backfills') ? list : undefined
}

function withPage(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}_limit=100`
}

/** Maximum time of the repetitions of a request after a rate limit, as a multiple of the timeout. */
const patience = 6

/** Returns whether a reply limits the rate; the specification has no code and no type for that. */
function isRateLimit({ httpStatus, code, error }: Exchange): boolean {
  const names = /^(?:rate_?limit|too_?many_?requests|throttl)/i
  return httpStatus === 429 || code === 429 || (typeof error?.type === 'string' && names.test(error.type))
}

/** Maximum number of sessions for one request. */
const mostSessions = 4

/** Maximum number of repetitions while the target is unavailable. */
const mostUnavailable = 4

/** Reports whether an error means that the service is temporarily unavailable. */
function isUnavailable({ httpStatus, code }: Exchange): boolean {
  return httpStatus === 200 && code === 503
}

/** The place of the key in a request. */
function keyPlace(
  { keyIn }: Credentials,
  variant: RequestVariant | undefined,
  body: unknown,
): KeyPlace | undefined {
  const place = variant?.keyIn ?? keyIn
  return place === 'body' && !isObject(body) ? keyIn : place
}

function withKey(
  path: string,
  { apiKey }: Credentials,
  keyIn: KeyPlace | undefined,
  isFirst: boolean,
): string {
  if (apiKey === undefined || keyIn !== 'query') return path
  const [address, query] = path.split('?')
  const key = `api_key=${encodeURIComponent(apiKey)}`
  if (query === undefined) return `${path}?${key}`
  return isFirst ? `${address}?${key}&${query}` : `${path}&${key}`
}

function credentialHeaders(
  { apiKey, token, raw, tokenIn }: Credentials,
  keyIn: KeyPlace | undefined,
  variant: RequestVariant | undefined,
): Record<string, string> {
  const isElsewhere = keyIn === 'query' || keyIn === 'body'
  return {
    ...(apiKey === undefined || isElsewhere ? {} : { 'X-API-KEY': apiKey }),
    ...((variant?.tokenIn ?? tokenIn) === 'cookie' && raw !== undefined
      ? {
          Cookie: `${variant?.cookies?.[0] ?? ''}oauth_token=${raw}${variant?.cookies?.[1] ?? ''}`,
        }
      : token === undefined
        ? {}
        : { 'OAUTH-TOKEN': token, Cookie: '' }),
  }
}

function explain(error: NodeJS.ErrnoException & { timeout?: number }): string {
  if (error instanceof TooLarge || error instanceof Rounded) return error.message
  // JSON may be too deep for a recursive program.
  if (error instanceof RangeError) return 'the reply is nested too deeply to be read'
  if (error.timeout !== undefined) return `no answer within ${error.timeout} ms`
  // Some runtimes have the code in the message only.
  switch (error.code ?? /^E[A-Z]+/.exec(error.message)?.[0]) {
    case 'ECONNREFUSED':
      return 'nothing listens there; start the server, or correct the URL'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name is not known; correct the URL'
    case 'ECONNRESET':
    case 'HPE_INVALID_CONSTANT':
      return 'the connection was dropped'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `its certificate is not trusted (${error.code}); pass its authority's certificate as a PEM file with --ca, or in the environment variable NODE_EXTRA_CA_CERTS`
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return 'it does not speak HTTPS there; try http:// in the URL'
    default:
      return error.message
  }
}
