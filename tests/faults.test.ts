import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { faultKinds } from '../src/engine/faults/fault-kinds.ts'
import { createHandlers } from '../src/handlers/index.ts'
import { createUnderstudy, type Fault } from '../src/index.ts'
import { adapters, allAdapters, express } from './support/adapters.ts'
import { type Api, open, openInMemory } from './support/api.ts'
import { company } from './support/company.ts'
import { serveMock } from './support/serve-mock.ts'

const options = { fixture: company }
const name = async (api: Api, headers: Record<string, string> = {}) =>
  (await api.get('/api/backfills/1', headers)).record.name
const rename = (api: Api, to: string) => api.put('/api/backfills/1', { backfill: { name: to } })

/** Returns the duration and the result of a promise. */
async function timed<Result>(run: () => Promise<Result>): Promise<{ milliseconds: number; result: Result }> {
  const start = performance.now()
  const result = await run()
  return { milliseconds: performance.now() - start, result }
}

it.each(allAdapters)('answers once with an error instead of the operation through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  api.understudy.faults.add({
    operation: 'deleteBackfill',
    times: 1,
    error: { code: 500, type: 'out_of_disk', message: 'No space is left.' },
  })
  const first = await api.delete('/api/backfills/1')

  expect(first.status).toBe(200)
  expect(first.headers['content-type']).toBe('application/json')
  expect(first.body).toEqual({
    error: { code: 500, message: 'No space is left.', type: 'out_of_disk' },
    status: 200,
  })
  expect(await name(api)).toBe('january')
  expect((await api.delete('/api/backfills/1')).body).toHaveProperty('backfill.id', 1)
})

it.each([
  [404, 'record_not_found'],
  [403, 'unauthorized_access'],
  [500, 'internal_error'],
])('gives an error %s the default type %s', async (code, type) => {
  const api = await openInMemory(options)
  api.understudy.faults.add({ error: { code } })

  expect((await api.get('/api/pipelines')).body).toMatchObject({ error: { code, type } })
})

it.each(allAdapters)('answers with an HTTP status, headers and a body through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  api.understudy.faults.add({
    path: '/api/pipelines',
    status: 503,
    headers: { 'Retry-After': '7' },
    body: { busy: true },
  })
  const reply = await api.get('/api/pipelines')

  expect(reply.status).toBe(503)
  expect(reply.headers['retry-after']).toBe('7')
  expect(reply.body).toEqual({ busy: true })
})

it.each(allAdapters)('sends no body with a status that has none through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  for (const fault of [{ status: 204 }, { status: 205 }, { status: 204, slowBody: '20ms' }]) {
    api.understudy.faults.add({ ...fault, body: 'left out', times: 1 })
    const reply = await api.get('/api/pipelines')

    expect(reply.status).toBe(fault.status)
    if (adapter.name !== 'memory') expect(reply.text).toBe('')
  }
})

it.each(allAdapters)('answers with the page of a proxy through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  api.understudy.faults.add({ badGateway: true })
  const reply = await api.get('/api/pipelines')

  expect(reply.status).toBe(502)
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.text).toContain('<h1>502 Bad Gateway</h1>')
})

it.each(allAdapters)('cuts the JSON of a reply through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  const whole = (await api.get('/api/pipelines')).text
  api.understudy.faults.add({ truncate: true, times: 1 })
  api.understudy.faults.add({ truncate: 12 })

  const half = await api.get('/api/pipelines')
  expect(half.text).toBe(whole.slice(0, Math.floor(whole.length / 2)))
  expect((await api.get('/api/pipelines')).text).toBe('{"pipelines"')
})

it.each(allAdapters)('runs the operation despite the fault on request, through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  api.understudy.faults.add({ operation: 'updateBackfill', status: 504, runs: true })

  expect((await rename(api, 'lost reply')).status).toBe(504)
  expect(await name(api)).toBe('lost reply')
})

it.each(adapters)('waits before a reply through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  api.understudy.faults.add({ latency: '80ms' })
  const { milliseconds, result } = await timed(() => api.get('/api/pipelines'))

  expect(result.body).toHaveProperty('metadata.count', 2)
  expect(milliseconds).toBeGreaterThan(75)
})

it.each(adapters)('delays the head and the body of a reply through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  const whole = (await api.get('/api/pipelines')).text
  api.understudy.faults.add({ slowHeaders: '60ms', times: 1 })
  api.understudy.faults.add({ slowBody: '60ms' })

  const slow = await timed(() => api.get('/api/pipelines'))
  expect(slow.milliseconds).toBeGreaterThan(110)
  expect(slow.result.text).toBe(whole)
  const body = await timed(() => api.get('/api/pipelines'))
  expect(body.milliseconds).toBeGreaterThan(55)
  expect(body.result.text).toBe(whole)
})

