import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it, onTestFinished, vi } from 'vitest'
import { adminDocument } from '../src/admin/admin-document.ts'
import { createAdmin } from '../src/admin/create-admin.ts'
import { adminRoutes } from '../src/admin/index.ts'
import { switchable } from '../src/cli/switchable.ts'
import { createUnderstudy, type Understudy } from '../src/index.ts'
import { createListener } from '../src/server/create-listener.ts'
import { serve } from '../src/server/serve.ts'
import { toTemplate } from '../src/shared/path-tree.ts'
import { ApiReply } from './support/api.ts'
import { company } from './support/company.ts'

const base = '/__understudy__/api'
/** The ids of the routes that a test has reached with a good reply. */
const reached = new Set<string>()
/** The ids of the routes that a test has met a problem of, with its status. */
const met = new Set<string>()

interface ServedAdmin {
  readonly understudy: Understudy
  readonly url: string
  readonly close: () => Promise<void>
  send(method: string, path: string, json?: unknown): Promise<ApiReply>
  get(path: string): Promise<ApiReply>
  post(path: string, json?: unknown): Promise<ApiReply>
}

/** Serves the company; each good reply is held against the schema that the table has for it. */
async function open(understudy = createUnderstudy({ fixture: company })): Promise<ServedAdmin> {
  const { url, close } = await serve(understudy, { port: 0 })
  onTestFinished(close)
  const send = async (method: string, path: string, json?: unknown) => {
    const response = await fetch(`${url}${base}${path}`, {
      method,
      ...(json !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      }),
    })
    const reply = new ApiReply(response.status, Object.fromEntries(response.headers), await response.text())
    check(method, path, reply)
    return reply
  }
  return {
    understudy,
    url,
    close,
    send,
    get: (path) => send('GET', path),
    post: (path, json) => send('POST', path, json),
  }
}

