import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { createClient } from '../../admin/client/create-client.ts'
import { notAnAdmin } from '../../admin/client/transport.ts'
import type { RemoteWorld } from '../../admin/client/types.ts'
import { defaultUrl } from '../../shared/addresses.ts'
import { apiKeyLocations, tokenLocations, worldHeader } from '../../shared/credentials.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { withoutTrailingSlashes } from '../../shared/urls.ts'
import { type Finding, good, warning, wrong } from './finding.ts'
import { type ProbedReply, sendProbe } from './send-probe.ts'

export interface AddressOptions {
  /** The address of the mock server itself, for the admin API. Default: the same. */
  readonly server?: string | undefined
  readonly adminToken?: string | undefined
}

const entrySchema = z.object({
  path: z.string(),
  request: z.object({ headers: z.record(z.string(), z.string()), body: z.optional(z.unknown()) }),
})

type ReceivedRequest = z.infer<typeof entrySchema>

/** Checks whether a mock server answers at an address, and which parts of a request reach it through proxies. */
export async function* diagnoseAddress(given: string, options: AddressOptions): AsyncGenerator<Finding> {
  const url = withoutTrailingSlashes(given)
  const misspelt = checkSpelling(url)
  if (misspelt !== undefined) return yield misspelt
  const reply = await sendProbe(`${url}/api/pipelines?_limit=1`)
  yield await checkReply(url, reply)
  if (reply === undefined) return
  const server = options.server ?? url
  // There is no such pipeline, so the request changes nothing, in whichever world it arrives.
  const name = `doctor-${randomUUID()}`
  const path = `/api/pipelines/${name}`
  let received: ReceivedRequest | undefined
  try {
    received = await sendThrough(url + path, name, server, options.adminToken)
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error
    yield warning('admin', `the admin API of ${server}`, {
      expected: 'the requests that arrive through the address',
      found: error.detail,
      way: `Pass the address of the mock server with --server, such as ${defaultUrl}, and its token, if it has one, with --admin-token. A mock without an admin API, such as the Nuxt route of init, allows no further checks.`,
    })
    return
  }
  if (received === undefined)
    yield wrong('arrives', 'the request', {
      expected: `in the request log of ${server}`,
      found: 'no such request',
      way: `Pass the address of the mock server behind ${url} with --server. If ${server} is that server, start it without --journal 0.`,
    })
  else yield* compareRequest(received, path)
}

function checkSpelling(url: string): Finding | undefined {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' }
  if (username !== '' || password !== '')
    return wrong('answers', 'the address', {
      expected: 'an address without credentials',
      found: 'a user before the @',
      way: 'Remove the part before the @. The mock server has its own credentials.',
    })
  if (!url.endsWith('/api')) return undefined
  return wrong('answers', url, {
    expected: `an address without /api, because all paths begin with it: ${url.slice(0, -'/api'.length)}`,
    found: url,
    way: `Remove /api from the address, here and in the app. With it, requests go to ${url}/api/pipelines.`,
  })
}

async function checkReply(url: string, reply: ProbedReply | undefined): Promise<Finding> {
  const expected = 'a mock server that answers GET /api/pipelines'
  if (reply === undefined) {
    const way = 'Start `pipeline-understudy serve` and the proxy, or correct the address.'
    return wrong('answers', url, { expected, found: 'nothing answers', way })
  }
  if (reply.isEnvelope) return good('answers', url, 'answers in the format of the API')
  const found = `HTTP ${reply.httpStatus}, ${reply.type}, which is not the format of the API`
  const underApiTwice = await sendProbe(`${url}/api/api/pipelines?_limit=1`)
  const way = underApiTwice?.isEnvelope
    ? 'The proxy removes /api. Remove the rewrite rule, so that it forwards paths unchanged.'
    : 'Let the proxy forward /api to the mock server without changing paths, or correct the address.'
  return wrong('answers', url, { expected, found, way })
}

const keyHeader = apiKeyLocations.header.name.toLowerCase()
const sentBody = JSON.stringify({ pipeline: { name: 'doctor' } })

/** The headers and credentials that an application may send, with invented values. */
function headersFor(world: string): Readonly<Record<string, string>> {
  const { header, bearer, cookie } = tokenLocations
  return {
    [worldHeader]: world,
    [keyHeader]: `doctor~${world}`,
    [header.name.toLowerCase()]: 'doctor',
    [bearer.name.toLowerCase()]: `${bearer.scheme} doctor`,
    cookie: `${cookie.name}=doctor`,
  }
}

/**
 * Sends everything that an application may send, to a separate world, and returns the request as the mock server received
 * it; `undefined` if it did not. If a proxy removes headers, the query still names the world.
 */
async function sendThrough(
  url: string,
  name: string,
  server: string,
  adminToken: string | undefined,
): Promise<ReceivedRequest | undefined> {
  const understudy = createClient(server, adminToken === undefined ? {} : { adminToken })
  const world = await understudy.worlds.create(name)
  try {
    await sendProbe(`${url}?${new URLSearchParams({ api_key: `doctor~${name}` })}`, {
      method: 'PUT',
      headers: { ...headersFor(name), 'content-type': 'application/json' },
      body: sentBody,
    })
    const entries = [...(await readJournal(server, understudy)), ...(await readJournal(server, world))]
    return entries.findLast((entry) => entry.path.endsWith(name))
  } finally {
    await understudy.worlds.delete(name)
  }
}

/** Reads the journal of a world. The reply may come from another server, so this validates it. */
async function readJournal(server: string, { journal }: RemoteWorld): Promise<ReceivedRequest[]> {
  const { success, data } = z.array(entrySchema).safeParse(await journal.entries())
  if (!success) throw notAnAdmin(server)
  return data
}

/** Compares the received request with the sent one. */
function* compareRequest({ path, request }: ReceivedRequest, sentPath: string): Generator<Finding> {
  if (path === sentPath) yield good('path', 'the path', 'arrives unchanged')
  else {
    const way = path.startsWith('/api/api/')
      ? 'The proxy adds a second /api. Remove /api from its target.'
      : 'Let the proxy forward paths unchanged.'
    yield wrong('path', 'the path', { expected: sentPath, found: path, way })
  }
  const names = Object.keys(headersFor(''))
  const missing = names.filter((name) => request.headers[name] === undefined)
  if (missing.length === 0) yield good('headers', 'headers', `${names.join(', ')} arrive`)
  else
    yield wrong('headers', 'headers', {
      expected: `${names.join(', ')} arrive`,
      found: `${missing.join(', ')} ${missing.length === 1 ? 'does' : 'do'} not`,
      way: 'Let the proxy forward all request headers. If it has a list of allowed headers, add these.',
    })
  const body = JSON.stringify(request.body) ?? 'no body'
  if (body === sentBody) yield good('bodies', 'bodies', 'arrive unchanged')
  else {
    const way =
      'Another middleware reads the body first. Put the proxy before body parsers such as express.json().'
    yield wrong('bodies', 'bodies', { expected: sentBody, found: body, way })
  }
}
