import * as fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../src/admin/client/index.ts'
import { createAdmin } from '../src/admin/index.ts'
import { JsonText } from '../src/admin/json-text.ts'
import { piecesOf } from '../src/engine/messages.ts'
import { beginSlice, doInSlices, endSlice, inTurn, Turns } from '../src/engine/worlds/turns.ts'
import { createUnderstudy, type Fixture } from '../src/index.ts'
import { buildDocument } from '../src/openapi/index.ts'
import { toYaml } from '../src/openapi/openapi-yaml.ts'
import { profiles } from '../src/profiles/index.ts'
import { serve } from '../src/server/serve.ts'
import type { Slices } from '../src/shared/slices.ts'
import { stateOf } from './support/api.ts'
import { openServed } from './support/open-served.ts'
import { patient } from './support/patient.ts'

const turnOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Work that ends when others have had their turn, or are not to have it; it leaves a mark where it begins and ends. */
function* longWork(marks: string[], name: string): Slices<string> {
  marks.push(`${name} begins`)
  let isOver = false
  void turnOfLoop().then(() => {
    isOver = true
  })
  while (!isOver && !completed.has(name)) yield
  marks.push(`${name} ends`)
  return name
}

/** The work that is not waited for. */
const completed = new Set<string>()

/** A pipeline on which so many backfills hang: what a request to it takes longer than a slice. */
const manyOn = (count: number): Fixture => ({
  pipelines: [{ name: 'many' }],
  backfills: Array.from({ length: count }, (_, index) => ({
    name: `backfill ${index}`,
    pipeline_uuid: 'many',
    created_at: '2026-01-01 00:00:00',
  })),
})

it('gives the result of work that fits into a slice at once, and of longer work later', async () => {
  const turns = new Turns()

  expect(doInSlices((function* () {})())).toBeUndefined()
  expect(turns.take((function* (): Slices<number> { yield; return 7 })())).toBe(7) // biome-ignore format: one line
  expect(doInSlices(longWork([], 'a'))).toBeInstanceOf(Promise)
  expect(await doInSlices(longWork([], 'a'))).toBe('a')
  expect(turns.isTaken).toBe(false)
})

it('gives way at once where what came before the work has taken a slice', async () => {
  function* short(): Slices<string> {
    yield
    return 'done'
  }
  beginSlice()
  onTestFinished(endSlice)
  const end = performance.now() + 15
  while (performance.now() < end);
  const result = doInSlices(short())
  endSlice()

  expect(result).toBeInstanceOf(Promise)
  expect(await result).toBe('done')
  expect(doInSlices(short())).toBe('done')
})

it('lets those that come to a world at work wait, in their order, each with what it throws', async () => {
  const turns = new Turns()
  const marks: string[] = []
  const taken = turns.take(longWork(marks, 'first'))
  const waiting = [
    turns.after(() => turns.take(longWork(marks, 'second'))),
    turns.after(() => marks.push('third')),
    turns.after((): never => {
      throw new Error('fourth')
    }),
    turns.after(() => marks.push('fifth')),
  ]
  expect(turns.isTaken).toBe(true)

  await taken
  expect(await Promise.allSettled(waiting)).toMatchObject([
    { value: 'second' },
    { status: 'fulfilled' },
    { reason: new Error('fourth') },
    { status: 'fulfilled' },
  ])
  expect(marks).toEqual(['first begins', 'first ends', 'second begins', 'second ends', 'third', 'fifth'])
  expect(turns.isTaken).toBe(false)
})