function check(method: string, path: string, reply: ApiReply): void {
  const [plain = ''] = path.split('?')
  const route = adminRoutes
    .filter((candidate) => candidate.method === method)
    .find((candidate) => new RegExp(`^${candidate.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(plain))
  if (route === undefined) {
    expect([404, 405]).toContain(reply.status)
    return
  }
  if (reply.status >= 400) {
    expect(problemsOf(route), `of ${route.id}`).toContain(reply.status)
    met.add(`${route.id} ${reply.status}`)
    return
  }
  reached.add(route.id)
  expect(reply.status).toBe(route.reply.status)
  expect(reply.headers['cache-control']).toBe('no-store')
  if (route.reply.schema) expect(route.reply.schema.safeParse(reply.body).error).toBeUndefined()
  else expect(reply.text).toBe('')
}

const { paths } = adminDocument(adminRoutes)

/** The problems that a route has by its description. */
function problemsOf({ method, path }: (typeof adminRoutes)[number]): number[] {
  const { responses } = paths![toTemplate(path)]![method.toLowerCase() as 'get']!
  return [...(responses!.default as { description: string }).description.matchAll(/\d+/g)].map(Number)
}

const world = '/worlds/main'

// ── The service and its worlds ──────────────────────────────────────────────────────────────────────────────────────

it('says that it is up, and which version it is', async () => {
  const { get } = await open()

  expect((await get('/health')).body).toEqual({ status: 'ok' })
  expect((await get('/version')).body).toEqual({
    name: 'pipeline-understudy',
    version: '0.1.0',
    auth: 'open',
  })
})

it('describes itself in a document that a validator with the official schema accepts', async () => {
  const { get } = await open()
  const { body } = await get('/openapi.json')
  const document = body as { paths: Record<string, Record<string, { operationId: string }>> }
  const described = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )

  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
  expect(described.sort()).toEqual(adminRoutes.map(({ id }) => id).sort())
})

it('lists, creates, reads, resets and deletes worlds', async () => {
  const { get, post, send } = await open()
  const created = await post('/worlds', {
    name: 'mine',
    fixture: { pipelines: [{ name: 'one' }], api_keys: ['k'] },
  })
  const listed = (await get('/worlds')).body as { worlds: { name: string }[] }

  expect({ status: created.status, body: created.body }).toEqual({ status: 201, body: { name: 'mine' } })
  expect(listed.worlds.map(({ name }) => name).sort()).toEqual(['main', 'mine'])
  expect((await get('/worlds/mine')).body).toMatchObject({ name: 'mine', apiKeys: ['k'] })
  await send('DELETE', '/worlds/mine/records/pipelines/one')
  expect((await get('/worlds/mine/records/pipelines')).body).toMatchObject({ records: [] })
  expect((await post('/worlds/mine/reset')).status).toBe(204)
  expect((await get('/worlds/mine/records/pipelines')).body).toMatchObject({ records: [{ uuid: 'one' }] })
  expect((await send('DELETE', '/worlds/mine')).status).toBe(204)
  expect((await get('/worlds/mine')).status).toBe(404)
})

it('refuses a world twice, a broken fixture for one, and the end of main', async () => {
  const { post, send, get } = await open()
  await post('/worlds', { name: 'mine' })

  expect(await post('/worlds', { name: 'mine' })).toMatchObject({
    status: 409,
    body: { title: 'Conflict', detail: 'There is a world mine already; delete it first.' },
  })
  expect(await post('/worlds', { name: 'main' })).toMatchObject({ status: 409 })
  expect(await send('DELETE', '/worlds/main')).toMatchObject({ status: 409 })
  expect(
    await post('/worlds', { name: 'other', fixture: { pipelines: [{ name: 'p', type: 'ruby' }] } }),
  ).toMatchObject({
    status: 422,
    body: {
      errors: [
        {
          path: '$.fixture.pipelines[0].type',
          expected: 'one of integration, pyspark, python, streaming',
          found: '"ruby"',
        },
      ],
    },
  })
  expect((await get('/worlds/other')).status).toBe(404)
})

it('gives birth to a world by the first write to it, and not by looking or deleting', async () => {
  const { get, send, post } = await open()

  expect(await get('/worlds/new/state')).toMatchObject({
    status: 404,
    body: { title: 'Not Found', detail: 'There is no world "new".' },
  })
  expect((await send('DELETE', '/worlds/new/faults')).status).toBe(404)
  expect((await post('/worlds/new/clock/advance', { duration: 'soon', more: 1 })).status).toBe(422)
  expect((await get('/worlds/new')).status).toBe(404)
  expect((await post('/worlds/new/factories/pipeline', { values: { name: 'first' } })).status).toBe(201)
  expect((await get('/worlds/new/records/pipelines/first')).status).toBe(200)
  expect((await get('/worlds/main/records/pipelines/first')).status).toBe(404)
})

// ── State ───────────────────────────────────────────────────────────────────────────────────────────────────────────

it('exports a state that it can import', async () => {
  const { get, send } = await open()
  const state = (await get(`${world}/state`)).body as Record<string, unknown>
  expect(state).toMatchObject({ clock: '2026-03-01T09:00:00.000Z', api_keys: ['test-key'] })

  expect((await send('PUT', `${world}/state`, { pipelines: [{ name: 'only' }] })).status).toBe(204)
  expect((await get(`${world}/records/pipelines`)).body).toMatchObject({ records: [{ uuid: 'only' }] })
  expect((await send('PUT', `${world}/state`, state)).status).toBe(204)
  expect((await get(`${world}/state`)).body).toEqual(state)
})

it.each([
  [
    { backfills: [{ pipeline_uuid: 'nobody' }] },
    { path: '$.backfills[0].pipeline_uuid', expected: 'the key of one of the pipelines', found: '"nobody"' },
  ],
  [
    { pipelines: [{ name: 'p', type: 'ruby' }] },
    {
      path: '$.pipelines[0].type',
      expected: 'one of integration, pyspark, python, streaming',
      found: '"ruby"',
    },
  ],
])('refuses the broken state %j and changes nothing', async (fixture, flaw) => {
  const { get, send } = await open()
  const before = (await get(`${world}/state`)).text
  const reply = await send('PUT', `${world}/state`, fixture)

  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply).toMatchObject({
    status: 422,
    body: { type: 'about:blank', title: 'Unprocessable Content', status: 422, errors: [flaw] },
  })
  expect((await get(`${world}/state`)).text).toBe(before)
})

it('keeps and restores snapshots', async () => {
  const { get, post, send } = await open()

  expect((await send('PUT', `${world}/snapshots/before%20it`)).status).toBe(204)
  await send('DELETE', `${world}/records/backfills/1`)
  expect((await get(`${world}/snapshots`)).body).toEqual({ snapshots: ['before it'] })
  expect((await post(`${world}/snapshots/before%20it/restore`)).status).toBe(204)
  expect((await get(`${world}/records/backfills/1`)).body).toMatchObject({ name: 'january' })
  expect((await post(`${world}/snapshots/after/restore`)).body).toMatchObject({
    status: 404,
    detail: 'There is no snapshot after; there are before it.',
  })
})

// ── Records and factories ───────────────────────────────────────────────────────────────────────────────────────────

it('lists the records of a resource, and those with given values', async () => {
  const { get } = await open()
  const names = async (query: string) => {
    const { records } = (await get(`${world}/records/backfills${query}`)).body as {
      records: { name: string }[]
    }
    return records.map(({ name }) => name)
  }

  expect((await get(`${world}/records/blocks`)).body).toMatchObject({ key: 'uuid', scope: 'pipeline_uuid' })
  expect((await get(`${world}/records/users`)).body).toMatchObject({ records: [{ password: 'lantern' }, {}] })
  expect(await names('')).toEqual(['january', 'no dates', 'old files', 'february', 'new files'])
  expect(await names('?pipeline_uuid=archive')).toEqual(['old files', 'new files'])
  expect(await names('?pipeline_uuid=archive&status=failed')).toEqual(['old files'])
  expect(await names('?id=4')).toEqual(['february'])
  expect(await names('?status=null')).toEqual(['no dates', 'february', 'new files'])
  expect(await names('?variables=%7B%22region%22%3A%22north%22%7D')).toEqual(['january'])
  expect((await get(`${world}/records/projects?name=demo`)).body).toMatchObject({ records: [{ id: 1 }] })
  expect(await get(`${world}/records/backfills?stauts=failed`)).toMatchObject({
    status: 400,
    body: {
      errors: [{ path: '?stauts', expected: expect.stringMatching(/^one of id, /), found: '"stauts"' }],
    },
  })
})

it('creates, reads, changes and deletes any record, past what the API lets clients write', async () => {
  const { get, post, send } = await open()
  const created = await post(`${world}/records/backfills`, {
    pipeline_uuid: 'archive',
    status: 'running',
    created_at: '2020-01-01 00:00:00.000000+00:00',
  })

  expect(created).toMatchObject({ status: 201, body: { id: 6, status: 'running' } })
  expect(await send('PATCH', `${world}/records/backfills/6`, { status: 'failed' })).toMatchObject({
    status: 200,
    body: { id: 6, status: 'failed', created_at: '2020-01-01 00:00:00.000000+00:00' },
  })
  expect((await get(`${world}/records/backfills/6`)).body).toMatchObject({ status: 'failed' })
  expect((await send('DELETE', `${world}/records/backfills/6`)).status).toBe(204)
  expect(await get(`${world}/records/backfills/6`)).toMatchObject({
    status: 404,
    body: { detail: 'No backfill has the id "6".' },
  })
})

it('reaches a block by its pipeline and its uuid, as one segment', async () => {
  const { get, send } = await open()
  const path = `${world}/records/blocks/daily_sales%2Fsum_up`

  expect((await get(path)).body).toMatchObject({ pipeline_uuid: 'daily_sales', uuid: 'sum_up' })
  expect((await send('PATCH', path, { status: 'failed' })).body).toMatchObject({ status: 'failed' })
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await get(path)).body).toMatchObject({
    detail: 'No block has the key (pipeline_uuid/uuid) "daily_sales/sum_up".',
  })
})

it.each([
  ['POST', 'backfills', { pipeline_uuid: 'nobody' }, 'pipeline_uuid', 'the key of one of the pipelines'],
  [
    'POST',
    'backfills',
    { pipeline_uuid: 'archive', stauts: 'x' },
    'stauts',
    expect.stringMatching(/^one of id, /),
  ],
  ['POST', 'pipelines', { name: 'archive' }, 'uuid', 'a value that no other record has'],
  ['PATCH', 'backfills/1', { status: 'paused' }, 'status', expect.stringContaining('initial, running')],
  ['PATCH', 'backfills/1', { stauts: 'failed' }, 'stauts', expect.stringMatching(/^one of id, /)],
  ['PATCH', 'backfills/1', { id: 9 }, 'id', '"1", which cannot change'],
])('refuses %s of %s with %j and changes nothing', async (method, path, body, attribute, expected) => {
  const { get, send } = await open()
  const before = (await get(`${world}/state`)).text

  expect(await send(method, `${world}/records/${path}`, body)).toMatchObject({
    status: 422,
    body: { errors: [{ path: `$.${attribute}`, expected }] },
  })
  expect((await get(`${world}/state`)).text).toBe(before)
})

it('makes records by the factories', async () => {
  const { post } = await open()
  const make = async (singular: string, body?: object) => {
    const reply = await post(`${world}/factories/${singular}`, body)
    return (reply.body as { records: Record<string, unknown>[] }).records
  }

  expect(await make('pipeline')).toMatchObject([{ name: 'pipeline 3' }])
  expect(await make('pipeline_schedule', { count: 2, values: { pipeline_uuid: 'archive' } })).toMatchObject([
    { id: 5, pipeline_uuid: 'archive' },
    { id: 6, pipeline_uuid: 'archive' },
  ])
  expect(await make('pipelineSchedule', { traits: ['hourly', 'active'] })).toMatchObject([
    { schedule_interval: '@hourly', status: 'active' },
  ])
  expect(await make('backfill', { values: [{ name: 'a' }, { name: 'b' }] })).toMatchObject([
    { name: 'a' },
    { name: 'b' },
  ])
})

it.each([
  ['backfill', { values: { status: 'paused' } }, { path: '$.values.status', found: '"paused"' }],
  [
    'backfill',
    { count: 3, values: [{}] },
    { path: '$.count', expected: '1, as there are values', found: '3' },
  ],
  ['backfill', { count: 1e9 }, { path: '$.count', expected: 'at most 10000' }],
  ['backfill', { cuont: 1 }, { path: '$.cuont', expected: 'no such key' }],
])('refuses to make a %s of %j', async (singular, body, flaw) => {
  const { post } = await open()

  expect(await post(`${world}/factories/${singular}`, body)).toMatchObject({
    status: 422,
    body: { errors: [flaw] },
  })
})

it.each(['records/nothings', 'records/then', 'factories/nothing', 'factories/then'])(
  'says that there are no %s',
  async (path) => {
    const { post } = await open()

    expect((await post(`${world}/${path}`, {})).status).toBe(404)
  },
)

// ── Time and runs ───────────────────────────────────────────────────────────────────────────────────────────────────

it('reads and moves the clock', async () => {
  const { get, post } = await open()

  expect((await get(`${world}/clock`)).body).toEqual({
    now: 1_772_355_600_000,
    at: '2026-03-01T09:00:00.000Z',
    speed: 0,
  })
  expect((await post(`${world}/clock/advance`, { duration: '90s' })).body).toMatchObject({
    at: '2026-03-01T09:01:30.000Z',
  })
  expect((await post(`${world}/clock/freeze`, { at: '2026-01-31 12:00:00' })).body).toMatchObject({
    at: '2026-01-31T12:00:00.000Z',
  })
  expect((await post(`${world}/clock/run`, { speed: 1 })).body).toMatchObject({
    at: expect.stringMatching(/^2026-01-31T12:00:0/),
    speed: 1,
  })
  expect((await post(`${world}/clock/freeze`)).status).toBe(200)
  expect((await post(`${world}/clock/reset`)).body).toMatchObject({ at: '2026-03-01T09:00:00.000Z' })
})

it('stops the clock at the end of the year 9999, and goes on answering there', async () => {
  const { get, post, url } = await open()

  expect((await post(`${world}/clock/advance`, { duration: 1e308 })).body).toEqual({
    now: 253_402_300_799_999,
    at: '9999-12-31T23:59:59.999Z',
    speed: 0,
    leftOut: {},
  })
  expect((await fetch(`${url}/api/pipelines`)).status).toBe(200)
  expect((await get(`${world}/journal`)).body).toMatchObject({
    entries: [{ at: '9999-12-31T23:59:59.999Z' }],
  })
})

it.each([
  ['advance', { duration: 'soon' }],
  ['advance', { duration: -1 }],
  ['advance', {}],
  ['freeze', { at: 'tomorrow' }],
  ['run', { speed: 'fast' }],
])('refuses to %s the clock with %j', async (path, body) => {
  const { get, post } = await open()

  expect((await post(`${world}/clock/${path}`, body)).status).toBe(422)
  expect((await get(`${world}/clock`)).body).toMatchObject({ at: '2026-03-01T09:00:00.000Z' })
})

it('scripts, finishes and advances runs', async () => {
  const { get, post, url } = await open()
  const trigger = () => fetch(`${url}/api/pipeline_schedules/2/pipeline_runs/hand-token`, { method: 'POST' })
  const statusOf = async (id: number) =>
    ((await get(`${world}/records/pipeline_runs/${id}`)).body as { status: string }).status

  expect(
    (
      await post(`${world}/runs/script`, {
        target: { pipeline_uuid: 'daily_sales' },
        script: { ends_as: 'failed' },
      })
    ).status,
  ).toBe(204)
  for (let count = 0; count < 4; count++) await trigger()
  await post(`${world}/runs/script`, { target: { id: 5 }, script: { after: '1h' } })
  await post(`${world}/runs/6/finish`, { status: 'cancelled' })
  await post(`${world}/runs/7/advance`)
  await post(`${world}/clock/advance`, { duration: '5s' })

  expect([await statusOf(4), await statusOf(5), await statusOf(6)]).toEqual([
    'failed',
    'running',
    'cancelled',
  ])
  expect(await statusOf(7)).not.toBe('running')
  expect(await post(`${world}/runs/99/finish`)).toMatchObject({
    status: 404,
    body: { detail: 'No pipeline_run has the id 99.' },
  })
  expect(
    (await post(`${world}/runs/script`, { target: { pipeline_uuid: 'nobody' }, script: {} })).status,
  ).toBe(404)
  expect((await post(`${world}/runs/script`, { target: { id: 4 }, script: { after: 'soon' } })).status).toBe(
    422,
  )
})

// ── Faults, assumptions, tokens ─────────────────────────────────────────────────────────────────────────────────────

it('adds, lists and removes faults', async () => {
  const { get, post, send, url } = await open()
  const fault = { operation: 'listPipelines', times: 1, error: { code: 503, message: 'Later.' } }
  const added = await post(`${world}/faults`, fault)
  const { id } = added.body as { id: string }

  expect(added).toMatchObject({ status: 201, body: { ...fault, used: 0 } })
  expect(await (await fetch(`${url}/api/pipelines`)).json()).toMatchObject({ error: { code: 503 } })
  expect((await get(`${world}/faults`)).body).toEqual({ faults: [{ ...fault, id, used: 1 }] })
  expect((await send('DELETE', `${world}/faults/${id}`)).status).toBe(204)
  expect((await send('DELETE', `${world}/faults/${id}`)).status).toBe(404)
  await post(`${world}/faults`, fault)
  expect((await send('DELETE', `${world}/faults`)).status).toBe(204)
  expect((await get(`${world}/faults`)).body).toEqual({ faults: [] })
})

it.each([
  [{}, '$'],
  [{ hang: true, drop: true }, '$'],
  [{ hang: 'yes' }, '$.hang'],
  [{ hang: true, tiems: 1 }, '$.tiems'],
  [{ operation: 'nothing', hang: true }, '$.operation'],
])('refuses the fault %j', async (fault, path) => {
  const { post } = await open()

  expect(await post(`${world}/faults`, fault)).toMatchObject({ status: 422, body: { errors: [{ path }] } })
})

it('lists and switches assumptions', async () => {
  const { get, send, url } = await open()
  const { assumptions } = (await get(`${world}/assumptions`)).body as { assumptions: { id: string }[] }
  const countOf = async () =>
    ((await (await fetch(`${url}/api/pipelines?_limit=1`)).json()) as { metadata: { count: number } })
      .metadata.count

  expect(assumptions.find(({ id }) => id === 'list-count')).toMatchObject({
    section: 'List metadata',
    values: ['total', 'items', 'unrelated'],
  })
  expect(await countOf()).toBe(2)
  expect((await send('PATCH', `${world}/assumptions`, { 'list-count': 'items' })).status).toBe(204)
  expect(await countOf()).toBe(1)
  expect(await send('PATCH', `${world}/assumptions`, { 'list-count': 'many' })).toMatchObject({
    status: 422,
    body: { detail: 'list-count: expected one of total, items, unrelated; found "many".' },
  })
})

it('gives the raw token of a decoded one, and signs everybody out', async () => {
  const { post } = await open()
  const { token } = (await post(`${world}/tokens/raw`, { token: 'mira-laptop' })).body as { token: string }

  expect(token.split('.')).toHaveLength(3)
  expect((await post(`${world}/tokens/raw`, { token: 'nobodys' })).status).toBe(404)
  expect((await post(`${world}/sign-out`)).body).toMatchObject({ signedOut: expect.any(Number) })
})

// ── The journal ─────────────────────────────────────────────────────────────────────────────────────────────────────

it('lists, filters, exports and empties the journal', async () => {
  const { get, send, url } = await open()
  await fetch(`${url}/api/pipelines/archive`)
  await fetch(`${url}/api/pipelines/nobody`)
  await fetch(`${url}/api/backfills/1`, { method: 'DELETE' })
  const statuses = async (query: string) => {
    const { entries } = (await get(`${world}/journal${query}`)).body as { entries: { status: number }[] }
    return entries.map(({ status }) => status)
  }

  expect(await statuses('')).toEqual([200, 404, 200])
  expect(await statuses('?operation=readPipeline')).toEqual([200, 404])
  expect(await statuses('?operation=readPipeline&status=404')).toEqual([404])
  expect(await statuses('?method=DELETE')).toEqual([200])
  expect(await statuses('?path=/api/pipelines/archive')).toEqual([200])
  expect((await get(`${world}/journal?staus=404`)).status).toBe(400)
  expect((await get(`${world}/journal?status=none`)).status).toBe(400)
  expect((await get(`${world}/journal.har`)).body).toMatchObject({
    log: { version: '1.2', entries: [{}, {}, {}] },
  })
  expect((await send('DELETE', `${world}/journal`)).status).toBe(204)
  expect(await statuses('')).toEqual([])
})

/** Follows the journal, or the changes, and gives the text of the stream so far. */
async function follow(
  url: string,
  headers: Record<string, string> = {},
  of = world,
  path = '/journal/stream',
) {
  const request = get(`${url}${base}${of}${path}`, { agent: false, headers })
  const [response] = await once(request, 'response')
  const text = { value: '', hasEnded: false }
  response.on('data', (chunk: Buffer) => {
    text.value += chunk.toString()
  })
  response.on('close', () => {
    text.hasEnded = true
  })
  response.on('error', () => {})
  reached.add(path === '/changes' ? 'streamChanges' : 'streamJournal')
  return { request, response, text }
}

const until = (holds: () => unknown) => expect.poll(holds, { timeout: 20_000, interval: 10 })

it('streams the journal as server-sent events', async () => {
  const { url } = await open()
  const { request, response, text } = await follow(url)
  await fetch(`${url}/api/pipelines/archive`)
  await until(() => text.value).toMatch(/data: /)
  request.destroy()
  const [id, event, data] = text.value.split('\n\n')[1]!.split('\n')

  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  expect({ id, event }).toEqual({ id: 'id: 1', event: 'event: request' })
  expect(JSON.parse(data!.slice('data: '.length))).toMatchObject({ sequence: 1, operation: 'readPipeline' })
})

it('streams what came after the last event a client has seen', async () => {
  const { url } = await open()
  for (const uuid of ['one', 'two', 'three']) await fetch(`${url}/api/pipelines/${uuid}`)
  const { request, text } = await follow(url, { 'last-event-id': '1' })
  await fetch(`${url}/api/pipelines/four`)
  await until(() => [...text.value.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual([2, 3, 4])
  request.destroy()
})

it('ends its streams when the server closes, and when the understudy is disposed of', async () => {
  const first = await open()
  const one = await follow(first.url)
  await first.close()
  await until(() => one.text.hasEnded).toBe(true)

  const second = await open()
  const other = await follow(second.url)
  second.understudy.dispose()
  await until(() => other.text.hasEnded).toBe(true)
})

it('ends the streams of a world that is deleted', async () => {
  const { url, understudy } = await open()
  understudy.worlds.create('alice')
  const { text } = await follow(url, {}, '/worlds/alice')
  understudy.worlds.delete('alice')

  await until(() => text.hasEnded).toBe(true)
})

it('ends the stream of a world that is deleted while a follower catches up', async () => {
  const { url, understudy } = await open()
  const alice = understudy.worlds.create('alice')
  for (let index = 0; index < 200; index++)
    await alice.fetch(
      new Request('http://localhost/api/pipelines', {
        method: 'POST',
        body: JSON.stringify({
          pipeline: { name: `p${index}`, type: 'python', description: 'x'.repeat(60_000) },
        }),
      }),
    )
  const { response, text } = await follow(url, { 'last-event-id': '0' }, '/worlds/alice')
  response.pause()
  understudy.worlds.delete('alice')
  response.resume()

  await until(() => text.hasEnded).toBe(true)
})

it('writes nothing more to a stream that has ended, however long its follower reads nothing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const understudy = createUnderstudy()
  const listener = createListener(understudy, { admin: true })
  const responses: ServerResponse[] = []
  const errors: unknown[] = []
  const server = createServer((request, response) => {
    responses.push(response.on('error', (error) => errors.push(error)))
    listener(request, response, () => response.end())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  const alice = understudy.worlds.create('alice')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.write(`GET ${base}/worlds/alice/journal/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await until(() => responses[0]?.headersSent).toBe(true)
  for (let index = 0; index < 600 && responses[0]!.writableLength < 1_000_000; index++) {
    const pipeline = { name: `p${index}`, type: 'python', description: 'x'.repeat(60_000) }
    const body = JSON.stringify({ pipeline })
    await alice.fetch(new Request('http://localhost/api/pipelines', { method: 'POST', body }))
    await new Promise((done) => setImmediate(done))
  }
  understudy.worlds.delete('alice')
  vi.advanceTimersByTime(60_000)
  await new Promise((done) => setImmediate(done))

  const { writableEnded, writableFinished } = responses[0]!
  expect({ writableEnded, writableFinished, errors }).toEqual({
    writableEnded: true,
    writableFinished: false,
    errors: [],
  })
})

// ── Wrong paths and methods ─────────────────────────────────────────────────────────────────────────────────────────

it.each([
  ['/helth', ['/health']],
  ['/worlds/main/fault', ['/worlds/:world/faults']],
  ['/worlds/main/clock/advanced', ['/worlds/:world/clock/advance']],
  ['/worlds/main/snapshot/before', ['/worlds/:world/snapshots/:name']],
])('names what is near the unknown path %s', async (path, near) => {
  const { get } = await open()
  const { status, body } = await get(path)

  expect(status).toBe(404)
  for (const each of near) expect((body as { detail: string }).detail).toContain(`${base}${each}`)
})

it.each(['', '/', '/nothing/like/it/anywhere', '/health/', '/worlds//state', '/worlds/main/records'])(
  'says that nothing is at %j',
  async (path) => {
    const { get } = await open()

    expect(await get(path)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining(`Nothing is at "${base}${path}".`) },
    })
  },
)

