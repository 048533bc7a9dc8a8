import supertest from 'supertest'
import { curlLine, type Secrets } from './redact.ts'

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

/** Sends requests to a target by its base URL, and keeps count. */
export class Client {
  requests = 0
  /** Milliseconds spent waiting for replies. */
  waited = 0
  credentials: Credentials
  readonly exchanges: Exchange[] = []
  readonly #target: string
  readonly #timeout: number
  readonly #secrets: Secrets

  constructor(target: string, credentials: Credentials, timeout: number, secrets: Secrets) {
    this.#target = target
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
    const { token: _, ...onlyKey } = this.credentials
    const sent = { false: {}, key: onlyKey, true: this.credentials }[`${options.credentials ?? true}`]
    const path = withKey(plainPath, sent)
    const headers: Record<string, string> = {
      ...credentialHeaders(sent),
      ...options.headers,
    }
    const call = supertest(this.#target)
      [method.toLowerCase() as 'get'](path)
      .set(headers)
      .timeout(this.#timeout)
      .redirects(0)
      .ok(() => true)
      .buffer(true)
      .parse((response, done) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => done(null, text))
      })
    this.requests++
    const start = performance.now()
    try {
      const reply = await (options.body === undefined
        ? call
        : call.set('Content-Type', 'application/json').send(JSON.stringify(options.body)))
      const exchange = toExchange(method, path, options.body, headers, reply, this.#target, this.#secrets)
      this.exchanges.push(exchange)
      return exchange
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
  method: string,
  path: string,
  requestBody: unknown,
  headers: Readonly<Record<string, string>>,
  reply: supertest.Response,
  target: string,
  secrets: Secrets,
): Exchange {
  const text = typeof reply.body === 'string' ? reply.body : ''
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  secrets.learn(body)
  for (const value of Object.values(headers)) secrets.add(value.replace(/^(Bearer |oauth_token=)/, ''))
  return {
    method,
    path,
    requestBody,
    httpStatus: reply.status,
    contentType: String(reply.headers['content-type'] ?? ''),
    text,
    body,
    code: error ? Number(error.code) : 200,
    error,
    credentials: headers,
    curl: curlLine(target, method, path, headers, requestBody, secrets),
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

/** Tells whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