it('completes work for whoever cannot wait, and goes on after work that fails', async () => {
  const turns = new Turns()
  const marks: string[] = []
  const taken = turns.take(longWork(marks, 'completed'))
  completed.add('completed')
  turns.complete()
  expect(marks).toEqual(['completed begins', 'completed ends'])
  expect(await taken).toBe('completed')

  await turnOfLoop()
  const failing = turns.take(
    (function* (): Slices {
      yield* longWork(marks, 'failing')
      // What asks for itself is not waited for.
      turns.complete()
      throw new Error('broken')
    })(),
  )
  const next = turns.after(() => 'next')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

it('lets others have their turn while it gives what an iterable holds', async () => {
  const numbers = Array.from({ length: 3 }, (_, index) => index)
  const slow = (function* () {
    for (const number of numbers) {
      // Longer than a slice.
      const end = performance.now() + 15
      while (performance.now() < end);
      yield number
    }
  })()
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const given: number[] = []
  for await (const number of inTurn(slow)) given.push(number)
  clearInterval(counting)

  expect(given).toEqual([0, 1, 2])
  expect(turns).toBeGreaterThan(0)
})

it('serves other worlds while one is at work, and its own requests in their order afterwards', async () => {
  const understudy = createUnderstudy({ fixture: manyOn(20_000) })
  onTestFinished(() => understudy.dispose())
  const order: string[] = []
  const ask = async (name: string, world: string, method: string, path: string) => {
    const reply = await understudy.world(world).dispatch({ method, url: path, inSlices: true })
    order.push(name)
    return JSON.parse(reply?.body ?? '')
  }
  const replies = await Promise.all([
    ask('deletion', 'a', 'DELETE', '/api/pipelines/many'),
    ask('after it', 'a', 'GET', '/api/backfills?_limit=1'),
    ask('the last', 'a', 'GET', '/api/pipelines'),
    ask('elsewhere', 'b', 'GET', '/api/backfills?_limit=1'),
  ])

  expect(order).toEqual(['elsewhere', 'deletion', 'after it', 'the last'])
  expect(replies).toMatchObject([
    { pipeline: { uuid: 'many' } },
    { backfills: [], metadata: { count: 0 } },
    { pipelines: [] },
    { backfills: [{}], metadata: { count: 20_000 } },
  ])
  const [deletion, ...others] = understudy.world('a').journal.entries()
  expect([deletion?.operation, deletion?.changes.length, deletion?.omittedChanges]).toEqual([
    'deletePipeline',
    1_000,
    19_001,
  ])
  expect(others.map(({ operation, sequence }) => [operation, sequence])).toEqual([
    ['listBackfills', 2],
    ['listPipelines', 3],
  ])
})

it('shows nobody half of what is at work', async () => {
  const understudy = createUnderstudy({ fixture: manyOn(20_000) })
  onTestFinished(() => understudy.dispose())
  const deleting = understudy.fetch('/api/pipelines/many', { method: 'DELETE' })
  let left = 20_000
  for (let looks = 0; left === 20_000; looks++) {
    expect(looks).toBeLessThan(10_000)
    await turnOfLoop()
    left = understudy.model.backfills.count()
  }

  expect(left).toBe(0)
  expect(await (await deleting).json()).toMatchObject({ pipeline: { uuid: 'many' } })
})

it('answers the same bytes in slices as at once', async () => {
  const fixture = manyOn(5_000)
  const [one, other] = [createUnderstudy({ fixture }), createUnderstudy({ fixture })]
  const path = '/api/backfills?_limit=4999&_offset=1'
  const atOnce = await one.dispatch({ method: 'GET', url: path })
  const inSlices = await (await other.fetch(path)).text()

  expect(atOnce?.body).toBe(inSlices)
  expect(JSON.parse(inSlices)).toMatchObject({ metadata: { count: 5_000, next: false } })
})

it('answers a list of few records in slices, too, where each of them is long', async () => {
  const numbers = Array.from({ length: 200_000 }, (_, index) => index * 1e9)
  const backfills = [1, 2, 3].map((id) => ({
    id,
    name: `${id}`,
    pipeline_uuid: 'many',
    variables: { numbers },
  }))
  const understudy = createUnderstudy({ fixture: { ...manyOn(0), backfills }, journal: false })
  const request = { method: 'GET', url: '/api/backfills?pipeline_uuid=many' }
  const inSlices = understudy.dispatch({ ...request, headers: {}, body: undefined, inSlices: true })

  expect(inSlices).toBeInstanceOf(Promise)
  expect((await inSlices)?.body).toBe((await understudy.dispatch(request))?.body)
  expect(JSON.parse((await inSlices)!.body)).toMatchObject({
    backfills: [{ id: 1 }, { id: 2 }, { id: 3 }],
    metadata: { count: 3, next: false },
  })
})

it('reads a large state in slices, also where all of it has come', async () => {
  const understudy = createUnderstudy()
  onTestFinished(() => understudy.dispose())
  const admin = createAdmin(understudy, { token: undefined, host: undefined })
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  let turnsMeanwhile = 0
  async function* pieces() {
    yield Buffer.from('{"custom":{"things":[{"id":1}')
    for (let part = 0; part < 40; part++) {
      const things = Array.from({ length: 2_000 }, (_, index) => `{"id":${2 + part * 2_000 + index}}`)
      yield Buffer.from(`,${things.join()}`)
    }
    yield Buffer.from(']}}')
    turnsMeanwhile = turns
  }
  const reply = await admin.answer({
    method: 'PUT',
    path: '/__understudy__/api/worlds/main/state',
    query: new URLSearchParams(),
    headers: { host: '127.0.0.1:6789', 'content-type': 'application/json' },
    remoteAddress: '127.0.0.1',
    body: undefined,
    pieces,
  })
  clearInterval(counting)

  expect(reply.status).toBe(204)
  expect(turnsMeanwhile).toBeGreaterThan(0)
})

it('keeps the text of a long list in pieces, none of which takes long to write', async () => {
  const understudy = createUnderstudy({ fixture: manyOn(5_000), journal: false })
  onTestFinished(() => understudy.dispose())
  const reply = (await understudy.dispatch({ method: 'GET', url: '/api/backfills?_limit=5000' }))!
  const pieces = piecesOf(reply)

  expect(pieces.join('')).toBe(reply.body)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(34_000)
  expect(JSON.parse(reply.body)).toMatchObject({ metadata: { count: 5_000, next: false } })
  understudy.faults.add({ operation: 'listBackfills', truncate: 100 })
  const cut = (await understudy.dispatch({ method: 'GET', url: '/api/backfills?_limit=5000' }))!
  expect(piecesOf(cut)).toEqual([cut.body])
})

it('adds, moves, deletes and clones among many blocks in slices as at once, also where a pipeline gets another uuid', async () => {
  const blocks = Array.from({ length: 300 }, (_, index) => ({
    name: `b${index}`,
    upstream_blocks: index === 0 ? [] : ['b0'],
  }))
  const fixture = { ...manyOn(300), pipelines: ['many', 'other'].map((name) => ({ name, blocks })) }
  const options = { fixture, assumptions: { 'pipeline-rename': 'uuid follows' } } as const
  const [one, other] = [createUnderstudy(options), createUnderstudy(options)]
  for (const [method, url, json] of [
    ['POST', '/api/pipelines/many/blocks', { block: { name: 'first', type: 'custom', priority: 0, pipelines: ['other'] } }], // biome-ignore format: one line
    ['PUT', '/api/pipelines/many/blocks/b299', { block: { priority: 1, status: 'executed' } }],
    ['DELETE', '/api/pipelines/many/blocks/b0?force=True', undefined],
    ['POST', '/api/pipelines', { pipeline: { name: 'copy', type: 'python', clone_pipeline_uuid: 'many', conditionals: [{ name: 'c' }] } }], // biome-ignore format: one line
    ['PUT', '/api/pipelines/many', { pipeline: { name: 'moved' } }],
  ] as const) {
    const request = {
      method,
      url,
      headers: { 'content-type': 'application/json' },
      body: json && JSON.stringify(json),
    }
    const inSlices = await one.dispatch({ ...request, inSlices: true })
    expect(inSlices?.code).toBe(200)
    expect(inSlices?.body).toBe((await other.dispatch(request))?.body)
  }

  expect(one.model.backfills.count((q) => q.where({ pipeline_uuid: 'moved' }))).toBe(300)
  expect(JSON.stringify(stateOf(one))).toBe(JSON.stringify(stateOf(other)))
})

it.each([undefined, profiles['mage-ai-0.9.79']])(
  'lists many log files in slices as at once',
  async (profile) => {
    const logs = Array.from({ length: 700 }, (_, index) => ({
      pipeline_uuid: 'many',
      block_uuid: index % 2 === 0 ? 'load' : null,
      content: `2026-01-01T00:00:00 {"level":"INFO","timestamp":${index}}\n`,
    }))
    const understudy = createUnderstudy({
      fixture: { ...manyOn(0), logs },
      journal: false,
      ...(profile && { profile }),
    })
    const request = { method: 'GET', url: '/api/pipelines/many/logs' }
    const inSlices = understudy.dispatch({
      ...request,
      headers: {},
      body: undefined,
      isNormalized: true,
      inSlices: true,
    })

    expect((await inSlices)?.body).toBe((await understudy.dispatch(request))?.body)
    expect(JSON.parse((await inSlices)!.body)).toMatchObject({
      logs: [{ total_block_run_log_count: 350, total_pipeline_run_log_count: 350 }],
    })
  },
)

it('takes the clock as far in slices as at once', async () => {
  const schedules = ['@hourly', '*/20 * * * *', '@always_on'].map((schedule_interval) => ({
    name: schedule_interval,
    pipeline_uuid: 'many',
    status: 'active',
    schedule_interval,
  }))
  const long = {
    pipeline_uuid: 'many',
    start_datetime: '2026-01-01 00:00:00',
    end_datetime: '2026-01-01 08:00:00',
    interval_type: 'minute',
    interval_units: 1,
  }
  const fixture = { pipelines: [{ name: 'many', blocks: [{ name: 'a' }] }], backfills: [long], pipeline_schedules: schedules } // biome-ignore format: one line
  const { understudy: remote, client } = await openServed(fixture)
  const local = createUnderstudy({ fixture })
  onTestFinished(() => local.dispose())
  for (const { dispatch } of [local, remote]) {
    await dispatch({
      method: 'PUT',
      url: '/api/backfills/1',
      headers: { 'content-type': 'application/json' },
      body: '{"backfill":{"status":"initial"}}',
    })
  }
  await client.clock.advance('1d')
  local.clock.advance('1d')

  expect(local.model.pipeline_runs.count()).toBeGreaterThan(500)
  expect(JSON.stringify(stateOf(remote))).toBe(JSON.stringify(stateOf(local)))
})

it('answers from the old state while a new one is read, and from the new one afterwards', async () => {
  const { url, client, understudy } = await openServed(manyOn(1))
  const counts = new Set<number>()
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const { metadata } = (await (await fetch(`${url}/api/backfills?_limit=1`)).json()) as {
        metadata: { count: number }
      }
      counts.add(metadata.count)
    }
  })()
  await client.import(manyOn(20_000), { asStart: true })
  counts.add(understudy.model.backfills.count())
  isOver = true
  await looking

  expect([...counts]).toEqual([1, 20_000])
  // Worlds that are born later begin with it.
  expect(understudy.world('later').model.backfills.count()).toBe(20_000)
})

