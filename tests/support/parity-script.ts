import type { AuthMode } from '../../src/index.ts'

/** The ways a request can reach the mock. */
export type AdapterName = 'memory' | 'MSW in Node' | 'a service worker in Chromium' | 'Express'

/** One request of the script. Plain data: it travels to the browser as JSON. */
export interface ParityStep {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body's text; absent for none. */
  readonly body?: string
  /** The body's bytes, where they are no text. */
  readonly bytes?: readonly number[]
  /** Repetitions of the body's text. */
  readonly times?: number
  /** The logical status the reply must have: `error.code`, or 200. */
  readonly code: number
  /** The HTTP status the reply must have. Default 200. */
  readonly status?: number
  /** Advances the clock before the request. */
  readonly advance?: string
  /** Stores `session.token` of the reply under a name; `{name}` in a header is replaced by it. */
  readonly storeAs?: string
  /** The adapters that cannot express the request, each with the reason. Such a request must change nothing. */
  readonly except?: Readonly<Partial<Record<AdapterName, string>>>
  /** Why the body of the reply is not compared. */
  readonly bodiless?: string
  /** True if the mock passes the request to the next handler. */
  readonly elsewhere?: boolean
}

/** Requests to one mock, in order. */
export interface Scene {
  readonly name: string
  readonly auth: AuthMode
  /** The name of a profile. */
  readonly profile?: string
  readonly steps: readonly ParityStep[]
}

/** The compared parts of a reply. */
export interface ComparedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The reply of the next handler. */
export const elsewhere = 'Elsewhere.'

/** Carries requests to a mock whose clock can be advanced. */
export interface Carrier {
  readonly name: AdapterName
  advance(duration: string): void
  send(request: {
    method: string
    path: string
    headers: Record<string, string>
    body: Uint8Array<ArrayBuffer> | undefined
  }): Promise<{ status: number; headers: Iterable<readonly [string, string]>; body: string }>
}

/** Plays a scene; a step that the adapter cannot express is `undefined`. */
export async function play(scene: Scene, carrier: Carrier): Promise<(ComparedReply | undefined)[]> {
  const stored: Record<string, string> = {}
  const heard: (ComparedReply | undefined)[] = []
  for (const step of scene.steps) {
    if (step.advance !== undefined) carrier.advance(step.advance)
    if (step.except?.[carrier.name] !== undefined) {
      heard.push(undefined)
      continue
    }
    const headers = Object.fromEntries(
      Object.entries(step.headers ?? {}).map(([name, value]) => [
        name,
        value.replaceAll(/\{(\w+)\}/g, (_, name: string) => stored[name] ?? ''),
      ]),
    )
    const reply = await carrier.send({ method: step.method, path: step.path, headers, body: bodyOf(step) })
    if (step.storeAs !== undefined) {
      stored[step.storeAs] = (JSON.parse(reply.body) as { session: { token: string } }).session.token
    }
    const compared = [...reply.headers].filter(
      ([name]) => name === 'content-type' || name === 'vary' || name.startsWith('access-control-'),
    )
    heard.push({
      status: reply.status,
      headers: Object.fromEntries(compared.toSorted(([one], [other]) => (one < other ? -1 : 1))),
      body: step.bodiless === undefined ? reply.body : '',
    })
  }
  return heard
}

function bodyOf({ body, bytes, times = 1 }: ParityStep): Uint8Array<ArrayBuffer> | undefined {
  if (bytes !== undefined) return Uint8Array.from(bytes)
  return body === undefined ? undefined : new TextEncoder().encode(body.repeat(times))
}

type More = Partial<Omit<ParityStep, 'method' | 'path' | 'code'>>

const asJson = { 'content-type': 'application/json' }
const request = (method: string, path: string, code: number, more: More = {}): ParityStep => ({
  method,
  path,
  code,
  ...more,
})
const get = (path: string, code = 200, more: More = {}) => request('GET', path, code, more)
const del = (path: string, code = 200, more: More = {}) => request('DELETE', path, code, more)
const send = (method: string, path: string, json: unknown, code = 200, more: More = {}) =>
  request(method, path, code, {
    ...more,
    headers: { ...asJson, ...more.headers },
    body: JSON.stringify(json),
  })
