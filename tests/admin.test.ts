import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createAdmin } from '../src/admin/create-admin.ts'
import { adminRoutes } from '../src/admin/index.ts'
import { createUnderstudy, type Understudy } from '../src/index.ts'
import { createListener } from '../src/server/listener.ts'
import { AdminCheck, adminBase as base } from './support/admin-check.ts'
import { ApiReply } from './support/api.ts'
import { serveMock } from './support/serve-mock.ts'

const admin = new AdminCheck()
const world = '/worlds/main'

/** Serves the small fixture; compares each reply with the table of routes. */
async function open(understudy?: Understudy, whenOver = onTestFinished) {
  const { url, close, ...served } = await serveMock(understudy, {}, whenOver)
  const send = async (method: string, path: string, json?: unknown) => {
    const sent = json !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }
    const response = await admin.fetch(`${url}${base}${path}`, { method, ...sent })
    return new ApiReply(response.status, Object.fromEntries(response.headers), await response.text())
  }
  return { ...served, url, close, send, get: (path: string) => send('GET', path) }
}

it('reports its health and version', async () => {
  const { get } = await open()

  expect((await get('/health')).body).toEqual({ status: 'ok' })
  expect((await get('/version')).body).toEqual({
    name: 'pipeline-understudy',
    version: '0.1.0',
    auth: 'open',
  })
})

it('describes each of its routes in an OpenAPI document', async () => {
  const { get } = await open()
  const { body } = await get('/openapi.json')
  const document = body as { paths: Record<string, Record<string, { operationId: string }>> }
  const described = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )

  expect(described.sort()).toEqual(adminRoutes.map(({ id }) => id).sort())
})