it('writes the OpenAPI document of many resources while others are served, as it is written at once', async () => {
  const kinds = Array.from({ length: 200 }, (_, index) => [`kind${index}s`, [{ id: 1, name: 'a: b\n\n- c' }]])
  const { understudy, url } = await openServed({ custom: Object.fromEntries(kinds) })
  const ended: string[] = []
  const ask = async (path: string) => {
    const text = await (await fetch(`${url}${path}`)).text()
    ended.push(path)
    return text
  }
  // Connections, and what the pages are made by, are there.
  await ask('/')
  await Promise.all([ask('/api/users'), ask('/api/users')])
  const yaml = ask('/openapi.yaml')
  await Promise.all([yaml, ask('/api/pipelines')])
  const json = await ask('/openapi.json')

  expect(ended.slice(3)).toEqual(['/api/pipelines', '/openapi.yaml', '/openapi.json'])
  const resources = [...new Set(understudy.endpoints.map(({ resource }) => resource))]
  const document = { ...buildDocument({ resources }), servers: [{ url }] }
  expect(json).toBe(`${JSON.stringify(document)}\n`)
  expect(await yaml).toBe(toYaml(document))
})

it('sends a list of megabytes whole, in any characters, to whoever reads it slowly', async () => {
  const name = 'ä😀'.repeat(500_000)
  const { understudy, url } = await openServed({ pipelines: [{ name: 'a', uuid: 'a', description: name }] })
  const response = await fetch(`${url}/api/pipelines`)
  const expected = (await understudy.dispatch({ method: 'GET', url: '/api/pipelines' }))?.body ?? ''

  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(expected)))
  expect((await response.text()) === expected).toBe(true)
  const head = await fetch(`${url}/api/pipelines`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

it.each([
  ['late', { latency: 5 }, 1],
  ['slow in its body', { slowBody: 20 }, 1],
  ['slow in its head', { slowHeaders: 20 }, 1],
  ['cut', { truncate: 2_500_000 }, 0.5],
  ['broken off', { reset: true }, 0.5],
])('sends a list of megabytes that is %s as it is otherwise', async (_, fault, share) => {
  const backfills = Array.from({ length: 500 }, (_, index) => ({
    name: `${index} ${'ä'.repeat(9_700)}`,
    pipeline_uuid: 'many',
  }))
  const { understudy, url } = await openServed({ ...manyOn(0), backfills })
  const ask = async () => {
    const response = await fetch(`${url}/api/backfills?_limit=500`)
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const piece of response.body!) text += decoder.decode(piece, { stream: true })
    } catch {
      // Broken off, as the fault says.
    }
    return { length: Number(response.headers.get('content-length')), text }
  }
  const whole = await ask()
  understudy.faults.add({ operation: 'listBackfills', ...fault })
  const struck = await ask()

  expect(Buffer.byteLength(whole.text)).toBe(whole.length)
  expect(whole.text.startsWith(struck.text)).toBe(true)
  // A reset takes with it what the client has not read yet: how much arrives before is the machine's.
  if (!('reset' in fault)) expect(struck.text.length / whole.text.length).toBeGreaterThan(share - 0.06)
  expect(struck.text.length / whole.text.length).toBeLessThanOrEqual(share + 0.06)
  const isCut = 'truncate' in fault
  expect(struck.length).toBe(isCut ? Buffer.byteLength(struck.text) : whole.length)
})