it.each(adapters)('writes a header of a fault unchanged, even if slow, through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  api.understudy.faults.add({ status: 503, headers: { 'x-note': 'caf\u00e9' }, slowHeaders: '20ms' })

  expect((await api.get('/api/pipelines')).headers).toHaveProperty('x-note', 'caf\u00e9')
})

it.each(adapters)('closes the connection without a reply through %s', async (_, adapter) => {
  const api = await open(adapter, options)
  api.understudy.faults.add({ drop: true, times: 1 })

  await expect(api.get('/api/pipelines')).rejects.toThrow(/Failed to fetch|socket hang up/)
  expect((await api.get('/api/pipelines')).body).toHaveProperty('metadata.count', 2)
})

it.each(adapters)(
  'leaves a request without an answer until it is disposed of through %s',
  async (_, adapter) => {
    const api = await open(adapter, options)
    api.understudy.faults.add({ hang: true })
    let outcome = 'waiting'
    const reply = api.get('/api/pipelines').then(
      () => (outcome = 'answered'),
      () => (outcome = 'closed'),
    )
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(outcome).toBe('waiting')
    api.understudy.dispose()
    await reply

    expect(outcome).toBe('closed')
  },
)

it('ends the wait of a client that leaves', async () => {
  const understudy = createUnderstudy({ fixture: company, faults: [{ hang: true }] })
  const reason = new Error('I have waited enough.')
  const controller = new AbortController()
  const reply = understudy.fetch(new Request('http://x.test/api/pipelines', { signal: controller.signal }))
  setTimeout(() => controller.abort(reason), 20)

  await expect(reply).rejects.toBe(reason)
})

it('breaks a connection in the middle of the body through Express', async () => {
  const api = await open(express, options)
  const whole = await api.get('/api/pipelines')
  api.understudy.faults.add({ reset: true })
  const socket = connect(api.port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  socket.on('error', () => undefined)
  socket.write('GET /api/pipelines HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'close')
  const [head = '', body = ''] = Buffer.concat(received).toString().split('\r\n\r\n')

  expect(head).toContain(`content-length: ${Buffer.byteLength(whole.text)}`)
  expect(body.length).toBeLessThan(whole.text.length)
})

it('reports in memory how a reply would be delivered', () => {
  const understudy = createUnderstudy({ fixture: company })
  understudy.faults.add({ latency: 20, slowBody: '1s', times: 1 })
  understudy.faults.add({ reset: true })

  expect(understudy.dispatch({ method: 'GET', url: '/api/pipelines' })).toMatchObject({
    code: 200,
    delivery: { delay: 20, bodyTime: 1_000, end: 'reset' },
    faults: ['fault-1', 'fault-2'],
  })
})

it('fails a fetch in memory as a network would', async () => {
  const understudy = createUnderstudy({ fixture: company })
  understudy.faults.add({ drop: true, times: 1 })
  understudy.faults.add({ reset: true })
  const request = () => new Request('http://service.test/api/pipelines')

  await expect(understudy.fetch(request())).rejects.toThrow(TypeError)
  const response = await understudy.fetch(request())
  await expect(response.text()).rejects.toThrow('A fault reset the connection.')
})

const matched = async (fault: Fault, paths: readonly string[], seed = 1) => {
  const api = await openInMemory({ ...options, seed })
  api.understudy.faults.add({ ...fault, error: { code: 500 } })
  const codes = []
  for (const path of paths) {
    const [method = 'GET', url = ''] = path.split(' ')
    codes.push((await api.send({ method, path: url })).error.code === 500)
  }
  return codes
}

it.each<[string, Fault, boolean[]]>([
  ['an operation', { operation: 'readBackfill' }, [true, true, false, false, false, false]],
  ['a method', { method: 'DELETE' }, [false, false, false, false, true, false]],
  ['a path', { path: '/api/backfills/:id' }, [true, true, false, false, true, false]],
  ['a path with a star', { path: '/api/pipelines*' }, [false, false, false, true, false, true]],
  [
    'a method and a path',
    { method: 'GET', path: '/api/backfills/:id' },
    [true, true, false, false, false, false],
  ],
  ['a record', { record: { backfills: 2 } }, [false, true, false, false, false, false]],
  [
    'a record that a path stands under',
    { record: { pipelines: 'daily_sales' } },
    [false, false, false, true, false, false],
  ],
])('matches requests by %s', async (_, fault, expected) => {
  const paths = [
    'GET /api/backfills/1',
    'GET /api/backfills/2',
    'GET /api/backfills',
    'GET /api/pipelines/daily_sales/backfills',
    'DELETE /api/backfills/3',
    'GET /api/pipelines/archive',
  ]

  expect(await matched(fault, paths)).toEqual(expected)
})

it('matches a block by its uuid, or also by its pipeline', async () => {
  const paths = ['GET /api/pipelines/daily_sales/blocks/sum_up']

  expect(await matched({ record: { blocks: 'sum_up' } }, paths)).toEqual([true])
  expect(await matched({ record: { blocks: 'daily_sales/sum_up' } }, paths)).toEqual([true])
  expect(await matched({ record: { blocks: 'archive/sum_up' } }, paths)).toEqual([false])
})

it('applies to the first requests, to every third, or with a seeded probability', async () => {
  const reads = Array.from({ length: 9 }, () => 'GET /api/pipelines')

  expect(await matched({ times: 2 }, reads)).toEqual([true, true, ...Array(7).fill(false)])
  expect(await matched({ every: 3 }, reads)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1].map(Boolean))
  expect(await matched({ every: 3, times: 1 }, reads)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0].map(Boolean))
  const drawn = await matched({ probability: 0.5 }, reads)
  expect(drawn).toContain(true)
  expect(drawn).toContain(false)
  expect(await matched({ probability: 0.5 }, reads)).toEqual(drawn)
  expect(await matched({ probability: 0.5 }, reads, 2)).not.toEqual(drawn)
  expect(await matched({ probability: 0 }, reads)).toEqual(Array(9).fill(false))
})

