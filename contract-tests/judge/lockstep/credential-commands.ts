import type { OperationId } from '../../rules/index.ts'
import type { Exchange, SendOptions } from '../client.ts'
import { isObject } from '../is-object.ts'
import { type Received, recordIn } from '../replies.ts'
import { createBlock, deleteBlock } from './block-commands.ts'
import { lookAround } from './looks.ts'
import { errorOf, type Story } from './story.ts'
import { segment, type Thing, touch } from './things.ts'
import { createBackfill, deleteBackfill } from './write-commands.ts'

/** How a request presents its credentials, and whether that is right. */
export interface Way {
  readonly name: string
  readonly isRight: boolean
  /** Whether it can be shown only where the request has a body. */
  readonly inBody?: boolean
  readonly needs: 'key' | 'token'
  present(given: Given): {
    readonly query?: string
    readonly body?: Received
    readonly headers: Readonly<Record<string, string>>
  }
}

interface Given {
  readonly key: string
  readonly token: string | undefined
  readonly raw: string | undefined
}

const inHeader = ({ token }: Given): Readonly<Record<string, string>> =>
  token === undefined ? {} : { 'OAUTH-TOKEN': token }
const keyed = (key: string, given: Given) => ({
  query: `api_key=${encodeURIComponent(key)}`,
  headers: inHeader(given),
})
const tokened = (headers: Readonly<Record<string, string>>, { key }: Given) => ({
  query: `api_key=${encodeURIComponent(key)}`,
  headers,
})

/** The documented places of credentials, and what comes near the right ones. */
export const ways: readonly Way[] = [
  { name: 'key in the query', isRight: true, needs: 'key', present: (given) => keyed(given.key, given) },
  {
    name: 'key in the body',
    isRight: true,
    inBody: true,
    needs: 'key',
    present: (given) => ({ body: { api_key: given.key }, headers: inHeader(given) }),
  },
  { name: 'no key', isRight: false, needs: 'key', present: (given) => ({ headers: inHeader(given) }) },
  {
    name: 'key in another letter case',
    isRight: false,
    needs: 'key',
    present: (given) => keyed(otherCase(given.key), given),
  },
  {
    name: 'part of the key',
    isRight: false,
    needs: 'key',
    present: (given) => keyed(given.key.slice(0, -1), given),
  },
  {
    name: 'more than the key',
    isRight: false,
    needs: 'key',
    present: (given) => keyed(`${given.key}x`, given),
  },
  {
    name: 'token in its header',
    isRight: true,
    needs: 'token',
    present: (given) => tokened(inHeader(given), given),
  },
  {
    name: 'raw token in the cookie',
    isRight: true,
    needs: 'token',
    present: (given) => tokened({ Cookie: `oauth_token=${given.raw ?? ''}` }, given),
  },
  { name: 'no token', isRight: false, needs: 'token', present: (given) => tokened({}, given) },
  {
    name: 'token in another letter case',
    isRight: false,
    needs: 'token',
    present: (given) => tokened({ 'OAUTH-TOKEN': otherCase(given.token ?? '') }, given),
  },
  {
    name: 'part of the token',
    isRight: false,
    needs: 'token',
    present: (given) => tokened({ 'OAUTH-TOKEN': (given.token ?? '').slice(0, -1) }, given),
  },
]

/** Changes capitals to small letters and back. */
function otherCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}

/** A request of an operation that may be sent as often as one likes. */
interface Attempt {
  readonly operation: OperationId
  readonly method: string
  readonly path: string
  readonly body?: Received
  /** The record that it would change. */
  readonly touched?: Thing
}

/** Sends every operation with its credentials in a way, right or nearly right. */
export async function presentCredentials(
  story: Story,
  home: Thing,
  way: Way,
  only?: readonly string[],
): Promise<void> {
  const { stage } = story
  const { apiKey: key, token } = stage.client.credentials
  const { checksKeys, checksTokens, email, password } = stage.provided
  if (key === undefined || !checksKeys || (way.needs === 'token' && (!checksTokens || token === undefined)))
    return
  let raw: string | undefined
  if (way.name.startsWith('raw')) {
    if (email === undefined || password === undefined) return
    const opened = await stage.post('/api/sessions', { session: { email, password } }, { credentials: 'key' })
    const text = recordIn(opened, 'session')?.token
    if (typeof text !== 'string') return
    raw = text
  }
  const shown = way.present({ key, token, raw })
  // A key without letters has no other letter case.
  if (
    !way.isRight &&
    [...Object.values(shown.headers), shown.query].includes(
      way.needs === 'key' ? `api_key=${encodeURIComponent(key)}` : token,
    )
  )
    return
  for (const attempt of await attempts(story, home)) {
    if (way.inBody && attempt.body === undefined) continue
    if (only !== undefined && !only.includes(attempt.operation)) continue
    await tryOne(story, attempt, way, shown)
  }
  if (way.isRight) return
  const [backfill] = story.all('backfill', home)
  const [block] = story.all('block', home)
  await lookAround(story, { by: 'updateBackfill', touched: backfill, refused: 'credentials' })
  await lookAround(story, { by: 'createBlock', touched: block, refused: 'credentials' })
}