it('writes JSON in pieces as JSON.stringify writes it whole', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
      expect([...new JsonText(value).pieces].join('')).toBe(`${JSON.stringify(value)}\n`)
    }),
  )
  const odd = {
    at: new Date(0),
    none: undefined,
    run: () => 1,
    list: [undefined, () => 1, new Date(0)],
    map: new Map(),
  }
  expect([...new JsonText(odd).pieces].join('')).toBe(`${JSON.stringify(odd)}\n`)
  const texts = Array.from({ length: 100 }, (_, index) => 'x'.repeat(index * 100))
  const pieces = [...new JsonText({ given: texts.values(), none: undefined, log: { entries: [] } }).pieces]
  expect(JSON.parse(pieces.join(''))).toEqual({ given: texts, log: { entries: [] } })
  expect(pieces.length).toBeGreaterThan(10)
})

it('says what a step of the clock has left out, to whoever takes it and to whoever asked to be told', async () => {
  const told: unknown[] = []
  const understudy = createUnderstudy({
    fixture: {
      pipelines: [
        { name: 'a', blocks: Array.from({ length: 1_000 }, (_, index) => ({ name: `b${index}` })) },
      ],
      backfills: [
        {
          pipeline_uuid: 'a',
          start_datetime: '2026-01-01 00:00:00',
          end_datetime: '2026-01-07 22:39:00',
          interval_type: 'minute',
          interval_units: 1,
        },
      ],
    },
    worlds: { limited: (world, leftOut) => told.push([world, leftOut]) },
  })
  const { url, close } = await serve(understudy, patient)
  onTestFinished(() => {
    understudy.dispose()
    return close()
  })
  const client = createClient(url)
  await client.fetch('/api/backfills/1', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"backfill":{"status":"initial"}}',
  })

  // 10,000 runs are made, and ten hundreds of files each for as many of them as 100,000 allow: of 9,000, not of 1,000.
  expect(await client.clock.advance('1d')).toEqual({ leftOut: { pipeline_runs: 1_000 } })
  expect(await client.clock.advance('1d')).toEqual({ leftOut: {} })
  expect(told).toEqual([['main', { pipeline_runs: 1_000 }]])
})

