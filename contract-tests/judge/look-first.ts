import { type Client, type Exchange, TransportError } from './client.ts'
import { decodedToken } from './decoded-token.ts'
import { isObject } from './is-object.ts'
import { CannotJudge, type Checks, credentialsOf, type JudgeOptions } from './options.ts'
import { listIn, recordIn } from './replies.ts'

/** What the first look finds. */
export interface FirstLook extends Checks {
  /** The uuids of the pipelines that are there. */
  readonly pipelines: ReadonlySet<string>
}

/** Sees whether the target is reachable and of this API, signs in, and finds out which credentials it checks. */
export async function lookFirst(client: Client, options: Omit<JudgeOptions, 'target'>): Promise<FirstLook> {
  try {
    let first = await client.send('GET', '/api/pipelines')
    if (!isAnswered(first) && options.apiKey !== undefined && first.error?.type !== 'unauthorized_access') {
      // The document states the query parameter; only its samples show the header.
      client.credentials = { ...client.credentials, keyIn: 'query' }
      const second = await client.send('GET', '/api/pipelines')
      if (!isAnswered(second) && second.error?.type === first.error?.type) {
        client.credentials = credentialsOf(options)
      } else first = second
    }
    checkApi(first)
    const { tokens, keys } = await findChecks(client, options)
    if (tokens && options.token === undefined && options.email !== undefined) await signIn(client, options)
    const list = await client.send('GET', '/api/pipelines')
    if (!isAnswered(list)) {
      throw new CannotJudge(
        client.redact(
          `The target refuses the list of pipelines: ${refusalOf(first)} Pass --api-key, and --email with --password.`,
        ),
      )
    }
    const { keyIn } = client.credentials
    const pipelines = new Set((listIn(list, 'pipelines') ?? []).map(({ uuid }) => String(uuid)))
    return { keys, tokens, pipelines, ...(keyIn && { keyIn }) }
  } catch (error) {
    if (error instanceof TransportError) throw new CannotJudge(client.redact(error.message))
    throw error
  }
}

/** Tells whether the list came, whatever form a refusal has: a target may be wrong in that as well. */
function isAnswered({ body }: Exchange): boolean {
  return isObject(body) && Array.isArray(body.pipelines)
}

/** The keys under which services commonly report an error. */
const errorKeys = ['error', 'errors', 'detail', 'message', 'code', 'fault']

function checkApi({ body, contentType, httpStatus }: Exchange): void {
  if (body === undefined) {
    const kind = contentType.includes('html') ? 'HTML' : contentType || 'something without a content type'
    throw new CannotJudge(
      `GET /api/pipelines answers ${kind} with HTTP ${httpStatus}; this API answers JSON.`,
    )
  }
  if (!isObject(body)) {
    throw new CannotJudge('GET /api/pipelines answers JSON that is no object: this is another API.')
  }
  const isOfThisApi = Array.isArray(body.pipelines) || errorKeys.some((key) => Object.hasOwn(body, key))
  if (!isOfThisApi) {
    throw new CannotJudge('GET /api/pipelines answers JSON without pipelines or error: this is another API.')
  }
}

/** Finds out which credentials the target checks; what its owner expects of it is not asked, but judged. */
async function findChecks(
  client: Client,
  { apiKey, expect }: Omit<JudgeOptions, 'target'>,
): Promise<Pick<Checks, 'keys' | 'tokens'>> {
  if (expect !== undefined)
    return { keys: expect !== 'open' && apiKey !== undefined, tokens: expect === 'login' }
  const strangers = await client.send('GET', '/api/pipelines', {
    credentials: false,
    headers: { 'X-API-KEY': 'no-such-key' },
  })
  const keys =
    !isAnswered(strangers) && apiKey !== undefined && strangers.error?.type !== 'unauthorized_access'
  const keyOnly = await client.send('GET', '/api/pipelines', { credentials: 'key' })
  return { keys, tokens: !isAnswered(keyOnly) }
}

async function signIn(client: Client, { email, password }: Omit<JudgeOptions, 'target'>): Promise<void> {
  const opened = await client.send('POST', '/api/sessions', { body: { session: { email, password } } })
  const raw = recordIn(opened, 'session')?.token
  if (typeof raw !== 'string') {
    const said = String(opened.error?.message ?? 'no token came back')
    throw new CannotJudge(client.redact(`Signing in as ${email} failed: ${said}.`))
  }
  client.credentials = { ...client.credentials, token: decodedToken(raw), raw }
}

function refusalOf({ error, httpStatus }: Exchange): string {
  return error === undefined ? `HTTP ${httpStatus}.` : String(error.message ?? error.type ?? error.code)
}