const post = (path: string, json: unknown, code = 200, more: More = {}) =>
  send('POST', path, json, code, more)
const put = (path: string, json: unknown, code = 200, more: More = {}) => send('PUT', path, json, code, more)
/** A body as it is, under a content type or none. */
const raw = (path: string, body: string, code: number, type: string | null = 'application/json') =>
  request('POST', path, code, { body, ...(type !== null && { headers: { 'content-type': type } }) })
const behind = (method: string, path: string): ParityStep => request(method, path, 200, { elsewhere: true })

const browser = 'a service worker in Chromium'
const throughFetch = (reason: string) => ({
  'MSW in Node': reason,
  [browser]: reason,
})
const inBrowser = (reason: string) => ({ [browser]: reason })

const normalises = throughFetch('The URL standard resolves dot segments before fetch sends them.')
const isForbidden = inBrowser('Fetch forbids the header to pages: the browser sets it itself.')
const noBody = { bodiless: 'A reply to HEAD has no body on the wire.' }

const sales = '/api/pipelines/daily_sales'
const trigger = '/api/pipeline_schedules/2/pipeline_runs/hand-token'

const pipelines: ParityStep[] = [
  get('/api/pipelines'),
  get('/api/pipelines?include_schedules=1'),
  get('/api/pipelines?_limit=1'),
  get('/api/pipelines?_limit=1&_offset=1'),
  get('/api/pipelines?_limit=1&_limit=2'),
  get('/api/pipelines?_limit=%31'),
  get('/api/pipelines?_limit=+1', 400),
  get('/api/pipelines?_limit=1%zz', 400),
  get('/api/pipelines?_limit=%E2%82%AC', 400),
  get('/api/pipelines?'),
  get('/api/pipelines??_limit=1'),
  get('/api/pipelines?&&=&x'),
  get(sales),
  get(`${sales}?include_schedules=1`),
  get(`${sales}#a-fragment`),
  get('/api/pipelines/daily%5Fsales'),
  get('/api/pipelines/nothing', 404),
  get('/api/pipelines/daily_sales%2F', 404),
  get('/api/pipelines/daily%20sales', 404),
  get('/api/pipelines/daily+sales', 404),
  get('/api/pipelines/%zz', 400),
  get('/api/pipelines/%E0%A4%A', 400),
  get('/api/pipelines/%00', 404),
  get('/api/pipelines/a|b', 404),
  get('/api/pipelines/"quoted"', 404),
  get("/api/pipelines/;@:!$&'()*,=~", 404),
  get(`/api/pipelines/${'x'.repeat(2_000)}`, 404),
  post('/api/pipelines', { pipeline: { name: 'weekly-report', type: 'python' } }),
  post('/api/pipelines', { pipeline: { name: 'Ünï Çødé-x.y/z 1', type: 'streaming' } }),
  get('/api/pipelines/%C3%BCn%C3%AF_%C3%A7%C3%B8d%C3%A9_x_y_z_1'),
  get('/api/pipelines/ünï_çødé_x_y_z_1', 200, {
    except: { Express: 'A request line is ASCII: a client encodes the path before it sends it.' },
  }),
  post('/api/pipelines', {
    pipeline: { name: '数据 🚚', type: 'pyspark', description: '\u2028 \u0000 \ud800' },
  }),
  post('/api/pipelines', {
    pipeline: { name: 'copy', type: 'python', clone_pipeline_uuid: 'daily_sales' },
  }),
  get('/api/pipelines/copy'),
  post('/api/pipelines', { pipeline: { name: 'asks', type: 'python', conditionals: [{ name: 'is it' }] } }),
  post('/api/pipelines', 'text', 400),
  put('/api/pipelines/weekly_report', { pipeline: { name: 'renamed', description: 'new', uuid: 'other' } }),
  put('/api/pipelines/weekly_report', { pipeline: { executor_count: 'two' } }, 400),
  del('/api/pipelines/weekly_report'),
  del('/api/pipelines/weekly_report', 404),
]

