import type { RuleId } from '../rules/index.ts'
import { type Client, type Exchange, TransportError } from './client.ts'
import { decodedToken } from './decoded-token.ts'
import { isObject } from './is-object.ts'
import { CannotVerify, type CheckOptions, type Checks, credentialsOf } from './options.ts'
import { type ReceivedRecord, recordIn } from './replies.ts'

/** What the first look finds. */
export interface Preflight extends Checks {
  /** The uuids of the pipelines that are there. */
  readonly pipelines: ReadonlySet<string>
  /** Where the target does otherwise than the document says with the credentials that it gives. */
  readonly deviation?: PreflightDeviation | undefined
}

/** A rule that the first look saw broken. */
export interface PreflightDeviation {
  readonly id: RuleId
  readonly exchange: Exchange
  readonly received: unknown
  readonly expected: string
  /** Why nothing else can be judged; absent where judging goes on. */
  readonly blocks?: string | undefined
}

/** Sees whether the target is reachable and of this API, signs in, and finds out which credentials it checks. */
export async function runPreflight(
  client: Client,
  options: Omit<CheckOptions, 'target'>,
): Promise<Preflight> {
  try {
    let first = await client.send('GET', '/api/pipelines')
    if (!isLetIn(first) && options.apiKey !== undefined && first.error?.type !== 'unauthorized_access') {
      // The document states the query parameter; only its samples show the header.
      client.credentials = { ...client.credentials, keyIn: 'query' }
      const second = await client.send('GET', '/api/pipelines')
      if (!isLetIn(second) && second.error?.type === first.error?.type) {
        client.credentials = credentialsOf(options)
      } else first = second
    }
    checkApi(first)
    const { tokens, keys } = await findChecks(client, options)
    const signsIn = tokens && options.token === undefined && options.email !== undefined
    const unsigned = signsIn ? await signIn(client, options) : undefined
    if (!tokens) await checkUser(client, options)
    const list = await client.send('GET', '/api/pipelines')
    const deviation = unsigned ?? (signsIn ? await tryInCookie(client, list) : undefined)
    if (deviation === undefined && !isLetIn(list)) {
      throw new CannotVerify(client.redact(`The target refuses the list of pipelines: ${refusalOf(first)}`))
    }
    const { keyIn } = client.credentials
    const pipelines = new Set((pipelinesIn(list) ?? []).map(({ uuid }) => String(uuid)))
    return { keys, tokens, pipelines, deviation, ...(keyIn && { keyIn }) }
  } catch (error) {
    if (error instanceof TransportError) throw new CannotVerify(client.redact(error.message))
    throw error
  }
}

/** The pipelines of a reply, also where nothing wraps their list: a target may be wrong in that as well. */
function pipelinesIn({ body }: Exchange): ReceivedRecord[] | undefined {
  const list = isObject(body) ? body.pipelines : body
  return Array.isArray(list) && list.every((each) => isObject(each) && typeof each.uuid === 'string')
    ? (list as ReceivedRecord[])
    : undefined
}

/** Tells whether the list came, in whatever form. */
function isLetIn(exchange: Exchange): boolean {
  const { body } = exchange
  return (isObject(body) && body.pipelines !== undefined) || pipelinesIn(exchange) !== undefined
}

/** The keys under which services commonly report an error. */
const errorKeys = ['error', 'errors', 'detail', 'message', 'code', 'fault']

function checkApi(exchange: Exchange): void {
  const { body, contentType, httpStatus } = exchange
  if (body === undefined) {
    const kind = contentType.includes('html') ? 'HTML' : contentType || 'something without a content type'
    throw new CannotVerify(
      `GET /api/pipelines answers ${kind} with HTTP ${httpStatus}; this API answers JSON.`,
    )
  }
  if (isLetIn(exchange)) return
  if (!isObject(body)) {
    throw new CannotVerify('GET /api/pipelines answers JSON that is no object: this is another API.')
  }
  const isOfThisApi = errorKeys.some((key) => Object.hasOwn(body, key))
  if (!isOfThisApi) {
    throw new CannotVerify('GET /api/pipelines answers JSON without pipelines or error: this is another API.')
  }
}