it.each([
  ['POST', '/health', 'GET, HEAD'],
  ['PUT', '/worlds', 'GET, HEAD, POST'],
  ['PUT', '/worlds/main/records/backfills/1', 'GET, HEAD, PATCH, DELETE'],
  ['OPTIONS', '/worlds/main/clock/advance', 'POST'],
])('names the methods that work where %s of %s does not', async (method, path, allowed) => {
  const { send } = await open()
  const { status, headers } = await send(method, path)

  expect(status).toBe(405)
  expect(headers.allow).toBe(allowed)
})

it('answers HEAD as it would GET, without the body', async () => {
  const { url } = await open()
  const head = await fetch(`${url}${base}/health`, { method: 'HEAD' })
  const stream = await fetch(`${url}${base}${world}/journal/stream`, { method: 'HEAD' })

  expect(head.headers.get('content-length')).toBe(String('{"status":"ok"}\n'.length))
  expect(await head.text()).toBe('')
  expect(await stream.text()).toBe('')
})

it('tells what comes next, and goes there', async () => {
  const { get, post } = await open()
  const next = await get(`${world}/clock/next?limit=1`)

  expect(next.body).toEqual({
    count: 3,
    events: [
      {
        at: '2026-03-04T09:00:00.000Z',
        wait: 259_200_000,
        kind: 'expires',
        plural: 'oauth_access_tokens',
        key: '***',
        name: null,
        belongsTo: { user_id: 1 },
        text: 'A token of mira expires.',
      },
    ],
  })
  expect((await get(`${world}/clock/next?within=1d`)).body).toEqual({ count: 3, events: [] })
  expect((await post(`${world}/clock/next`)).body).toMatchObject({
    at: '2026-03-04T09:00:00.000Z',
    events: [{ kind: 'expires' }],
    count: 1,
  })
  expect(await get(`${world}/clock/next?within=soon`)).toMatchObject({
    status: 422,
    body: { code: 'ARGUMENT_INVALID' },
  })
})

