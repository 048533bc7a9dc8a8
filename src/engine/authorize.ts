import type { Switches } from '../assumptions/switches.ts'
import type { Model } from '../factories/model.ts'
import type { Operation, WireRecord } from '../resources/define-resource.ts'
import { ApiError } from '../wire/errors.ts'
import type { UnderstudyRequest } from './messages.ts'
import type { Tokens } from './tokens.ts'

/** What is checked: nothing, the API key, or the API key and an OAuth token (`auth-mode`). */
export type AuthMode = 'open' | 'key' | 'login'

export interface Gate {
  readonly mode: AuthMode
  readonly apiKeys: ReadonlySet<string>
  readonly model: Model
  readonly tokens: Tokens
  readonly switches: Switches
}

/** What a request presents: a decoded token, or a raw one. */
interface Presented {
  readonly token: string
  readonly isRaw: boolean
}

/**
 * Checks a request's credentials and finds its user (the document, "Authentication").
 *
 * @throws ApiError `invalid_api_key`, `unauthorized_access`, `invalid_oauth_token` or `expired_oauth_token`.
 */
export function authorize(
  gate: Gate,
  operation: Operation,
  request: UnderstudyRequest,
  search: string,
  body: () => unknown,
): WireRecord | undefined | Promise<WireRecord | undefined> {
  if (operation.credentials === 'none') return undefined
  if (gate.mode !== 'open') checkApiKey(gate, request, search, body)
  const needsToken = gate.mode === 'login' && operation.credentials !== 'api-key'
  const presented = readPresented(request, gate.switches)
  if (presented === undefined) {
    if (needsToken)
      throw new ApiError('unauthorized_access', 'An OAuth token is needed; create a session to get one.')
    return undefined
  }
  const decoded = decode(gate, presented)
  return decoded instanceof Promise
    ? decoded.then((token) => findUser(gate, token, needsToken))
    : findUser(gate, decoded, needsToken)
}

function checkApiKey(gate: Gate, { headers }: UnderstudyRequest, search: string, body: () => unknown): void {
  const key = headers?.['x-api-key'] ?? new URLSearchParams(search).get('api_key') ?? bodyKey(body)
  if (typeof key === 'string' && (gate.apiKeys.has(key) || gate.apiKeys.has(withoutWorld(key)))) return
  const reason = key === undefined || key === null ? 'No API key was sent' : 'The API key is not known'
  throw new ApiError('invalid_api_key', `${reason}; send it as api_key or in the header X-API-KEY.`)
}

/** The key of an API key that names a world too: `key~world`. */
function withoutWorld(key: string): string {
  const mark = key.lastIndexOf('~')
  return mark === -1 ? key : key.slice(0, mark)
}

function bodyKey(body: () => unknown): unknown {
  try {
    const value = body()
    return typeof value === 'object' && value !== null ? (value as { api_key?: unknown }).api_key : undefined
  } catch {
    // A body that cannot be read carries no key; what is wrong with it is said once the key is right.
    return undefined
  }
}

function readPresented({ headers }: UnderstudyRequest, switches: Switches): Presented | undefined {
  if (headers === undefined) return undefined
  const { 'oauth-token': decoded, authorization, cookie } = headers
  if (typeof decoded === 'string') return { token: decoded, isRaw: false }
  const token = bearerOf(authorization)
  if (token !== undefined) {
    return { token, isRaw: switches.bearer === 'decoded or raw' && token.split('.').length === 3 }
  }
  const raw = typeof cookie === 'string' ? /(?:^|;\s*)oauth_token=([^;]*)/.exec(cookie)?.[1] : undefined
  return raw === undefined ? undefined : { token: raw.trim(), isRaw: true }
}

/** The credential of an `Authorization: Bearer` header. */
export function readBearer({ headers }: UnderstudyRequest): string | undefined {
  return bearerOf(headers?.authorization)
}

function bearerOf(authorization: string | readonly string[] | undefined): string | undefined {
  if (typeof authorization !== 'string' || !/^bearer /i.test(authorization)) return undefined
  return authorization.slice('bearer '.length).trim()
}

function decode({ tokens }: Gate, { token, isRaw }: Presented) {
  return isRaw ? tokens.read(token) : token
}

function findUser({ model }: Gate, token: string | undefined, needsToken: boolean): WireRecord | undefined {
  const record = token === undefined ? undefined : model.table('oauth_access_tokens').get(token)
  const isExpired = record !== undefined && String(record.expires) <= model.now()
  if (needsToken && record === undefined)
    throw new ApiError('invalid_oauth_token', 'The OAuth token is not known.')
  if (needsToken && isExpired) {
    throw new ApiError(
      'expired_oauth_token',
      'The OAuth token has expired; create a session to get a new one.',
    )
  }
  return record === undefined || isExpired ? undefined : model.table('users').get(String(record.user_id))
}
