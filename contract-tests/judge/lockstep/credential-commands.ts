import type { OperationId } from '../../rules/index.ts'
import type { Exchange, SendOptions } from '../client.ts'
import { type Received, recordIn } from '../replies.ts'
import { lookAround } from './looks.ts'
import { type NearMiss, nearMisses } from './near-misses.ts'
import { errorOf, isSuccess, type Story } from './story.ts'
import { segment, type Thing } from './things.ts'

/** A request that is let in with the right credentials alone. */
interface Attempt {
  readonly operation: OperationId
  readonly method: string
  readonly path: string
  readonly body?: Received
  /** What may be asked for besides, by turns: it lets nobody in. */
  readonly queries?: readonly string[]
}

const paged = ['', '_limit=1', '_offset=1', '_offset=1&_limit=2']
const first = (query: string) => (query === '' ? '' : `?${query}`)
const further = (query: string) => (query === '' ? '' : `&${query}`)

/** The credentials that are right. */
interface Given {
  readonly key: string
  readonly token: string | undefined
  readonly raw: string | undefined
}

type Place = 'header' | 'query' | 'body' | 'cookie'

/**
 * Sends every operation with what comes near a right key or token, in every place by turns: each is refused, and nothing
 * has changed. (The right ones go along with all other requests, see `dress.ts`.)
 */
export async function presentNearly(story: Story, home: Thing, of: 'key' | 'token'): Promise<void> {
  const { apiKey: key, token, raw } = story.stage.client.credentials
  const { checksKeys, checksTokens } = story.stage.provided
  if (key === undefined || !checksKeys || (of === 'token' && (!checksTokens || token === undefined))) return
  const places: readonly Place[] =
    of === 'key' ? ['header', 'query', 'body'] : ['header', ...(raw === undefined ? [] : ['cookie' as const])]
  for (const [nth, attempt] of attemptsIn(story, home).entries()) {
    for (const [index, miss] of nearMisses(nth).entries()) {
      // The next operation gets the same in another place.
      let place = places[(nth + index) % places.length] as Place
      if (place === 'body' && attempt.body === undefined) place = 'header'
      const query = story.takeTurn(`nearly ${attempt.operation}`, attempt.queries ?? [''])
      const asked = { ...attempt, path: `${attempt.path}${query}` }
      await tryNearly(story, asked, miss, place, { key, token, raw }, of)
    }
    // Whoever shows the right ones after all is let in.
    if (attempt.method !== 'GET') continue
    const exchange = await story.get(attempt.path)
    const flaw = { received: errorOf(exchange), expected: 'a success with the right credentials' }
    story.note(attempt.operation, 'credentials', exchange, isSuccess(exchange) ? undefined : flaw)
  }
  const [backfill] = story.all('backfill', home)
  const [block] = story.all('block', home)
  await lookAround(story, { by: 'updateBackfill', touched: backfill, refused: 'credentials' })
  await lookAround(story, { by: 'createBlock', touched: block, refused: 'credentials' })
}

async function tryNearly(
  story: Story,
  { operation, method, path, body }: Attempt,
  miss: NearMiss,
  place: Place,
  { key, token, raw }: Given,
  of: 'key' | 'token',
): Promise<void> {
  const right = of === 'key' ? key : place === 'cookie' ? raw : token
  if (right === undefined) return
  const wrong = miss.of(right, of === 'key' ? (token ?? '') : key)
  // A key without letters has no other letter case.
  if (wrong === right) return
  if (wrong !== undefined) story.stage.client.hide(wrong)
  const isIn = (where: Place) => place === where && wrong !== undefined
  // A wrong token stands beside a right key, in either place.
  const rightKeyIn = of === 'key' ? undefined : story.takeTurn('right key', ['header', 'query'] as const)
  const shownKey = of === 'key' && isIn('query') ? wrong : rightKeyIn === 'query' ? key : undefined
  const query = shownKey === undefined ? undefined : `api_key=${encodeURIComponent(shownKey)}`
  const headers: Record<string, string> =
    of === 'key'
      ? {
          ...(isIn('header') && { 'X-API-KEY': wrong ?? '' }),
          ...(token !== undefined && { 'OAUTH-TOKEN': token }),
        }
      : {
          ...(rightKeyIn === 'header' && { 'X-API-KEY': key }),
          ...(isIn('header') && { 'OAUTH-TOKEN': wrong ?? '' }),
          ...(isIn('cookie') && { Cookie: `oauth_token=${wrong}` }),
        }
  const options: SendOptions = {
    credentials: false,
    headers,
    ...(body && { body: { ...body, ...(of === 'key' && isIn('body') && { api_key: wrong }) } }),
  }
  const asked = query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
  const exchange = await story.stage.send(method, asked, options)
  const isLetIn = isSuccess(exchange)
  story.note(
    operation,
    'credentials',
    exchange,
    isLetIn
      ? { received: exchange.body, expected: `an error: the ${of} in the ${place} is ${miss.name}` }
      : undefined,
  )
  if (isLetIn) noteMade(story, exchange)
}

function attemptsIn(story: Story, home: Thing): Attempt[] {
  const base = `/api/pipelines/${segment(home, 'target')}`
  // Where there are some, they are worth more than none.
  const logs = `/api/pipelines/${encodeURIComponent(story.stage.logs?.pipeline ?? home.keys.target)}/logs`
  const [backfill] = story.all('backfill', home)
  const [block] = story.all('block', home)
  return [
    { operation: 'listPipelines', method: 'GET', path: '/api/pipelines', queries: ['', '?include_schedules=1'] },
    { operation: 'readPipeline', method: 'GET', path: base, queries: ['', '?include_schedules=1'] },
    { operation: 'listBackfills', method: 'GET', path: '/api/backfills', queries: [...paged.map(first), ...[...paged, 'include_run_count=true'].map((query) => `?pipeline_uuid=${segment(home, 'target')}${further(query)}`)] },
    { operation: 'listPipelineSchedules', method: 'GET', path: `${base}/pipeline_schedules`, queries: ['', '?tag[]=red', '?tag[]=red&tag[]=blue'] },
    { operation: 'listLogs', method: 'GET', path: logs, queries: [...paged.map(first), '?start_timestamp=1'] },
    { operation: 'listOauthAccessTokens', method: 'GET', path: '/api/oauth_access_tokens', queries: [...paged.map(first), '?show_all=1'] },
    ...(block === undefined
      ? []
      : ([
          { operation: 'readBlock', method: 'GET', path: `${base}/blocks/${segment(block, 'target')}` },
          { operation: 'deleteBlock', method: 'DELETE', path: `${base}/blocks/${segment(block, 'target')}`, queries: ['', '?force=True', '?block_type=custom'] },
          { operation: 'createBlock', method: 'POST', path: `${base}/blocks`, body: { block: { name: 'let in', type: 'custom' } } },
        ] as const)),
    ...(backfill === undefined
      ? []
      : ([
          { operation: 'updateBackfill', method: 'PUT', path: `${base}/backfills/${segment(backfill, 'target')}`, body: { backfill: { interval_units: 1 } } },
          { operation: 'createBackfill', method: 'POST', path: `${base}/backfills`, body: { backfill: { name: 'let in' } } },
          { operation: 'deleteBackfill', method: 'DELETE', path: `/api/backfills/${segment(backfill, 'target')}` },
        ] as const)),
    { operation: 'createPipeline', method: 'POST', path: '/api/pipelines', body: { pipeline: { name: `${story.prefix}-let-in`, type: 'python' } } },
  ] // biome-ignore format: one request a line
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
