import type { RuleId } from '../rules/index.ts'
import type { Client, Credentials, Exchange } from './client.ts'
import { isObject } from './is-object.ts'
import { CannotVerify, type CheckOptions } from './options.ts'
import { listIn, type ReceivedRecord, rawTokenIn } from './replies.ts'
import { type TokenEncoding, tokenEncodings, withSession } from './token-encodings.ts'

/** A rule that the preflight requests violate. */
export interface PreflightDeviation {
  readonly id: RuleId
  readonly exchange: Exchange
  readonly received: unknown
  readonly expected: string
  /** Why the run cannot continue; absent if it can. */
  readonly blocks?: string | undefined
}

/** The pipelines of a reply, also where nothing wraps their list: "The list response shape: not shown". */
export function pipelinesIn({ body }: Exchange): ReceivedRecord[] | undefined {
  const list = isObject(body) ? body.pipelines : body
  return Array.isArray(list) && list.every((each) => isObject(each) && typeof each.uuid === 'string')
    ? (list as ReceivedRecord[])
    : undefined
}

/** Returns whether the reply contains a list, in any form. */
export function isLetIn(exchange: Exchange): boolean {
  const { body } = exchange
  return (isObject(body) && body.pipelines !== undefined) || pipelinesIn(exchange) !== undefined
}

/** Signs in, and detects the encoding of the raw token. Returns undefined if the session is usable. */
export async function signIn(
  client: Client,
  options: Omit<CheckOptions, 'target'>,
  refusal: Exchange,
): Promise<PreflightDeviation | undefined> {
  const opened = await openSession(client, options)
  const raw = rawTokenIn(opened)
  if (raw === undefined)
    return {
      id: 'create-session/accepted',
      exchange: opened,
      received: opened.body ?? opened.text,
      expected: 'a session with its raw token under the key `token`',
      blocks: 'The new session has no key `token`, so no further request can be authenticated.',
    }
  const deviation = await useToken(client, raw)
  client.renewSession = sessionRenewal(client, options, refusal)
  return deviation
}

function requestSession(
  client: Client,
  { email, password }: Omit<CheckOptions, 'target'>,
): Promise<Exchange> {
  return client.send('POST', '/api/sessions', { body: { session: { email, password } }, credentials: 'key' })
}

/**
 * Opens a session.
 *
 * @throws CannotVerify where the target refuses it.
 */
async function openSession(client: Client, options: Omit<CheckOptions, 'target'>): Promise<Exchange> {
  const opened = await requestSession(client, options)
  const { error, httpStatus } = opened
  if (error === undefined && httpStatus < 400) return opened
  const reason = String(error?.message ?? error?.type ?? error?.code ?? `HTTP ${httpStatus}`)
  throw new CannotVerify(
    client.redact(
      (await isUnknownPath(client, opened)) ? noSessionPath(reason) : signInFailed(options.email, reason),
    ),
  )
}

/** Returns whether the target refuses a sign-in like a request to a path that does not exist. */
async function isUnknownPath(client: Client, refused: Exchange): Promise<boolean> {
  const nowhere = await client.send('POST', '/api/no_such_resource', {
    body: refused.requestBody,
    credentials: 'key',
  })
  return (
    nowhere.error?.code === refused.error?.code &&
    nowhere.error?.type === refused.error?.type &&
    withoutPath(nowhere) === withoutPath(refused)
  )
}

function withoutPath({ error, path }: Exchange): string {
  return String(error?.message).replaceAll(path, '')
}

/** Finds the encoding in which the target accepts the token, else uses the raw token in the cookie. */
async function useToken(client: Client, raw: string): Promise<PreflightDeviation | undefined> {
  const base = client.credentials
  let refused: Exchange | undefined
  for (const encoding of tokenEncodings) {
    const token = encoding.decode(raw)
    if (token === undefined) continue
    client.credentials = { ...base, token, raw, encoding }
    const list = await client.send('GET', '/api/pipelines')
    if (isLetIn(list)) return undefined
    refused ??= list
  }
  client.credentials = { ...base, raw, tokenIn: 'cookie' }
  const list = await client.send('GET', '/api/pipelines')
  if (isLetIn(list)) return decodedElsewhere(client, raw, refused ?? list)
  // The key may be the wrong credential: without one, a refusal shows nothing about the token.
  if (base.apiKey === undefined && base.keyIn === undefined) return undefined
  return {
    id: 'authentication/raw-token-cookie',
    exchange: list,
    received: list.error === undefined ? list.body : { error: list.error },
    expected: 'a success with the raw token of the new session',
    blocks: 'The target refuses the token of the session that it has just opened.',
  }
}