it('describes what each resource is, those that a fixture added included', async () => {
  const { get } = await open()
  const { resources } = (await get(`${world}/resources`)).body as {
    resources: { plural: string; attributes: Record<string, unknown> }[]
  }
  const of = (plural: string) => resources.find((resource) => resource.plural === plural)

  expect(of('backfills')).toMatchObject({
    singular: 'backfill',
    key: 'id',
    scope: null,
    isStored: true,
    isOpen: false,
    references: { pipeline_uuid: 'pipelines', pipeline_schedule_id: 'pipeline_schedules' },
    operations: expect.arrayContaining([expect.objectContaining({ id: 'updateBackfill', method: 'PUT' })]),
  })
  expect(of('backfills')?.attributes.status).toMatchObject({
    anyOf: [{ enum: ['initial', 'running', 'completed', 'failed', 'cancelled'] }, { type: 'null' }],
  })
  expect(of('blocks')).toMatchObject({ key: 'uuid', scope: 'pipeline_uuid' })
  expect(of('sessions')).toMatchObject({ isStored: false })
})

it('lists and starts scenarios, and takes that back', async () => {
  const { get, post, understudy } = await open()

  expect((await get(`${world}/scenarios`)).body).toEqual({ scenarios: [] })
  expect(
    await post(`${world}/scenarios/start`, { description: 'Slow.', faults: [{ latency: '1s' }] }),
  ).toMatchObject({
    status: 204,
  })
  expect(understudy.faults.list()).toMatchObject([{ latency: '1s' }])
  expect((await post(`${world}/undo`)).body).toEqual({ undone: 'scenario' })
  expect(understudy.faults.list()).toEqual([])
  expect(await post(`${world}/undo`)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect(await post(`${world}/scenarios/start`, { description: 'Broken.', faults: [{}] })).toMatchObject({
    status: 422,
    body: { code: 'SCENARIO_BROKEN', errors: [{ path: '$.faults[0]' }] },
  })
  expect(await post(`${world}/scenarios/slow/start`)).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  })
})

