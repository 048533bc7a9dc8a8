import { type Client, type Exchange, TransportError } from './client.ts'
import { isObject } from './is-object.ts'
import { CannotVerify, type CheckOptions, type Checks, credentialsOf } from './options.ts'
import { checkUser, isLetIn, type PreflightDeviation, pipelinesIn, signIn } from './session.ts'

/** Result of the preflight requests. */
export interface Preflight extends Checks {
  /** The uuids of the existing pipelines. */
  readonly pipelines: ReadonlySet<string>
  /** Violation of a rule about the credentials of the new session. */
  readonly deviation?: PreflightDeviation | undefined
}

/** Tests whether the target is reachable and serves this API, signs in, and determines the checked credentials. */
export async function runPreflight(
  client: Client,
  options: Omit<CheckOptions, 'target'>,
): Promise<Preflight> {
  try {
    let first = await client.send('GET', '/api/pipelines')
    if (!isLetIn(first) && options.apiKey !== undefined && first.error?.type !== 'unauthorized_access') {
      // The specification states the query parameter; only its samples show the header.
      client.credentials = { ...client.credentials, keyIn: 'query' }
      const second = await client.send('GET', '/api/pipelines')
      if (!isLetIn(second) && second.error?.type === first.error?.type) {
        client.credentials = credentialsOf(options)
      } else first = second
    }
    checkApi(first)
    const { tokens, keys, refusal } = await findChecks(client, options)
    const signsIn = tokens && options.token === undefined && options.email !== undefined
    const deviation = signsIn ? await signIn(client, options, refusal) : undefined
    if (!tokens) await checkUser(client, options)
    const list = await client.send('GET', '/api/pipelines')
    if (deviation === undefined && !isLetIn(list)) {
      throw new CannotVerify(
        client.redact(`The target refuses the list of pipelines: ${refusalOf(first, options)}`),
      )
    }
    const { keyIn } = client.credentials
    const pipelines = new Set((pipelinesIn(list) ?? []).map(({ uuid }) => String(uuid)))
    return { keys, tokens, pipelines, deviation, ...(keyIn && { keyIn }) }
  } catch (error) {
    if (error instanceof TransportError)
      throw new CannotVerify(client.redact(`Cannot verify ${client.base}: ${error.message}`))
    throw error
  }
}

/** The keys under which services commonly report an error. */
const errorKeys = ['error', 'errors', 'detail', 'message', 'code', 'fault']

function checkApi(exchange: Exchange): void {
  const { body, contentType, httpStatus, location } = exchange
  if (httpStatus >= 300 && httpStatus < 400 && location !== undefined) {
    throw new CannotVerify(
      `GET /api/pipelines redirects to ${location.replace(/[?#].*/s, '')} (HTTP ${httpStatus}). Pass the URL of the server that it leads to, without /api/pipelines.`,
    )
  }
  if (body === undefined) {
    const kind = contentType.includes('html') ? 'HTML' : contentType || 'something without a content type'
    throw new CannotVerify(
      `GET /api/pipelines answers ${kind} with HTTP ${httpStatus}; this API answers JSON. Check the URL.`,
    )
  }
  if (isLetIn(exchange)) return
  if (!isObject(body)) {
    throw new CannotVerify(
      'GET /api/pipelines answers JSON that is no object: this is another API. Check the URL.',
    )
  }
  const isOfThisApi = errorKeys.some((key) => Object.hasOwn(body, key))
  if (!isOfThisApi) {
    throw new CannotVerify(
      'GET /api/pipelines answers JSON without pipelines or error: this is another API. Check the URL.',
    )
  }
}

/** Determines the credentials that the target checks. If its owner expects others, rules report that later. */
async function findChecks(
  client: Client,
  { apiKey, expect }: Omit<CheckOptions, 'target'>,
): Promise<Pick<Checks, 'keys' | 'tokens'> & { readonly refusal: Exchange }> {
  const keyOnly = await client.send('GET', '/api/pipelines', { credentials: 'key' })
  if (expect !== undefined)
    return {
      keys: expect !== 'open' && apiKey !== undefined,
      tokens: expect === 'login',
      refusal: keyOnly,
    }
  const foreignRecords = await client.send('GET', '/api/pipelines', {
    credentials: false,
    headers: { 'X-API-KEY': 'no-such-key' },
  })
  const keys =
    !isLetIn(foreignRecords) && apiKey !== undefined && foreignRecords.error?.type !== 'unauthorized_access'
  return { keys, tokens: !isLetIn(keyOnly), refusal: keyOnly }
}

/** Describes a refusal with its remedy: another path if nothing is at this one, else other credentials. */
function refusalOf({ error, httpStatus }: Exchange, { apiKey }: Pick<CheckOptions, 'apiKey'>): string {
  const isNowhere = httpStatus === 404 || error?.code === 404 || error?.type === 'record_not_found'
  const wayOut = isNowhere
    ? 'Nothing is at /api/pipelines below the given URL: check its path.'
    : `${apiKey === undefined ? 'Pass' : 'Check'} --api-key, and --email with --password.`
  const reason = error === undefined ? `HTTP ${httpStatus}` : (error.message ?? error.type ?? error.code)
  return `${String(reason).replace(/(?<!\.)\.+$/, '')}. ${wayOut}`
}