const blocks: ParityStep[] = [
  get(`${sales}/blocks`),
  get(`${sales}/blocks/load_orders`),
  get(`${sales}/blocks/nothing`, 404),
  get('/api/pipelines/nothing/blocks', 404),
  post(`${sales}/blocks`, {
    block: {
      name: 'drop odd ones',
      type: 'transformer',
      content: 'import x/nrun()',
      upstream_blocks: ['load_orders'],
    },
  }),
  post(`${sales}/blocks`, {
    block: { name: 'root', type: 'data_loader', upstream_blocks: [''], priority: 0 },
  }),
  post(`${sales}/blocks`, {
    block: { name: 'guess', type: 'custom', upstream_blocks: ['nobody', 'sum_up'] },
  }),
  post(`${sales}/blocks`, {
    block: { name: 'in both', type: 'sensor', pipelines: ['archive', 'daily_sales'] },
  }),
  post(`${sales}/blocks`, { block: { name: 'x', type: 'engine' } }, 400),
  put(`${sales}/blocks/sum_up`, {
    block: { upstream_blocks: ['root', 'drop_odd_ones'], status: 'executed' },
  }),
  put(`${sales}/blocks/sum_up`, { block: { priority: 1 } }),
  put(`${sales}/blocks/sum_up`, { block: { status: 'tired' } }, 400),
  get(sales),
  get(`${sales}/blocks/sum_up`),
  del(`${sales}/blocks/sum_up`, 400),
  del(`${sales}/blocks/sum_up?force=True&block_type=data_loader`),
  del(`${sales}/blocks/guess?block_type=custom`),
  get(`${sales}/blocks`),
]

const backfills: ParityStep[] = [
  get('/api/backfills'),
  get('/api/backfills?pipeline_uuid=archive'),
  get('/api/backfills?pipeline_uuid=nothing'),
  get('/api/backfills?include_run_count=true&_limit=2'),
  get('/api/backfills?include_run_count=True&_offset=4'),
  get('/api/backfills?include_run_count=0'),
  get('/api/backfills?include_run_count=maybe', 400),
  get('/api/pipelines/archive/backfills'),
  get('/api/backfills/1'),
  get('/api/backfills/%31'),
  ...['99', '1.5', '1%20', '%F0%9F%9A%9A'].map((id) => get(`/api/backfills/${id}`, 404)),
  post(`${sales}/backfills`, { backfill: { name: 'march' } }),
  put(`${sales}/backfills`, { backfill: { name: 'by PUT' } }),
  post(`${sales}/backfills`, {
    backfill: {
      name: 'three days',
      start_datetime: '2026-02-01 00:00:00',
      end_datetime: '2026-02-03 00:00:00',
      interval_type: 'day',
      interval_units: 1,
      status: 'completed',
      variables: { größe: [1, { deep: null }] },
      colour: 'blue',
    },
  }),
  post(`${sales}/backfills`, { backfill: {} }, 400),
  put(`${sales}/backfills/6`, { backfill: { name: 'April', interval_type: 'week', interval_units: 2 } }),
  put(`${sales}/backfills/6`, { backfill: { status: 'paused' } }, 400),
  put('/api/backfills/6', { backfill: { variables: null } }),
  put('/api/backfills/8', { backfill: { status: 'initial' } }),
  get('/api/backfills/8'),
  get('/api/backfills/8', 200, { advance: '1s' }),
  get('/api/pipeline_runs?_limit=3'),
  get('/api/backfills/8', 200, { advance: '5s' }),
  put('/api/backfills/2', {
    backfill: {
      start_datetime: '2026-01-01 00:00:00',
      end_datetime: '2026-01-01 02:00:00',
      interval_type: 'hour',
      status: 'initial',
    },
  }),
  put('/api/backfills/2', { backfill: { status: 'cancelled' } }, 200, { advance: '2s' }),
  get('/api/pipeline_runs?status=cancelled'),
  del('/api/backfills/6'),
  del('/api/backfills/6', 404),
  del(`${sales}/backfills/7`),
  get('/api/backfills?include_run_count=1'),
]