it('draws latencies around their mean and median by the seed', () => {
  const draw = (fault: Fault, seed: number) => {
    const understudy = createUnderstudy({ seed })
    understudy.faults.add(fault)
    const call = () => understudy.dispatch({ method: 'GET', url: '/api/pipelines' })
    return Array.from(
      { length: 400 },
      () => (call() as { delivery?: { delay?: number } }).delivery?.delay ?? 0,
    )
  }
  const normal = draw({ latency: { normal: { mean: '100ms', deviation: '10ms' } } }, 1)
  const lognormal = draw({ latency: { lognormal: { median: 50, sigma: 0.5 } } }, 1).toSorted((a, b) => a - b)

  const mean = normal.reduce((sum, delay) => sum + delay, 0) / normal.length
  const deviation = Math.sqrt(normal.reduce((sum, delay) => sum + (delay - mean) ** 2, 0) / normal.length)
  expect(mean).toBeGreaterThan(98)
  expect(mean).toBeLessThan(102)
  expect(deviation).toBeGreaterThan(8)
  expect(deviation).toBeLessThan(12)
  expect(lognormal[200]).toBeGreaterThan(43)
  expect(lognormal[200]).toBeLessThan(57)
  expect(draw({ latency: { normal: { mean: '100ms', deviation: '10ms' } } }, 1)).toEqual(normal)
})

it('begins each world with the faults it was created with, and goes back to them with a reset', async () => {
  const api = await openInMemory({
    ...options,
    faults: [{ operation: 'listPipelines', times: 1, error: { code: 500 } }],
  })
  const { understudy } = api
  const list = (world: string) => api.get('/api/pipelines', { 'x-understudy-world': world })

  expect((await list('alice')).body).toHaveProperty('error.code', 500)
  expect((await list('alice')).body).toHaveProperty('metadata.count', 2)
  expect((await list('bob')).body).toHaveProperty('error.code', 500)
  understudy.world('alice').faults.add({ error: { code: 501 } })
  understudy.world('alice').reset()
  expect(understudy.world('alice').faults.list()).toHaveLength(1)
  expect((await list('alice')).body).toHaveProperty('error.code', 500)
})

it('does not apply to preflights unless a fault names OPTIONS', async () => {
  const api = await openInMemory(options)
  api.understudy.faults.add({ badGateway: true })
  expect((await api.send({ method: 'OPTIONS', path: '/api/pipelines' })).status).toBe(204)
  api.understudy.faults.add({ method: 'OPTIONS', status: 403 })

  expect((await api.send({ method: 'OPTIONS', path: '/api/pipelines' })).status).toBe(403)
})

const kinds = Object.entries(faultKinds)
const namesOf = (chosen: typeof kinds) => chosen.map(([kind]) => kind).join(', ')
const answers = kinds.filter(([_, kind]) => kind.decides === 'answer')
const replacements = answers.filter(([_, kind]) => 'runsOperation' in kind && !kind.runsOperation)