/** Finds out which credentials the target checks; what its owner expects of it is not asked, but judged. */
async function findChecks(
  client: Client,
  { apiKey, expect }: Omit<CheckOptions, 'target'>,
): Promise<Pick<Checks, 'keys' | 'tokens'>> {
  if (expect !== undefined)
    return { keys: expect !== 'open' && apiKey !== undefined, tokens: expect === 'login' }
  const foreignRecords = await client.send('GET', '/api/pipelines', {
    credentials: false,
    headers: { 'X-API-KEY': 'no-such-key' },
  })
  const keys =
    !isLetIn(foreignRecords) && apiKey !== undefined && foreignRecords.error?.type !== 'unauthorized_access'
  const keyOnly = await client.send('GET', '/api/pipelines', { credentials: 'key' })
  return { keys, tokens: !isLetIn(keyOnly) }
}

/** Signs in; where a session is opened that shows its token elsewhere, or none, that is said. */
async function signIn(
  client: Client,
  { email, password }: Omit<CheckOptions, 'target'>,
): Promise<PreflightDeviation | undefined> {
  const opened = await client.send('POST', '/api/sessions', { body: { session: { email, password } } })
  const { error, httpStatus } = opened
  if (error !== undefined || httpStatus >= 400) {
    const said = String(error?.message ?? error?.type ?? error?.code ?? `HTTP ${httpStatus}`)
    throw new CannotVerify(client.redact(signInFailed(email, said)))
  }
  const stated = recordIn(opened, 'session')?.token
  const raw = typeof stated === 'string' ? stated : tokenWithin(opened.body)
  if (raw !== undefined) client.credentials = { ...client.credentials, token: decodedToken(raw), raw }
  if (raw === stated) return undefined
  return {
    id: 'create-session/accepted',
    exchange: opened,
    received: opened.body ?? opened.text,
    expected: 'a session with its raw token under the key `token`',
    ...(raw === undefined && { blocks: 'The session that was opened shows no token to go on with.' }),
  }
}

/** Sees that a user who is not needed to get in is known all the same: rules would be called broken for a misspelt password. */
async function checkUser(
  client: Client,
  { email, password, readOnly }: Omit<CheckOptions, 'target'>,
): Promise<void> {
  if (email === undefined || password === undefined || readOnly === true) return
  const { error } = await client.send('POST', '/api/sessions', { body: { session: { email, password } } })
  // Any other refusal is the target's, and is judged.
  if (error?.type === 'record_not_found')
    throw new CannotVerify(client.redact(signInFailed(email, String(error.message ?? error.type))))
}

function signInFailed(email: string | undefined, said: string): string {
  return `Signing in as ${email} failed: ${said.replace(/(?<!\.)\.+$/, '')}. Check --email and --password.`
}

/** The first token at whatever depth of a reply. */
function tokenWithin(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = key === 'token' && typeof inner === 'string' && inner !== '' ? inner : tokenWithin(inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** Shows the raw token in the cookie where the list was refused with the decoded one. */
async function tryInCookie(client: Client, refused: Exchange): Promise<PreflightDeviation | undefined> {
  if (isLetIn(refused)) return undefined
  const { apiKey, keyIn } = client.credentials
  client.credentials = { ...client.credentials, tokenIn: 'cookie' }
  const list = await client.send('GET', '/api/pipelines')
  const received = refused.error === undefined ? refused.body : { error: refused.error }
  if (isLetIn(list))
    return {
      id: 'list-pipelines/credentials',
      exchange: refused,
      received,
      expected: 'a success with the decoded token, as there is one with the raw one',
    }
  // It may be the key that is wrong: without one nothing can be said of the token.
  if (apiKey === undefined && keyIn === undefined) return undefined
  return {
    id: 'create-session/accepted',
    exchange: list,
    received,
    expected: 'a token that lets in',
    blocks: 'The target refuses the token of the session that it has just opened.',
  }
}

/** What a refusal says, and what there is to do: another path where nothing is at this one, else other credentials. */
function refusalOf({ error, httpStatus }: Exchange): string {
  const isNowhere = httpStatus === 404 || error?.code === 404 || error?.type === 'record_not_found'
  const wayOut = isNowhere
    ? 'Nothing is at /api/pipelines below the URL that was given: check the path in it.'
    : 'Pass --api-key, and --email with --password.'
  const said = error === undefined ? `HTTP ${httpStatus}` : (error.message ?? error.type ?? error.code)
  return `${String(said).replace(/(?<!\.)\.+$/, '')}. ${wayOut}`
}