it('starts a scenario that the understudy was given by its name', async () => {
  const understudy = createUnderstudy({
    scenarios: { slow: { description: 'Slow.', faults: [{ latency: '1s' }] } },
  })
  const { url, close } = await serve(understudy, { port: 0 })
  onTestFinished(close)
  const started = await fetch(`${url}${base}${world}/scenarios/slow/start`, { method: 'POST' })
  check(
    'POST',
    `${world}/scenarios/slow/start`,
    new ApiReply(started.status, Object.fromEntries(started.headers), ''),
  )

  expect(understudy.faults.list()).toMatchObject([{ latency: '1s' }])
})

it('counts records, all of them, those that filters keep, and by the value of an attribute', async () => {
  const { get } = await open()

  expect((await get(`${world}/counts/backfills`)).body).toEqual({ count: 5 })
  expect((await get(`${world}/counts/backfills?status=null&pipeline_uuid=archive`)).body).toEqual({
    count: 1,
  })
  expect((await get(`${world}/counts/backfills/status`)).body).toEqual({
    counts: { completed: 1, failed: 1, null: 3 },
  })
  expect(await get(`${world}/counts/backfills/state`)).toMatchObject({
    status: 404,
    body: { code: 'ARGUMENT_INVALID', errors: [{ path: 'attribute', found: '"state"' }] },
  })
  expect(await get(`${world}/counts/backfills?state=failed`)).toMatchObject({
    status: 400,
    body: { code: 'ARGUMENT_INVALID', errors: [{ path: '?state' }] },
  })
})