/**
 * A decoded token that the target lists as its own must work in its header; for an unknown encoding, there is no
 * expectation.
 */
async function decodedElsewhere(
  client: Client,
  raw: string,
  refused: Exchange,
): Promise<PreflightDeviation | undefined> {
  const listed = listIn(await client.send('GET', '/api/oauth_access_tokens'), 'oauth_access_tokens') ?? []
  const encoding = tokenEncodings.find((each) => {
    const token = each.decode(raw)
    return token !== undefined && token !== raw && listed.some((one) => one.token === token)
  })
  if (encoding === undefined) return undefined
  client.credentials = { ...client.credentials, token: encoding.decode(raw), encoding }
  return {
    id: 'authentication/decoded-token-header',
    exchange: refused,
    received: refused.error === undefined ? refused.body : { error: refused.error },
    expected: 'a success with the decoded token, as with the raw one',
  }
}

/** Maximum number of repeated sign-ins of a run. */
const mostRenewals = 100

/**
 * Signs in again if the target refuses a request like one without a token, and does the same to a request that it accepted
 * before.
 */
function sessionRenewal(
  client: Client,
  options: Omit<CheckOptions, 'target'>,
  refusal: Exchange,
): Client['renewSession'] {
  let left = mostRenewals
  let renewing: Promise<boolean> | undefined
  const renew = async (): Promise<boolean> => {
    if (left-- <= 0) return false
    const headers = sessionHeaders(client.credentials)
    // The credentials as given headers, so this request does not renew the session.
    if (isLetIn(await client.send('GET', '/api/pipelines', { credentials: 'key', headers }))) return false
    const raw = rawTokenIn(await requestSession(client, options))
    if (raw !== undefined) client.credentials = withSession(client.credentials, raw)
    return raw !== undefined
  }
  return async ({ error }, used) => {
    const isAlike =
      error?.code === refusal.error?.code ||
      error?.type === refusal.error?.type ||
      error?.code === 401 ||
      error?.code === 403
    if (!isAlike) return false
    const isOutdated = client.credentials.raw !== used.raw
    if (isOutdated) return true
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
    return renewing
  }
}

/** Checks the user of a target that needs no session: rules would fail for a misspelt password. */
export async function checkUser(client: Client, options: Omit<CheckOptions, 'target'>): Promise<void> {
  const { email, password, readOnly } = options
  if (email === undefined || password === undefined || readOnly === true) return
  const opened = await requestSession(client, options)
  // Rules check any other refusal.
  if (opened.error?.type !== 'record_not_found' || (await isUnknownPath(client, opened))) return
  throw new CannotVerify(
    client.redact(signInFailed(email, String(opened.error.message ?? opened.error.type))),
  )
}

/** The headers that carry a session. */
export function sessionHeaders({ token, raw, tokenIn }: Credentials): Readonly<Record<string, string>> {
  if (token !== undefined && tokenIn !== 'cookie') return { 'OAUTH-TOKEN': token, Cookie: '' }
  return raw === undefined ? {} : { Cookie: `oauth_token=${raw}` }
}

/** Returns the encoding of a raw token, if the target lists the encoded token; undefined if it is unknown. */
export async function findEncoding(client: Client, raw: string): Promise<TokenEncoding | undefined> {
  for (const encoding of tokenEncodings) {
    const token = encoding.decode(raw)
    if (token === undefined) continue
    const list = await client.send('GET', '/api/oauth_access_tokens', {
      credentials: 'key',
      headers: { 'OAUTH-TOKEN': token },
    })
    if (listIn(list, 'oauth_access_tokens')?.some((one) => one.token === token)) return encoding
  }
  return undefined
}

function signInFailed(email: string | undefined, reason: string): string {
  return `Signing in as ${email} failed: ${reason.replace(/(?<!\.)\.+$/, '')}. Check --email and --password.`
}

function noSessionPath(reason: string): string {
  return `POST /api/sessions is refused like a path that does not exist: ${reason.replace(/(?<!\.)\.+$/, '')}. The specification does not show where sessions are created: create one and pass its decoded token with --token, without --email and --password.`
}