const schedules: ParityStep[] = [
  get(`${sales}/pipeline_schedules`),
  get(`${sales}/pipeline_schedules?tag[]=nightly`),
  get(`${sales}/pipeline_schedules?tag[]=manual&tag[]=finance`),
  get(`${sales}/pipeline_schedules?tag%5B%5D=manual&tag[]=n%69ghtly`),
  get(`${sales}/pipeline_schedules?tag[]=none`),
  get(`${sales}/pipeline_schedules?tag[]=`),
  get(`${sales}/pipeline_schedules?tag=manual`),
  get('/api/pipelines/nothing/pipeline_schedules', 404),
  get('/api/pipeline_schedules?tag[]=nightly&_limit=1'),
  post(`${sales}/pipeline_schedules`, {
    pipeline_schedule: {
      name: 'überall',
      schedule_interval: '*/5 * * * *',
      tags: ['ärger', 'a&b=c'],
      status: 'active',
    },
  }),
  get(`${sales}/pipeline_schedules?tag[]=%C3%A4rger`),
  get(`${sales}/pipeline_schedules?tag[]=a%26b%3Dc`),
  post(`${sales}/pipeline_schedules`, { pipeline_schedule: { name: 'x', schedule_interval: 'daily' } }, 400),
  get('/api/pipeline_schedules/2'),
  get('/api/pipeline_schedules/two', 404),
  put('/api/pipeline_schedules/2', { pipeline_schedule: { settings: { allow_blocks_to_fail: true } } }),
  put('/api/pipeline_schedules/2', { pipeline_schedule: { tags: 'manual' } }, 400),
  del('/api/pipeline_schedules/3'),
  del('/api/pipeline_schedules/3', 404),
  get('/api/pipelines?include_schedules=1&_limit=2'),
]

const runs: ParityStep[] = [
  post(trigger, { from: 'a script', nested: { schlüssel: [true, null, 1e3, ''] } }),
  request('POST', trigger, 200),
  post(trigger, {}),
  post(trigger, { pipeline_run: { variables: { a: 1 } } }),
  post(trigger, { constructor: 1, toString: null, 2: 'two', 1: 'one' }),
  raw(trigger, '{"a":1,"a":2}', 200),
  raw(trigger, '{"type":"none"}', 200, null),
  raw(trigger, '{"type":"suffix"}', 200, 'application/vnd.api+json'),
  raw(trigger, '{"type":"charset"}', 200, 'application/json; charset=utf-8'),
  raw(trigger, '{"type":"text"}', 400, 'text/plain'),
  raw(trigger, 'a=1', 400, 'application/x-www-form-urlencoded'),
  raw(trigger, '\uFEFF{"mark":"order"}', 200),
  raw(trigger, '{"__proto__":{"polluted":true}}', 400),
  raw(trigger, '{"a":{"__proto__":1}}', 400),
  raw(trigger, '{"a":', 400),
  raw(trigger, ' ', 400),
  raw(trigger, `{"a":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`, 400),
  post(trigger, [1, 2], 400),
  request('POST', trigger, 400, { headers: asJson, bytes: [0x7b, 0xff, 0xfe, 0x7d] }),
  request('POST', trigger, 400, {
    headers: asJson,
    bytes: [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xe2, 0x82, 0xff, 0x22, 0x7d],
  }),
  request('POST', trigger, 413, { headers: asJson, body: '"0123456"', times: 1_250_000 }),
  post('/api/pipeline_schedules/2/pipeline_runs/wrong-token', {}, 404),
  post('/api/pipeline_schedules/2/pipeline_runs/%zz', {}, 400),
  post('/api/pipeline_schedules/1/pipeline_runs', { pipeline_run: { variables: { region: 'süd' } } }),
  post('/api/pipeline_schedules/1/pipeline_runs', { pipeline_run: { variables: [] } }, 400),
  get('/api/pipeline_runs?_limit=4'),
  get('/api/pipeline_runs?_limit=4&_offset=4'),
  get('/api/pipeline_runs?pipeline_uuid=archive'),
  get('/api/pipeline_runs?status=running&_limit=1'),
  get('/api/pipeline_runs?status=asleep', 400),
  get('/api/pipeline_schedules/2/pipeline_runs?_limit=2'),
  get('/api/pipeline_schedules/999/pipeline_runs', 404),
  get('/api/pipeline_runs/1'),
  get('/api/pipeline_runs/1e0', 404),
  put('/api/pipeline_runs/10', { pipeline_run: { status: 'cancelled' } }),
  put('/api/pipeline_runs/10', { pipeline_run: { status: 'finished' } }, 400),
  put('/api/pipeline_runs/3', { pipeline_run: { status: 'running' } }),
  get('/api/pipeline_runs/11', 200, { advance: '4999ms' }),
  get('/api/pipeline_runs/11', 200, { advance: '1ms' }),
  get('/api/pipeline_schedules/2'),
  get('/api/pipeline_runs?_limit=2', 200, { advance: '3d' }),
  del('/api/pipeline_runs/2'),
  del('/api/pipeline_runs/2', 404),
]