it('says what a deletion would take along', async () => {
  const { get } = await open()

  expect((await get(`${world}/records/blocks/daily_sales%2Fsum_up/deletion`)).body).toEqual({
    plural: 'blocks',
    key: 'daily_sales/sum_up',
    along: [],
    stays: [],
    text: 'Deleting the block daily_sales/sum_up takes nothing along.',
  })
})

it('lists the last errors in the logs', async () => {
  const { get, understudy } = await open()
  await understudy.factories.log.create({
    pipeline_uuid: 'archive',
    content: 'INFO read\nERROR no such file\n',
  })

  expect((await get(`${world}/last-errors?pipeline_uuid=archive`)).body).toMatchObject({
    errors: [{ pipeline_uuid: 'archive', block_uuid: null, line: 'ERROR no such file' }],
  })
  expect((await get(`${world}/last-errors?pipeline=archive`)).body).toMatchObject({
    code: 'ARGUMENT_INVALID',
    detail: 'Failed to find the last errors: expected a filter by pipeline_uuid; found "pipeline".',
  })
})

it('gives parts of the records, how values are spread over them, and the newest of each', async () => {
  const { get } = await open()
  const pages = `${world}/pages/backfills`

  expect(
    (await get(`${pages}?search=archive&where={"status":"failed"}&orderBy=-id&reverse=true&limit=1`)).body,
  ).toMatchObject({ key: 'id', scope: null, count: 1, records: [{ id: 3, status: 'failed' }] })
  expect((await get(`${pages}?orderBy=status,-id&offset=2&limit=2`)).body).toMatchObject({
    count: 5,
    records: [{ id: 5 }, { id: 4 }],
  })
  expect((await get(`${pages}/spread/status?parts=1`)).body).toEqual({
    spread: [{ completed: 1, failed: 1, null: 3 }],
  })
  expect((await get(`${pages}/newest/pipeline_uuid?limit=1`)).body).toMatchObject({
    newest: { daily_sales: [{ id: 4 }], archive: [{ id: 5 }] },
  })
  for (const [query, refused, expected] of [
    ['?where=[1]', 400, 'a JSON object'],
    ['?where={"__proto__":1}', 400, 'a JSON object'],
    ['?limit=many', 400, 'a whole number'],
    ['?limit=5000', 422, 'from 0 to 1000; found 5000'],
    ['?orderBy=state', 422, 'found \\"state\\"'],
    [`?search=${'x'.repeat(501)}`, 400, '500'],
    ['/spread/state', 422, 'found \\"state\\"'],
  ] as const) {
    const { status, body } = await get(`${pages}${query}`)
    expect([query, status]).toEqual([query, refused])
    expect(JSON.stringify(body)).toContain(expected)
  }
  expect((await get(`${world}/pages/nothing`)).status).toBe(404)
})