it('serves clients that have signed in when it is their turn', async () => {
  const fixture = { ...manyOn(20_000), users: [{ email: 'a@b.c', password: 'p' }], api_keys: ['k'] }
  const understudy = createUnderstudy({ fixture, auth: 'login' })
  onTestFinished(() => understudy.dispose())
  const ask = async (method: string, url: string, token?: string, json?: unknown) => {
    const headers = {
      'x-api-key': 'k~a',
      'content-type': 'application/json',
      ...(token && { cookie: `oauth_token=${token}` }),
    }
    const body = json === undefined ? undefined : JSON.stringify(json)
    return JSON.parse((await understudy.dispatch({ method, url, headers, body, inSlices: true }))?.body ?? '')
  }
  const { session } = await ask('POST', '/api/sessions', undefined, {
    session: { email: 'a@b.c', password: 'p' },
  })
  const replies = await Promise.all([
    ask('DELETE', '/api/pipelines/many', session.token),
    ask('GET', '/api/backfills?_limit=1', session.token),
    ask('GET', '/api/pipelines', session.token),
  ])

  expect(replies).toMatchObject([
    { pipeline: { uuid: 'many' } },
    { metadata: { count: 0 } },
    { pipelines: [] },
  ])
})

it('ends work in the middle where the understudy is disposed of, and answers whoever waits', async () => {
  const understudy = createUnderstudy({ fixture: manyOn(20_000) })
  const replies = [
    understudy.dispatch({ method: 'DELETE', url: '/api/pipelines/many', inSlices: true }),
    understudy.dispatch({ method: 'GET', url: '/api/pipelines', inSlices: true }),
  ]
  await turnOfLoop()
  understudy.dispose()

  for (const reply of replies) expect((await reply)?.status).toBe(200)
})