const logs: ParityStep[] = [
  get(`${sales}/logs`),
  get(`${sales}/logs?_limit=1`),
  get(`${sales}/logs?_limit=2&_offset=1`),
  get(`${sales}/logs?start_timestamp=1772236800`),
  get(`${sales}/logs?start_timestamp=yesterday`, 400),
  get('/api/pipelines/archive/logs'),
]

const others: ParityStep[] = [
  get('/api/statuses'),
  get('/api/projects'),
  get('/api/projects/1'),
  get('/api/projects/2', 404),
  post('/api/projects', { project: { name: 'zweites', settings: { a: [1] } } }),
  post('/api/projects', { projects: {} }, 400),
  put('/api/projects/2', { project: { name: 'two' } }),
  del('/api/projects/2'),
  get('/api/plugins/slack'),
  get('/api/oauth_access_tokens'),
  get('/api/oauth_access_tokens?_offset=none', 400),
  get('/api/oauth_access_tokens', 200, { headers: { 'oauth-token': 'mira-laptop' } }),
  post('/api/sessions', { session: { email: 'mira@example.com', password: 'lantern' } }),
  post('/api/sessions', { session: { username: 'tomas', password: 'northern-light' } }),
  post('/api/sessions', { session: { email: 'mira@example.com', password: 'Lantern' } }, 404),
]

const pathsAndMethods: ParityStep[] = [
  get('/api', 404),
  get('/api/', 404),
  get('/api/nothing', 404),
  get('/api/nothing/%zz', 404),
  get('/api/pipelines/', 404),
  get('/api/Pipelines', 404),
  get('/api//pipelines', 404),
  get('/api/pipelines//daily_sales', 404),
  get('/api///', 404),
  get('/api/%70ipelines', 404),
  post('/api/nothing', {}, 404),
  request('DELETE', '/api/pipelines', 405),
  send('PATCH', '/api/backfills/1', { backfill: { name: 'x' } }, 405),
  get('/api/sessions', 405),
  request('PURGE', '/api/pipelines', 405),
  request('HEAD', '/api/pipelines', 405, noBody),
  request('HEAD', '/api/nothing', 404, noBody),
  request('TRACE', '/api/pipelines', 405, { except: throughFetch('Fetch forbids the method TRACE.') }),
  request('OPTIONS', '/api/pipelines', 200, { status: 204 }),
  request('OPTIONS', '/api/nothing', 200, { status: 204 }),
  request('OPTIONS', '/api/backfills/1', 200, {
    status: 204,
    headers: {
      origin: 'https://ui.example.com',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type, x-api-key',
    },
    except: isForbidden,
  }),
  get('/api/pipelines?_limit=1', 200, { headers: { origin: 'https://ui.example.com' }, except: isForbidden }),
  get('/api/nothing', 404, { headers: { origin: 'null' }, except: isForbidden }),
  get('/api/pipelines?_limit=1', 200, { headers: { accept: 'text/html', 'x-unknown': 'a, b' } }),
  get('/api/pipelines/../backfills/1', 405, { except: normalises }),
  get('/api/pipelines/%2e%2e/backfills', 404, { except: normalises }),
  get('http://pipelines.example.com/api/pipelines/daily_sales', 200, {
    except: throughFetch('Fetch sends the absolute form to proxies only.'),
  }),
  request('GET', '/api/pipelines?_limit=1', 200, {
    headers: asJson,
    body: '{"pipeline":',
    except: throughFetch('Fetch refuses a GET with a body.'),
  }),
  del('/api/pipelines/nothing', 404, { headers: asJson, body: '{"pipeline":' }),
  behind('GET', '/'),
  behind('GET', '/apis'),
  behind('GET', '/api-docs?next=/api/pipelines'),
  behind('GET', '/api|pipelines'),
  behind('GET', '/API/pipelines'),
  behind('POST', '/backend/api/pipelines'),
  behind('DELETE', '//api/pipelines'),
]