it('follows what changes, other worlds apart, and one change for all of one turn', async () => {
  const { url, understudy } = await open()
  const { request, response, text } = await follow(url, {}, world, '/changes')
  understudy.world('elsewhere').clock.advance('1s')
  understudy.clock.advance('1s')
  understudy.clock.advance('1s')
  await until(() => text.value).toContain('clock')
  await understudy.factories.backfill.create({ pipeline_uuid: 'archive' })
  await until(() => text.value).toContain('backfills')
  request.destroy()

  expect(response.headers['content-type']).toBe('text/event-stream')
  expect(text.value.split('\n\n').slice(0, -1)).toEqual([
    ': follows',
    'event: change\ndata: {"parts":["clock","worlds"]}',
    'event: change\ndata: {"parts":["records/backfills"]}',
  ])
})

it('becomes a wrong server, and the good one again', async () => {
  const { get, send } = await open(await switchable(createUnderstudy({ fixture: company }), undefined))
  const isOn = async () => {
    const { body } = await get('/wrong-servers')
    return (body as { wrongServers: { name: string; isOn: boolean }[] }).wrongServers.filter(
      (each) => each.isOn,
    )
  }
  await send('PUT', '/wrong-server', { name: 'count-as-text' })

  const isNow = async () => (await get('/wrong-server')).body
  const wrong = { name: 'count-as-text', breaks: 'list-metadata/count', isOn: true }
  expect(await isOn()).toEqual([wrong])
  expect(await isNow()).toEqual({ wrongServer: wrong })
  await send('PUT', '/wrong-server', { name: null })
  expect(await isOn()).toEqual([])
  expect(await isNow()).toEqual({ wrongServer: null })
  expect(await send('PUT', '/wrong-server', { name: 'count-as-txt' })).toMatchObject({ status: 404 })
})