it.each<[string, unknown]>([
  [`$: expected an effect: one of ${namesOf(kinds)}; found none of them`, {}],
  [`$: expected one of ${namesOf(answers)}; found hang and drop`, { hang: true, drop: true }],
  ['$.tims: expected the key "times"', { hang: true, tims: 1 }],
  [
    '$.operation: expected the operation "deleteBackfill"; found "deleteBackfil".',
    { operation: 'deleteBackfil', hang: true },
  ],
  ['$.error.code: expected a number; found nothing', { error: { message: 'x' } }],
  ['$.error.mesage: expected the key "message", or one of code, type', { error: { code: 500, mesage: 'x' } }],
  [
    '$.latency.normal.mena: expected the key "mean", or one of deviation',
    { latency: { normal: { mena: 1, deviation: 1 } } },
  ],
  ['$.latency: expected milliseconds, or a duration such as 5s', { latency: 'soon' }],
  ['$.probability: expected at most 1; found 2', { hang: true, probability: 2 }],
  ['$.times: expected at least 1; found 0', { hang: true, times: 0 }],
  [
    '$.record: expected one plural and one key, such as { backfills: 7 }',
    { hang: true, record: { a: 1, b: 2 } },
  ],
  ['$: expected a status beside body and headers; found none', { hang: true, body: 'x' }],
  ['$: expected an object; found []', []],
  [
    '$.path: expected a path such as /api/backfills/:id, without query and last slash; found "/pipelines"',
    { hang: true, path: '/pipelines' },
  ],
  [
    '$.path: expected a path such as /api/backfills/:id, without query and last slash',
    { hang: true, path: '/api/pipelines?_limit=1' },
  ],
  ['$.headers.bad header: expected a header name', { status: 500, headers: { 'bad header': 'x' } }],
  [
    '$.headers.a: expected text without line breaks; found "b\\r\\nc: d"',
    { status: 500, headers: { a: 'b\r\nc: d' } },
  ],
  [
    '$.headers.Trailer: expected no header that frames the message: the server sets it; found "x"',
    { status: 200, headers: { Trailer: 'x' } },
  ],
  [
    '$.body.amount: expected data alone, as JSON has it; found a bigint',
    { status: 200, body: { amount: 1n } },
  ],
  ['$.body: expected data alone, as JSON has it; found a function', { status: 200, body: () => 1 }],
  ['$.path: expected at most 500; found', { hang: true, path: `/api/${'x'.repeat(500)}` }],
  [`$.runs: expected ${namesOf(replacements)} beside it; found none of them`, { reset: true, runs: false }],
  [
    '$.record: expected the plural "backfills", or one of pipelines, blocks, pipeline_schedules, pipeline_runs; found "backfill"',
    { hang: true, record: { backfill: 7 } },
  ],
])('rejects a fault that is broken at %s', (message, fault) => {
  const { faults } = createUnderstudy()

  expect(() => faults.add(fault as Fault)).toThrow(`[understudy] The fault is broken at ${message}`)
  expect(faults.list()).toEqual([])
})

it.each(['content-length', 'transfer-encoding', 'upgrade', 'keep-alive', 'Connection'])(
  'rejects a fault with the header %s, which frames the reply',
  (name) => {
    const { faults } = createUnderstudy()

    expect(() => faults.add({ status: 200, headers: { [name]: 'chunked' } })).toThrow(`$.headers.${name}`)
  },
)

it('rejects a reset with Mock Service Worker, in either order', () => {
  const reason =
    '[understudy] The fault is broken at $.reset: expected an effect that Mock Service Worker supports; found reset: '
  const first = createUnderstudy()
  createHandlers(first)
  expect(() => first.faults.add({ reset: true })).toThrow(reason)
  expect(() => first.world('alice').faults.add({ reset: true })).toThrow(reason)

  const later = createUnderstudy()
  later.faults.add({ reset: true })
  expect(() => createHandlers(later)).toThrow(reason)
})

it('sends a delayed reply at once when its server closes, and cuts one that hangs', async () => {
  const { understudy, url, close } = await serveMock(undefined, { grace: 4_000 })
  understudy.faults.add({ path: '/api/pipelines', latency: '1h' })
  understudy.faults.add({ path: '/api/backfills', hang: true })
  const late = fetch(`${url}/api/pipelines`)
  const never = fetch(`${url}/api/backfills`).then(
    () => 'answered',
    () => 'closed',
  )
  await expect.poll(() => understudy.faults.list().map(({ used }) => used)).toEqual([1, 1])
  await close()

  expect((await late).status).toBe(200)
  expect(await never).toBe('closed')
})