const key = { 'x-api-key': 'test-key' }
const withKey: ParityStep[] = [
  get('/api/pipelines?_limit=1', 401),
  get('/api/pipelines?_limit=1', 401, { headers: { 'x-api-key': 'wrong' } }),
  get('/api/pipelines?_limit=1', 401, { headers: { 'x-api-key': '' } }),
  get('/api/pipelines?_limit=1', 200, { headers: key }),
  get('/api/pipelines?_limit=1&api_key=test-key'),
  get('/api/pipelines?api_key=wrong&api_key=test-key', 401),
  get('/api/pipelines?api_key=test-key', 401, { headers: { 'x-api-key': 'wrong' } }),
  get('/api/pipelines/nothing', 401),
  get('/api/nothing', 404),
  request('DELETE', '/api/pipelines', 405),
  request('OPTIONS', '/api/pipelines', 200, { status: 204 }),
  post(`${sales}/backfills`, { backfill: { name: 'x' } }, 401),
  post(`${sales}/backfills`, { api_key: 'test-key', backfill: { name: 'with a key' } }),
  post(`${sales}/backfills`, { api_key: ['test-key'], backfill: { name: 'x' } }, 401),
  post(`${sales}/backfills`, { backfill: { name: 'x', api_key: 'test-key' } }, 401),
  raw(`${sales}/backfills`, '{"api_key":"test-key"', 401),
  request('POST', `${sales}/backfills`, 400, { headers: { ...asJson, ...key }, body: '{"backfill":' }),
  request('POST', `${sales}/backfills`, 401, { headers: asJson, body: '"0123456"', times: 1_250_000 }),
  del('/api/backfills/5', 401, { headers: asJson, body: '{"api_key":"wrong"}' }),
  del('/api/backfills/5', 200, { headers: asJson, body: '{"api_key":"test-key"}' }),
  post(trigger, { needs: 'no key' }),
  post('/api/sessions', { session: { username: 'mira', password: 'lantern' } }, 401),
  post('/api/sessions', { session: { username: 'mira', password: 'lantern' } }, 200, { headers: key }),
  get('/api/oauth_access_tokens', 200, { headers: key }),
  get('/api/oauth_access_tokens', 200, { headers: { ...key, 'oauth-token': 'mira-laptop' } }),
]