it('takes the ways of a real server while it runs, and those of the document again', async () => {
  const { get, send, url } = await open(await switchable(createUnderstudy({ fixture: company }), undefined))
  const schedules = async () => {
    const reply = await (await fetch(`${url}/api/pipeline_schedules`)).json()
    return Object.keys((reply as { pipeline_schedules: object[] }).pipeline_schedules[0]!)
  }
  const documented = await schedules()
  await send('POST', `${world}/records/pipelines`, { name: 'made before' })
  await send('PUT', '/profile', { name: 'mage-ai-0.9.79' })

  expect((await get('/profiles')).body).toEqual({ profiles: [{ name: 'mage-ai-0.9.79', isOn: true }] })
  expect((await schedules()).length).toBeGreaterThan(documented.length)
  const count = async () => ((await get(`${world}/counts/pipelines`)).body as { count: number }).count
  const there = await count()
  await send('POST', `${world}/reset`)
  expect(await count()).toBe(there - 1)
  expect((await schedules()).length).toBeGreaterThan(documented.length)
  await send('PUT', '/profile', { name: null })
  expect(await schedules()).toEqual(documented)
  expect(await send('PUT', '/profile', { name: 'mage' })).toMatchObject({ status: 404 })
})

it('takes no other profile where the state is kept for one', async () => {
  const understudy = createUnderstudy({ fixture: company })
  const { send } = await open(await switchable(understudy, undefined, { isKept: true }))

  expect(await send('PUT', '/profile', { name: 'mage-ai-0.9.79' })).toMatchObject({ status: 409 })
})

it('refuses query parameters that a route does not have', async () => {
  const { get } = await open()

  expect(await get('/health?verbose=1')).toMatchObject({
    status: 400,
    body: { errors: [{ path: '?verbose', expected: 'no such parameter', found: '"1"' }] },
  })
})

it('has been asked for every route of its table', () => {
  expect([...reached].sort()).toEqual(adminRoutes.map(({ id }) => id).sort())
})

it('gives birth to no world that goes while it is read, and ends what follows it', async () => {
  const understudy = createUnderstudy()
  const admin = createAdmin(understudy)
  const read = (name: string, path: string) =>
    admin.answer({
      method: 'GET',
      path: `/__understudy__/api/worlds/${name}${path}`,
      query: new URLSearchParams(),
      headers: { host: 'localhost' },
      remoteAddress: '127.0.0.1',
      body: undefined,
    })

  // The world goes after as many steps of the reply as there may be.
  for (let steps = 0; steps < 20; steps++) {
    const name = `w${steps}`
    understudy.worlds.create(name)
    const replies = ['/clock', '/clock/next', '/journal', '/records/pipelines', '/resources'].map((path) =>
      read(name, path),
    )
    const stream = read(name, '/changes')
    for (let step = 0; step < steps; step++) await null
    understudy.worlds.delete(name)

    for (const { status } of await Promise.all(replies)) expect([200, 404, 409]).toContain(status)
    const { body } = await stream
    if (typeof body === 'function') {
      const hasEnded = vi.fn<() => void>()
      body({ write: () => undefined, ready: async () => undefined, end: hasEnded })
      expect(hasEnded).toHaveBeenCalledOnce()
    }
    expect(understudy.worlds.list().map((world) => world.name)).toEqual(['main'])
  }
})

it.each<[string, string, unknown, number]>([
  ['GET', `${world}/records/none`, undefined, 404],
  ['PATCH', `${world}/records/backfills/99`, { name: 'x' }, 404],
  ['GET', `${world}/records/backfills/99/deletion`, undefined, 404],
  ['DELETE', `${world}/records/backfills/99`, undefined, 404],
  ['GET', `${world}/counts/none`, undefined, 404],
  ['GET', `${world}/pages/none`, undefined, 404],
  ['GET', `${world}/pages/none/spread/status`, undefined, 404],
  ['GET', `${world}/pages/none/newest/status`, undefined, 404],
  ['GET', `${world}/pages/backfills/newest/none`, undefined, 422],
  ['POST', `${world}/runs/99/advance`, undefined, 404],
  ['PUT', '/wrong-server', { name: 'none' }, 409],
])('answers %s %s with a problem where there is none of it', async (method, path, json, status) => {
  const { send } = await open()

  expect(await send(method, path, json)).toMatchObject({ status, body: { status } })
})

it('keeps a thousand snapshots, and refuses one more', async () => {
  const { understudy, send } = await open(createUnderstudy())
  for (let count = 0; count < 1_000; count++) understudy.snapshot(`s${count}`)

  expect((await send('PUT', `${world}/snapshots/s1`)).status).toBe(204)
  expect((await send('PUT', `${world}/snapshots/more`)).status).toBe(409)
})

it('meets each problem that a route names besides those of all', () => {
  const named = adminRoutes.flatMap(({ id, problems = [] }) => problems.map((status) => `${id} ${status}`))

  expect(named.filter((each) => !met.has(each))).toEqual([])
})