it('describes the attributes and operations of a resource, a timestamp by its pattern', async () => {
  const { get } = await open()
  const { body } = await get(`${world}/resources`)
  const { resources } = body as { resources: { plural: string }[] }
  const described = (name: string) => resources.find(({ plural }) => plural === name)
  const timestamp = String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}\+00:00$`

  expect(described('pipeline_runs')).toMatchObject({ attributes: { execution_date: { pattern: timestamp } } })
  expect(described('logs')).toMatchObject({
    ...{ singular: 'log', key: 'id', attributes: { content: { type: 'string' } } },
    operations: [{ id: 'listLogs', method: 'GET', path: '/api/pipelines/:pipeline_uuid/logs' }],
  })
})

it('creates a world with the first write, not with a read or a deletion', async () => {
  const { get, send } = await open()

  expect(await get('/worlds/new/state')).toMatchObject({
    status: 404,
    body: {
      title: 'Not Found',
      code: 'NOT_FOUND',
      detail: 'There is no world "new". POST /__understudy__/api/worlds creates it.',
    },
  })
  expect((await send('DELETE', '/worlds/new/faults')).status).toBe(404)
  expect((await send('POST', '/worlds/new/clock/advance', { duration: 'soon', more: 1 })).status).toBe(422)
  expect((await get('/worlds/new')).status).toBe(404)
  expect((await send('POST', '/worlds/new/factories/pipeline', { values: { name: 'first' } })).status).toBe(
    201,
  )
  expect((await get('/worlds/new/records/pipelines/first')).status).toBe(200)
  expect((await get('/worlds/main/records/pipelines/first')).status).toBe(404)
})

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

it('stops the clock at the end of the year 9999, and continues to answer', async () => {
  const { get, send, url } = await open()

  expect((await send('POST', `${world}/clock/advance`, { duration: 1e308 })).body).toEqual({
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

it('ends its streams when the server closes, and when the mock is disposed', async () => {
  const first = await open()
  const one = await follow(first.url)
  await first.close()
  await until(() => one.text.hasEnded).toBe(true)

  const second = await open()
  const other = await follow(second.url)
  second.understudy.dispose()
  await until(() => other.text.hasEnded).toBe(true)
})

it('ends the stream of a world that is deleted while a follower catches up', async () => {
  const { url, understudy } = await open()
  const alice = understudy.worlds.create('alice')
  for (let index = 0; index < 80; index++)
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

it('writes nothing to an ended stream whose client does not read', async () => {
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

it.each([
  ['/helth', '/health'],
  ['/worlds/main/fault', '/worlds/main/faults'],
  ['/worlds/main/clock/advanced', '/worlds/main/clock/advance'],
  ['/worlds/main/snapshot/before', '/worlds/main/snapshots/before'],
])('names what is near the unknown path %s', async (path, near) => {
  const { get } = await open()
  const { status, body } = await get(path)

  expect(status).toBe(404)
  expect((body as { detail: string }).detail).toMatch(new RegExp(`Did you mean ${near}\\?$`))
})

it.each(['', '/', '/nothing/like/it/anywhere', '/health/', '/worlds//state', '/worlds/main/records'])(
  'reports an unknown path %j',
  async (path) => {
    const { get } = await open()

    expect(await get(path)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining(`Nothing is at "${base}${path}".`) },
    })
  },
)

it('answers HEAD as it would GET, without the body', async () => {
  const { url } = await open()
  const head = await fetch(`${url}${base}/health`, { method: 'HEAD' })
  const stream = await fetch(`${url}${base}${world}/journal/stream`, { method: 'HEAD' })

  expect(head.headers.get('content-length')).toBe(String('{"status":"ok"}\n'.length))
  expect(await head.text()).toBe('')
  expect(await stream.text()).toBe('')
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

it('starts a scenario by its name', async () => {
  const scenarios = { slow: { description: 'Slow.', faults: [{ latency: '1s' }] } }
  const { understudy, send } = await open(createUnderstudy({ scenarios }))
  await send('POST', `${world}/scenarios/slow/start`)

  expect(understudy.faults.list()).toMatchObject([{ latency: '1s' }])
})

it('does not create a world again that is deleted during a read', async () => {
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

it('stores a thousand snapshots, and rejects one more', async () => {
  const { understudy, send } = await open(createUnderstudy())
  for (let count = 0; count < 1_000; count++) understudy.snapshot(`s${count}`)

  expect((await send('PUT', `${world}/snapshots/s1`)).status).toBe(204)
  expect((await send('PUT', `${world}/snapshots/more`)).status).toBe(409)
})

let unchanged: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  unchanged = await open(undefined, () => undefined)
})
afterAll(() => unchanged.close())

const flaw = (path: string, found?: string) => ({ errors: [{ path, ...(found !== undefined && { found }) }] })

it.each<[string, string, unknown, number, object?]>([
  ['GET', '/health?verbose=1', undefined, 400, flaw('?verbose', '"1"')],
  ['POST', '/worlds', { name: 'main' }, 409, { code: 'NAME_TAKEN', title: 'Conflict' }],
  ['DELETE', '/worlds/main', undefined, 409],
  [
    'POST',
    '/worlds',
    { name: 'other', fixture: { pipelines: [{ name: 'p', type: 'ruby' }] } },
    422,
    flaw('$.fixture.pipelines[0].type', '"ruby"'),
  ],
  [
    'PUT',
    `${world}/state`,
    { pipelines: [{ name: 'p', type: 'ruby' }] },
    422,
    flaw('$.pipelines[0].type', '"ruby"'),
  ],
  ['PUT', `${world}/state`, [], 422],
  ['PUT', `${world}/state`, undefined, 422],
  [
    'PUT',
    `${world}/state`,
    { backfills: [{ pipeline_uuid: 'nobody' }] },
    422,
    flaw('$.backfills[0].pipeline_uuid'),
  ],
  [
    'POST',
    `${world}/snapshots/after/restore`,
    undefined,
    404,
    { detail: 'There is no snapshot "after"; there are none.' },
  ],
  ['GET', `${world}/difference?snapshot=after`, undefined, 404],
  ['GET', `${world}/difference?snapshot=a&from=main`, undefined, 400],
  ['GET', `${world}/records/none`, undefined, 404],
  ['GET', `${world}/records/then`, undefined, 404],
  ['POST', `${world}/records/nothings`, {}, 404],
  ['POST', `${world}/records/backfills`, { pipeline_uuid: 'nobody' }, 422, flaw('$.pipeline_uuid')],
  ['POST', `${world}/records/backfills`, { pipeline_uuid: 'archive', stauts: 'x' }, 422, flaw('$.stauts')],
  ['POST', `${world}/records/pipelines`, { name: 'archive' }, 422, flaw('$.uuid')],
  ['PATCH', `${world}/records/backfills/1`, { status: 'paused' }, 422, flaw('$.status', '"paused"')],
  ['PATCH', `${world}/records/backfills/1`, { stauts: 'failed' }, 422, flaw('$.stauts')],
  ['PATCH', `${world}/records/backfills/1`, { id: 9 }, 422, flaw('$.id')],
  ['PATCH', `${world}/records/backfills/99`, { name: 'x' }, 404],
  ['DELETE', `${world}/records/backfills/99`, undefined, 404],
  ['GET', `${world}/records/backfills/99/deletion`, undefined, 404],
  ['POST', `${world}/factories/nothing`, {}, 404],
  ['POST', `${world}/factories/then`, {}, 404],
  [
    'POST',
    `${world}/factories/backfill`,
    { values: { status: 'paused' } },
    422,
    flaw('$.values.status', '"paused"'),
  ],
  ['POST', `${world}/factories/backfill`, { count: 3, values: [{}] }, 422, flaw('$.count', '3')],
  ['POST', `${world}/factories/backfill`, { count: 1e9 }, 422, flaw('$.count')],
  ['POST', `${world}/factories/backfill`, { cuont: 1 }, 422, flaw('$.cuont')],
  ['POST', `${world}/clock/advance`, { duration: 'soon' }, 422],
  ['POST', `${world}/clock/advance`, { duration: -1 }, 422],
  ['POST', `${world}/clock/advance`, {}, 422],
  ['POST', `${world}/clock/freeze`, { at: 'tomorrow' }, 422],
  ['POST', `${world}/clock/run`, { speed: 'fast' }, 422],
  ['GET', `${world}/clock/next?within=soon`, undefined, 422, { code: 'OPTION_INVALID' }],
  ['POST', `${world}/runs/99/finish`, undefined, 404, { detail: 'No pipeline_run has the id 99.' }],
  ['POST', `${world}/runs/99/advance`, undefined, 404],
  ['POST', `${world}/runs/script`, { target: { pipeline_uuid: 'nobody' }, script: {} }, 404],
  ['POST', `${world}/runs/script`, { target: { id: 1 }, script: { after: 'soon' } }, 422],
  ['POST', `${world}/faults`, {}, 422, flaw('$')],
  ['POST', `${world}/faults`, { hang: true, drop: true }, 422, flaw('$')],
  ['POST', `${world}/faults`, { hang: 'yes' }, 422, flaw('$.hang')],
  ['POST', `${world}/faults`, { hang: true, tiems: 1 }, 422, flaw('$.tiems')],
  ['POST', `${world}/faults`, { operation: 'nothing', hang: true }, 422, flaw('$.operation')],
  ['DELETE', `${world}/faults/1`, undefined, 404],
  ['PATCH', `${world}/assumptions`, { 'list-count': 'many' }, 422],
  ['POST', `${world}/tokens/raw`, { token: 'nobodys' }, 404],
  ['GET', `${world}/journal?status=none`, undefined, 400],
  ['POST', `${world}/undo`, undefined, 409, { code: 'CONFLICT' }],
  ['POST', `${world}/scenarios/start`, { description: 'Broken.', faults: [{}] }, 422, flaw('$.faults[0]')],
  ['POST', `${world}/scenarios/slow/start`, undefined, 404, { code: 'NOT_FOUND' }],
  ['GET', `${world}/last-errors?pipeline=archive`, undefined, 422, { code: 'OPTION_INVALID' }],
  ['GET', `${world}/pages/none`, undefined, 404],
  ['GET', `${world}/pages/none/spread/status`, undefined, 404],
  ['GET', `${world}/pages/none/newest/status`, undefined, 404],
  ['GET', `${world}/pages/backfills/newest/none`, undefined, 422],
  ['GET', `${world}/pages/backfills/spread/state`, undefined, 422],
  ['GET', `${world}/pages/backfills?where=[1]`, undefined, 400],
  ['GET', `${world}/pages/backfills?where={"__proto__":1}`, undefined, 400],
  ['GET', `${world}/pages/backfills?limit=many`, undefined, 400],
  ['GET', `${world}/pages/backfills?limit=5000`, undefined, 422],
  ['GET', `${world}/pages/backfills?orderBy=state`, undefined, 422],
  ['GET', `${world}/pages/backfills?search=${'x'.repeat(501)}`, undefined, 400],
])('rejects %s %s with %j, and changes nothing', async (method, path, json, status, part = {}) => {
  const { understudy, send } = unchanged
  const before = JSON.stringify(understudy.export())
  const reply = await send(method, path, json)

  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply).toMatchObject({ status, body: { type: 'about:blank', status, ...part } })
  expect(JSON.stringify(understudy.export())).toBe(before)
})

it.each([
  [
    'POST',
    '/worlds/main/clock/advance',
    { duraton: '5s' },
    'The body cannot be accepted at $.duration: expected ',
  ],
  [
    'GET',
    '/worlds/main/journal?staus=404',
    undefined,
    'The query cannot be accepted at ?staus: expected the key "status", or one of ',
  ],
  ['POST', '/worlds/main/faults', { hagn: true }, 'The fault is broken at $.hagn: expected the key "hang"'],
])('names the first flaw of %s %s in the detail of the problem', async (method, path, json, detail) => {
  const { send } = await open()

  const { body } = await send(method, path, json)

  expect(body).toMatchObject({ code: expect.any(String), detail: expect.stringContaining(detail) })
})

it.each([
  ['POST', '/health', 'GET, HEAD'],
  ['PUT', '/worlds', 'GET, HEAD, POST'],
  ['PUT', '/worlds/main/records/backfills/1', 'GET, HEAD, PATCH, DELETE'],
  ['OPTIONS', '/worlds/main/clock/advance', 'POST'],
])('names the methods that work where %s of %s does not', async (method, path, allowed) => {
  const { send } = await open()

  expect(await send(method, path)).toMatchObject({
    status: 405,
    headers: { allow: allowed },
    body: { code: 'METHOD_NOT_ALLOWED' },
  })
})