const tokens = '/api/oauth_access_tokens'
const withLogin: ParityStep[] = [
  get(tokens, 401),
  get(tokens, 401, { headers: { 'oauth-token': 'mira-laptop' } }),
  get(tokens, 403, { headers: key }),
  get(tokens, 200, { headers: { ...key, 'oauth-token': 'mira-laptop' } }),
  get(`${tokens}?api_key=test-key&show_all=1`, 200, { headers: { 'oauth-token': 'mira-laptop' } }),
  get(`${tokens}?show_all=0`, 200, { headers: { ...key, 'oauth-token': 'tomas-laptop' } }),
  get(`${tokens}?show_all=1&_limit=1`, 200, { headers: { ...key, 'oauth-token': 'tomas-laptop' } }),
  get(`${tokens}?show_all=1&_limit=1&_offset=1`, 200, { headers: { ...key, 'oauth-token': 'tomas-laptop' } }),
  get(`${tokens}?show_all=all`, 400, { headers: { ...key, 'oauth-token': 'tomas-laptop' } }),
  get(tokens, 401, { headers: { ...key, 'oauth-token': 'mira-last-month' } }),
  get(tokens, 401, { headers: { ...key, 'oauth-token': 'nobody' } }),
  get(tokens, 200, { headers: { ...key, authorization: 'Bearer mira-laptop' } }),
  get(tokens, 200, { headers: { ...key, authorization: 'bearer  mira-laptop' } }),
  get(tokens, 403, { headers: { ...key, authorization: 'Basic bWlyYTpsYW50ZXJu' } }),
  get(tokens, 401, { headers: { ...key, authorization: 'Bearer a.b.c' } }),
  get(tokens, 401, { headers: { ...key, cookie: 'oauth_token=mira-laptop' } }),
  get(tokens, 401, { headers: { ...key, cookie: 'oauth_token=a.b.c' } }),
  get(tokens, 403, { headers: { ...key, cookie: 'other=1' } }),
  post('/api/sessions', { session: { email: 'mira@example.com', password: 'lantern' } }, 401),
  post('/api/sessions', { session: { email: 'mira@example.com', password: 'wrong' } }, 404, { headers: key }),
  post('/api/sessions', { session: { email: 'mira@example.com', password: 'lantern' } }, 200, {
    headers: key,
    storeAs: 'raw',
  }),
  get(tokens, 200, { headers: { ...key, cookie: 'oauth_token={raw}' } }),
  get(tokens, 200, { headers: { ...key, cookie: 'theme=dark; oauth_token={raw}; last=1' } }),
  get(tokens, 200, { headers: { ...key, authorization: 'Bearer {raw}' } }),
  get(tokens, 401, { headers: { ...key, 'oauth-token': '{raw}' } }),
  get(tokens, 401, { headers: { ...key, authorization: 'Bearer {raw}x' } }),
  get(tokens, 401, { headers: { ...key, 'oauth-token': 'nobody', cookie: 'oauth_token={raw}' } }),
  post(`${sales}/backfills`, { api_key: 'test-key', backfill: { name: 'signed in' } }, 200, {
    headers: { cookie: 'oauth_token={raw}' },
  }),
  post(`${sales}/backfills`, { backfill: {} }, 400, { headers: { ...key, cookie: 'oauth_token={raw}' } }),
  get('/api/pipelines/nothing', 404, { headers: { ...key, cookie: 'oauth_token={raw}' } }),
  get('/api/pipelines/nothing', 403, { headers: key }),
  post(trigger, { needs: 'no token' }),
  get(tokens, 200, { advance: '29d', headers: { ...key, cookie: 'oauth_token={raw}' } }),
  get(tokens, 401, { advance: '1d', headers: { ...key, cookie: 'oauth_token={raw}' } }),
]

const withProfile: ParityStep[] = [
  get('/api/pipelines?_limit=1', 401, { status: 401 }),
  get('/api/pipelines?_limit=1', 200, { headers: key }),
  get('/api/pipelines/nothing', 500, { headers: key }),
  get('/api/backfills/99', 404, { headers: key }),
  del('/api/pipelines', 405, { headers: key, status: 405 }),
  get('/api/backfills?include_run_count=true', 200, { headers: key }),
  get(`${sales}/blocks/load_orders`, 200, { headers: key }),
  post(trigger, { pipeline_run: { variables: { a: 1 } } }),
  post('/api/pipeline_schedules/2/api_trigger', { pipeline_run: {} }, 200, {
    headers: { authorization: 'Bearer hand-token' },
  }),
  get('/api/pipeline_runs?_limit=2', 200, { headers: key }),
  get('/api/pipeline_runs?_limit=2', 200, { headers: key, advance: '3s' }),
  get('/api/pipeline_runs?_limit=2', 200, { headers: key, advance: '1m' }),
]

/**
 * The request script: one mock per scene, each from the same fixture, seed and frozen clock. It has each route and each
 * form of a request that adapters could treat differently; `wrong-input.test.ts` has the other refused requests.
 */
export const scenes: readonly Scene[] = [
  {
    name: 'nothing is checked',
    auth: 'open',
    steps: [
      ...pipelines,
      ...blocks,
      ...backfills,
      ...schedules,
      ...runs,
      ...logs,
      ...others,
      ...pathsAndMethods,
    ],
  },
  { name: 'the API key is checked', auth: 'key', steps: withKey },
  { name: 'users must sign in', auth: 'login', steps: withLogin },
  { name: 'the ways of a real server', auth: 'key', profile: 'mage-ai-0.9.79', steps: withProfile },
]
