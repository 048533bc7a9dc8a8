import { adminPath, defaultUrl } from '../../shared/addresses.ts'
import { isError } from '../../shared/built-ins.ts'
import type { Flaw } from '../../shared/issues.ts'
import { tryParseJson } from '../../shared/json.ts'
import { isProblemCode } from '../../shared/problem-status.ts'
import { withoutTrailingSlashes } from '../../shared/urls.ts'
import { isObject, required } from '../../shared/values.ts'
import { ClientError } from './client-error.ts'

/** A call to the admin API, without its path. */
export interface Call {
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly signal?: AbortSignal
}

export interface AdminTransport {
  /** The server, without a slash at its end. */
  readonly url: string
  /** Sends a request as it is. */
  readonly fetch: (input: string | Request, init?: RequestInit) => Promise<Response>
  /** Calls and returns the JSON of the reply; `undefined` if it has no body. */
  send<Reply = unknown>(method: string, path: string, call?: Call): Promise<Reply>
  /** Calls and returns true for a success and false for status 404. */
  attempt(method: string, path: string): Promise<boolean>
  /** Calls and returns the body of the reply as a stream. */
  open(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

export function createTransport(
  base: string | URL,
  adminToken: string | undefined,
  // A tool may replace it later.
  fetch: AdminTransport['fetch'] = (...given) => globalThis.fetch(...given),
): AdminTransport {
  const url = readServer(base)
  const request = async (method: string, path: string, { body, query = {}, signal }: Call = {}) => {
    const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
    }
    const response = await fetch(`${url}${adminPath}${path}${search}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      throw unreachable(url, error)
    })
    if (response.ok) return response
    throw await refusal(response, url)
  }
  return {
    url,
    fetch,
    async send(method, path, call) {
      const response = await request(method, path, call)
      const text = await response.text().catch((error: unknown) => {
        throw unreachable(url, error)
      })
      return (text === '' ? undefined : readJson(text, url)) as never
    },
    async attempt(method, path) {
      return request(method, path).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ClientError && error.status === 404) return false
          throw error
        },
      )
    },
    async open(path, signal) {
      return required((await request('GET', path, { signal })).body, 'a body')
    },
  }
}

/** The URL of the server; on a page it may be relative to the URL of the page. */
function readServer(base: string | URL): string {
  const page = globalThis.location?.href
  const text = String(base)
  const url = URL.canParse(text, page) ? new URL(text, page) : undefined
  const isServer = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (isServer && !/\/(?:api|__understudy__)(?:\/|$)/.test(url.pathname))
    return withoutTrailingSlashes(url.href)
  throw new ClientError(
    'OPTION_INVALID',
    `createClient: expected the URL of a server, such as ${defaultUrl}, without /api; found ${JSON.stringify(text)}.`,
  )
}

export function pathOf(...segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

/** Codes of connections that have broken off. */
const connectionLost = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|UND_ERR_HEADERS_TIMEOUT)$/

/** The error for a server that does not answer, or whose answer breaks off. */
export function unreachable(url: string, cause: unknown): ClientError {
  const inner = isError(cause) ? (cause.cause ?? cause) : cause
  const { code = '', message }: Readonly<Record<string, unknown>> = isObject(inner) ? inner : {}
  if (connectionLost.test(String(code))) {
    const detail = `The connection to ${url} broke off before there was a reply (${message}).`
    return new ClientError('UNREACHABLE', detail, undefined, { cause })
  }
  const detail = `Nothing answers at ${url}. Is \`pipeline-understudy serve\` running there?`
  return new ClientError('UNREACHABLE', detail, undefined, { cause })
}

/** Creates a transport whose first call creates the world, as the first use in the same process does. */
export function inWorld(transport: AdminTransport, name: string): AdminTransport {
  if (name === 'main') return transport
  const orCreate = async <Reply>(call: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ClientError && error.status === 404)) throw error
      // If the world already exists, something else was missing.
      await transport.send('POST', '/worlds', { body: { name } }).catch((refused: ClientError) => {
        throw refused.status === 409 ? error : refused
      })
      return call()
    }
  }
  return {
    url: transport.url,
    fetch: transport.fetch,
    send: (...given) => orCreate(() => transport.send(...given)),
    attempt: (...given) => transport.attempt(...given),
    open: (...given) => orCreate(() => transport.open(...given)),
  }
}

function readJson(text: string, url: string): unknown {
  const value = tryParseJson(text)
  if (!isObject(value)) throw notAnAdmin(url)
  return value
}

/** Creates the error for a server whose answer is not one of the admin API. */
export function notAnAdmin(url: string): ClientError {
  return new ClientError(
    'NOT_AN_ADMIN',
    `${url} answers, but not as the admin API of the mock server. Is it \`pipeline-understudy serve\` without --no-admin, or createApp(understudy, { admin: true })?`,
  )
}

async function refusal(response: Response, url: string): Promise<ClientError> {
  if (!response.headers.get('content-type')?.includes('problem+json')) return notAnAdmin(url)
  const { detail, code, errors }: { detail: string; code?: string; errors?: Flaw[] } = await response.json()
  const way = response.status === 401 ? ' Pass it as createClient(url, { adminToken }).' : ''
  return new ClientError(isProblemCode(code) ? code : 'REFUSED', `${detail}${way}`, response.status, {
    flaws: errors ?? [],
  })
}