async function attempts(story: Story, home: Thing): Promise<Attempt[]> {
  const base = `/api/pipelines/${segment(home, 'target')}`
  const [backfill] = story.all('backfill', home)
  const [block] = story.all('block', home)
  return [
    { operation: 'listPipelines', method: 'GET', path: '/api/pipelines' },
    { operation: 'readPipeline', method: 'GET', path: base },
    { operation: 'listBackfills', method: 'GET', path: `/api/backfills?pipeline_uuid=${segment(home, 'target')}` },
    { operation: 'listPipelineSchedules', method: 'GET', path: `${base}/pipeline_schedules` },
    { operation: 'listLogs', method: 'GET', path: `${base}/logs` },
    { operation: 'listOauthAccessTokens', method: 'GET', path: '/api/oauth_access_tokens' },
    // What would make a record lacks its name: it is refused for that where it is let in.
    ...(block === undefined
      ? []
      : ([
          { operation: 'readBlock', method: 'GET', path: `${base}/blocks/${segment(block, 'target')}` },
          { operation: 'deleteBlock', method: 'DELETE', path: `${base}/blocks/${segment(block, 'target')}`, touched: block },
          { operation: 'createBlock', method: 'POST', path: `${base}/blocks`, body: { block: { name: 'let in', type: 'custom' } }, touched: block },
        ] as const)),
    ...(backfill === undefined
      ? []
      : ([
          { operation: 'updateBackfill', method: 'PUT', path: `${base}/backfills/${segment(backfill, 'target')}`, body: { backfill: { interval_units: 1 } }, touched: backfill },
          { operation: 'createBackfill', method: 'POST', path: `${base}/backfills`, body: { backfill: { name: 'let in' } }, touched: backfill },
          { operation: 'deleteBackfill', method: 'DELETE', path: `/api/backfills/${segment(backfill, 'target')}`, touched: backfill },
        ] as const)),
    { operation: 'createPipeline', method: 'POST', path: '/api/pipelines', body: { pipeline: { name: `${story.prefix}-let-in`, type: 'python' } }, touched: home },
  ] // biome-ignore format: one request a line
}

async function tryOne(
  story: Story,
  attempt: Attempt,
  way: Way,
  shown: ReturnType<Way['present']>,
): Promise<void> {
  const { operation, method, path, body, touched } = attempt
  // What a right credential would really do is left to other stories, but for what can be done twice.
  if (way.isRight && (operation.startsWith('create') || operation.startsWith('delete'))) return
  const asked = shown.query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${shown.query}`
  const options: SendOptions = {
    credentials: false,
    headers: shown.headers,
    ...(body && { body: { ...body, ...shown.body } }),
  }
  const exchange = await story.stage.send(method, asked, options)
  const isIn = exchange.error === undefined && isObject(exchange.body)
  const flaw =
    isIn === way.isRight
      ? undefined
      : {
          received: isIn ? exchange.body : errorOf(exchange),
          expected: `${way.isRight ? 'a success' : 'an error'} with the ${way.name}`,
        }
  story.note(operation, 'credentials', exchange, flaw)
  if (flaw === undefined && operation === 'updateBackfill' && way.isRight && touched) {
    touched.written = { ...touched.written, interval_units: 1 }
    touch(touched)
    await story.model.ask('PUT', `/api/backfills/${segment(touched, 'model')}`, body)
  }
  if (flaw !== undefined && !way.isRight) noteMade(story, exchange)
}

/** Notes what a request that should have been refused has made, so that it is deleted. */
function noteMade(story: Story, exchange: Exchange): void {
  const made = recordIn(exchange, 'pipeline')
  if (exchange.method === 'POST' && typeof made?.uuid === 'string')
    story.stage.ledger.created('pipeline', `/api/pipelines/${encodeURIComponent(made.uuid)}`, {
      name: String(made.name),
    })
  const backfill = recordIn(exchange, 'backfill')
  if (exchange.method === 'POST' && backfill?.id !== undefined)
    story.stage.ledger.created('backfill', `/api/backfills/${backfill.id}`, {
      home: decodeURIComponent(exchange.path.split('/')[3] ?? ''),
      name: String(backfill.name),
    })
}

/** Creates and deletes with the key in the query: what comes of it is compared as always. */
export async function writeWithKeyInQuery(story: Story, home: Thing): Promise<void> {
  const { client, provided } = story.stage
  if (client.credentials.apiKey === undefined || !provided.checksKeys) return
  const before = client.credentials
  client.credentials = { ...before, keyIn: 'query' }
  try {
    await createBackfill(story, home, 'with the key in the query')
    await createBlock(story, home, {
      name: 'with the key in the query',
      type: 'custom',
      values: {},
      upstream: [],
    })
    const [backfill, block] = [story.all('backfill', home).at(-1), story.all('block', home).at(-1)]
    if (backfill) await deleteBackfill(story, backfill)
    if (block) await deleteBlock(story, block, '')
  } finally {
    client.credentials = before
  }
}
