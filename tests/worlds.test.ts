import { expect, it as itInParts, onTestFinished, vi } from 'vitest'
import { createUnderstudy, type Scenario, type World } from '../src/index.ts'
import { allAdapters } from './support/adapters.ts'
import { type Api, open, openInMemory, pluckSorted, type Sent } from './support/api.ts'
import { company } from './support/company.ts'
import { isThorough, wholly } from './support/depth.ts'

const it = wholly(itInParts)

const inWorld = (name: string) => ({ 'x-understudy-world': name })
const uuids = async (api: Api, headers: Record<string, string> = {}, query = '') =>
  pluckSorted((await api.get(`/api/pipelines${query}`, headers)).records, 'uuid')
const create = (api: Api, name: string, headers: Record<string, string>) =>
  api.post('/api/pipelines', { pipeline: { name, type: 'python' } }, headers)

it('chooses the world by the suffix of an API key in every place', async () => {
  const api = await openInMemory({ fixture: company, auth: 'key' })
  const body = { api_key: 'test-key~alice', pipeline: { name: 'by body', type: 'python' } }

  expect((await api.post('/api/pipelines', body)).body).toHaveProperty('pipeline.uuid', 'by_body')
  await create(api, 'by header', { 'x-api-key': 'test-key~alice' })
  await api.post('/api/pipelines?api_key=test-key~alice', {
    pipeline: { name: 'by query', type: 'python' },
  })
  await api.post('/api/pipelines?api_key=test-key%7Ealice', {
    pipeline: { name: 'encoded', type: 'python' },
  })

  const all = ['archive', 'by_body', 'by_header', 'by_query', 'daily_sales', 'encoded']
  expect(await uuids(api, { 'x-api-key': 'test-key~alice' })).toEqual(all)
  expect(await uuids(api, {}, '?api_key=test-key~alice')).toEqual(all)
  expect(await uuids(api, { 'x-api-key': 'test-key' })).toEqual(['archive', 'daily_sales'])
})

it('uses the first API key for both authorization and the world', async () => {
  const api = await openInMemory({ fixture: company, auth: 'key' })
  const write = (name: string, path: string, headers: Record<string, string>, api_key?: string) =>
    api.send({ method: 'POST', path, headers, json: { api_key, pipeline: { name, type: 'python' } } })
  const at = '/api/pipelines'

  await write('query before body', `${at}?api_key=test-key`, {}, 'test-key~alice')
  await write('query names alice', `${at}?api_key=test-key~alice`, {}, 'test-key~bob')
  await write('header before query', `${at}?api_key=test-key~alice`, { 'x-api-key': 'test-key~bob' })
  await write('header without a world', `${at}?api_key=test-key~bob`, { 'x-api-key': 'test-key' })
  const refused = await write('wrong first', `${at}?api_key=wrong~alice`, {}, 'test-key')

  expect(refused.error).toMatchObject({ code: 401, type: 'invalid_api_key' })
  const first = ['archive', 'daily_sales']
  expect(await uuids(api, { 'x-api-key': 'test-key' })).toEqual([
    ...first,
    'header_without_a_world',
    'query_before_body',
  ])
  expect(await uuids(api, { 'x-api-key': 'test-key~alice' })).toEqual([...first, 'query_names_alice'])
  expect(await uuids(api, { 'x-api-key': 'test-key~bob' })).toEqual([...first, 'header_before_query'])
})

it('preserves an arranged world if its first request has no key', async () => {
  const api = await openInMemory({ fixture: company, auth: 'key' })
  const alice = api.understudy.world('alice')
  await alice.factories.pipeline.create({ name: 'arranged' })
  await api.get('/api/pipelines', inWorld('alice'))

  expect(await uuids(api, { 'x-api-key': 'test-key~alice' })).toContain('arranged')
  expect(alice.journal.entries()).toMatchObject([{ status: 401 }, { status: 200 }])
})

it('answers requests through a handle in its world, despite other names in the request', async () => {
  const understudy = createUnderstudy({ fixture: company })
  const { fetch, dispatch, journal } = understudy.world('alice')
  const asBob = { 'x-understudy-world': 'bob', 'x-api-key': 'test-key~bob' }
  const body = JSON.stringify({ pipeline: { name: 'hers', type: 'python' } })
  const request = { method: 'POST', headers: { ...asBob, 'content-type': 'application/json' }, body }

  expect(await (await fetch(new Request('http://service.test/api/pipelines', request))).json()).toMatchObject(
    {
      pipeline: { uuid: 'hers' },
    },
  )
  expect(await dispatch({ method: 'GET', url: '/api/pipelines/hers', headers: asBob })).toMatchObject({
    code: 200,
  })
  expect(journal.entries().map(({ world, operation }) => [world, operation])).toEqual([
    ['alice', 'createPipeline'],
    ['alice', 'readPipeline'],
  ])
  const elsewhere = await fetch(new Request('http://service.test/elsewhere'))
  expect([elsewhere.status, await elsewhere.text()]).toEqual([
    404,
    'Not found: the paths of the API begin with /api.',
  ])
  expect(dispatch({ method: 'GET', url: '/elsewhere' })).toBeUndefined()
  expect(understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'alice'])
  expect(understudy.journal.entries()).toEqual([])
})

it('supports printing and comparing', () => {
  const understudy = createUnderstudy({ fixture: company })

  expect(JSON.stringify(understudy.model)).toBe('{}')
  expect(() => expect(understudy).toEqual({})).toThrow('to deeply equal')
  expect(() => expect(understudy.world('alice')).toEqual({ name: 'bob' })).toThrow('to deeply equal')
})

it('prefers the header to the suffix of a key', async () => {
  const api = await openInMemory({ fixture: company })
  await create(api, 'hers', { ...inWorld('alice'), 'x-api-key': 'any~bob' })

  expect(await uuids(api, { 'x-api-key': 'any~alice' })).toContain('hers')
})

it('shows no part of an API key as the name of a world before the world is named', async () => {
  const api = await openInMemory({ fixture: company })
  const key = { 'x-api-key': 'abc8Q~hunter2' }
  await create(api, 'first', key)
  const [, hidden] = api.understudy.worlds.list()
  const shown = () =>
    JSON.stringify([api.understudy.worlds.list(), api.understudy.world(hidden!.name).journal.entries()])

  expect(hidden?.name).toMatch(/^key-[0-9a-f]{12}$/)
  expect(shown()).not.toContain('hunter2')
  expect(await uuids(api, key)).toContain('first')

  const named = api.understudy.world('hunter2')
  expect(named.model.pipelines.count()).toBe(3)
  expect(api.understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'hunter2'])
  expect(named.journal.entries()[0]).toMatchObject({ world: 'hunter2' })
  expect(await uuids(api, key)).toContain('first')
})

it('quotes no part of an API key that names no world', async () => {
  const { understudy } = await openInMemory({ fixture: company })
  const reply = await understudy.dispatch({ method: 'GET', url: '/api/pipelines?api_key=abc8Q~hun.ter2' })

  expect(JSON.parse(reply!.body)).toMatchObject({
    error: {
      message:
        'The name of a world: expected 1 to 64 letters, digits, - or _, the first a letter or digit, behind the ~ of the API key.',
    },
  })
})

it('reads a key of the fixture that contains ~ as a key without a world', async () => {
  const api = await openInMemory({ fixture: { ...company, api_keys: ['odd~key'] }, auth: 'key' })
  await create(api, 'mine', { 'x-api-key': 'odd~key' })

  expect(await uuids(api, { 'x-api-key': 'odd~key' })).toContain('mine')
  expect(api.understudy.worlds.list().map(({ name }) => name)).toEqual(['main'])
})

it.each([null, 5, undefined])('rejects %s as a name', (name) => {
  expect(() => createUnderstudy().world(name as never)).toThrow(
    'The name of a world: expected 1 to 64 letters',
  )
})

it.each([
  ['a space', 'two words'],
  ['a slash', 'a/b'],
  ['nothing', ''],
  ['65 letters', 'a'.repeat(65)],
  ['a leading dash', '-a'],
  ['full-width letters', '\uff41lice'],
  ['a prototype', '__proto__'],
])('rejects a name with %s, and creates no world', async (_, name) => {
  const api = await openInMemory({ fixture: company })
  const reply = await api.get('/api/pipelines', inWorld(name))

  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({ error: { code: 400, type: 'record_invalid' }, status: 200 })
  expect(reply.error.message).toMatch(/^The name of a world: expected 1 to 64 letters, digits, - or _/)
  expect(api.understudy.worlds.list()).toHaveLength(1)
  expect(() => api.understudy.world(name)).toThrow('The name of a world: expected 1 to 64 letters')
})

it('is the main world', async () => {
  const { understudy } = await openInMemory({ fixture: company })
  await understudy.factories.pipeline.create({ name: 'mine' })

  expect(understudy.world('main')).toBe(understudy)
  expect(understudy.name).toBe('main')
})

it('resets, restores and imports one world without changing others', async () => {
  const api = await openInMemory({ fixture: company })
  const alice = api.understudy.world('alice')
  await create(api, 'hers', inWorld('alice'))
  await create(api, 'his', inWorld('bob'))
  alice.snapshot('with hers')
  alice.import({ pipelines: [{ name: 'other' }] })
  expect(await uuids(api, inWorld('alice'))).toEqual(['other'])
  alice.restore('with hers')
  expect(await uuids(api, inWorld('alice'))).toEqual(['archive', 'daily_sales', 'hers'])
  alice.reset()

  expect(await uuids(api, inWorld('alice'))).toEqual(['archive', 'daily_sales'])
  expect(await uuids(api, inWorld('bob'))).toEqual(['archive', 'daily_sales', 'his'])
  expect(await uuids(api)).toEqual(['archive', 'daily_sales'])
})

it('restores each snapshot of a long table after many changes', async () => {
  const backfills = Array.from({ length: 1_000 }, (_, index) => ({
    id: index + 1,
    name: 'first',
    pipeline_uuid: 'many',
  }))
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'many' }], backfills } })
  const { model } = understudy
  const steps = ['second', 'third', 'fourth', 'fifth'].entries()
  const earlier: [string, unknown][] = []
  for (const [index, name] of steps) {
    const isMarked = (id: number) => id % 4 === index || id % 7 === index
    await model.backfills.updateMany((q) => q.where({ id: isMarked }), {
      data(record) {
        record.name = name
      },
    })
    model.backfills.deleteMany((q) => q.where({ id: (id) => id % 500 === index }))
    await model.backfills.create({ id: 500 + index, name: 'again', pipeline_uuid: 'many' })
    understudy.snapshot(name)
    earlier.push([name, model.backfills.all()])
  }

  for (const [name, records] of earlier.toReversed()) {
    understudy.restore(name)
    expect(model.backfills.all()).toEqual(records)
    expect(model.backfills.findMany((q) => q.where({ pipeline_uuid: 'many' }))).toEqual(records)
    expect(model.backfills.findFirst((q) => q.where({ id: 503 }))?.name).toBe(
      name === 'fifth' ? 'again' : 'first',
    )
    model.backfills.clear()
  }
  understudy.reset()
  expect(model.backfills.all().map(({ name }) => name)).toEqual(Array.from({ length: 1_000 }, () => 'first'))
})

it('creates later worlds from the start state that the main world imported', async () => {
  const api = await openInMemory({ fixture: company })
  api.understudy.import({ pipelines: [{ name: 'passing' }] })
  expect(await uuids(api, inWorld('alice'))).toEqual(['archive', 'daily_sales'])
  api.understudy.import({ pipelines: [{ name: 'newer' }] }, { asStart: true })

  expect(await uuids(api, inWorld('bob'))).toEqual(['newer'])
})

it('evicts the least recently used world if there are too many, and reports it', async () => {
  const evicted: string[] = []
  const api = await openInMemory({
    fixture: company,
    worlds: { most: 2, evicted: (name, reason) => evicted.push(`${name}: ${reason}`) },
  })
  await create(api, 'hers', inWorld('alice'))
  await create(api, 'his', inWorld('bob'))
  await api.get('/api/pipelines', inWorld('alice'))
  await create(api, 'theirs', inWorld('carol'))

  expect(evicted).toEqual(['bob: there were too many'])
  expect(api.understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'alice', 'carol'])
  expect(await uuids(api, inWorld('alice'))).toContain('hers')
})

it('expires an idle world', async () => {
  const api = await openInMemory({ fixture: company, worlds: { idle: 0 } })
  await create(api, 'hers', inWorld('alice'))
  await new Promise((resolve) => setTimeout(resolve, 5))

  expect(api.understudy.worlds.list().map(({ name }) => name)).toEqual(['main'])
  expect(await uuids(api, inWorld('alice'))).toEqual(['archive', 'daily_sales'])
})

it('switches an assumption in one world', async () => {
  const api = await openInMemory({ fixture: company })
  api.understudy.world('alice').assumptions.switch({ 'list-count': 'items' })
  const count = async (headers: Record<string, string>) =>
    (await api.get('/api/pipelines?_limit=1', headers)).metadata.count

  expect([await count(inWorld('alice')), await count({})]).toEqual([1, 2])
  expect((await api.understudy.assumptions.list()).find(({ id }) => id === 'list-count')).toMatchObject({
    section: 'List metadata',
    value: 'total',
  })
  api.understudy.world('alice').reset()
  expect(await count(inWorld('alice'))).toBe(2)
})

itInParts.each(allAdapters)('isolates worlds under concurrent requests, through %s', async (_, adapter) => {
  const api = await open(adapter, { fixture: company })
  const names = Array.from({ length: isThorough ? 200 : 12 }, (_, index) => `w${index}`)
  const seen = await Promise.all(
    names.map(async (name) => {
      const headers = { 'x-api-key': `k~${name}` }
      const body = { backfill: { name } }
      await api.post('/api/pipelines/archive/backfills', body, headers)
      await create(api, name, headers)
      await api.put('/api/backfills/2', { backfill: { variables: { owner: name } } }, headers)
      await api.post('/api/pipelines/archive/backfills', body, headers)
      const backfills = await api.get('/api/pipelines/archive/backfills', headers)
      return [
        name,
        pluckSorted(backfills.records, 'name'),
        pluckSorted(backfills.records, 'id'),
        await uuids(api, headers),
      ]
    }),
  )

  for (const [name, names, ids, pipelines] of seen) {
    expect([names, ids, pipelines]).toEqual([
      ['new files', 'old files', name, name],
      [3, 5, 6, 7],
      ['archive', 'daily_sales', name],
    ])
  }
  expect(await uuids(api)).toEqual(['archive', 'daily_sales'])
})

it('preserves the parts of a handle after its world was evicted and created again', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'sales' }] } })
  const { clock, faults, journal, dispatch } = understudy.world('alice')
  understudy.worlds.delete('alice')
  clock.advance('1h')
  faults.add({ operation: 'readPipeline', times: 1, error: { code: 500, message: 'Once.' } })
  await dispatch({ method: 'GET', url: '/api/pipelines/sales' })

  expect(new Date(understudy.world('alice').clock.now()).toISOString()).toBe('2026-01-01T01:00:00.000Z')
  expect(journal.entries().map(({ status, world }) => [status, world])).toEqual([[500, 'alice']])
})

const slow: Scenario = {
  description: 'Slow.',
  fixture: { pipelines: [{ name: 'sales' }] },
  faults: [{ latency: 10 }],
  scripts: [{ target: 'all', script: 'running until advanced' }],
  clock: { freeze: '2026-01-01 00:00:00', advance: '1h' },
}

it.each([
  ['clock.next', ({ clock }: World) => clock.next()],
  ['clock.advanceToNext', ({ clock }: World) => clock.advanceToNext()],
  ['logs.lastErrors', ({ logs }: World) => logs.lastErrors()],
  ['journal.har', ({ journal }: World) => journal.har()],
  ['scenarios.list', ({ scenarios }: World) => scenarios.list()],
  ['assumptions.list', ({ assumptions }: World) => assumptions.list()],
  ['resources', (world: World) => world.resources()],
  ['signOut', (world: World) => world.signOut()],
  ['factories', ({ factories }: World) => factories.pipeline.create({ name: 'sales' })],
  ['scenarios.start', ({ scenarios }: World) => scenarios.start(slow)],
])('does not create a deleted world again at the end of %s', async (_, call) => {
  const understudy = createUnderstudy()
  const pending = call(understudy.world('alice'))
  understudy.worlds.delete('alice')
  await pending

  expect(understudy.worlds.list().map(({ name }) => name)).toEqual(['main'])
})

it('counts no records of a factory whose world is deleted during the call', async () => {
  const understudy = createUnderstudy({ maxMemory: 2 ** 20 })
  for (let count = 0; count < 10; count++) {
    const records = understudy.world('alice').factories.pipeline.createMany(300)
    understudy.worlds.delete('alice')
    expect(await records).toHaveLength(300)
  }

  understudy.worlds.create('bob', { fixture: { pipelines: [{ name: 'sales' }] } })
  expect(understudy.world('bob').model.pipelines.count()).toBe(1)
})

it('creates records of a factory in a world whose records were replaced during the call', async () => {
  const understudy = createUnderstudy()
  const created = understudy.factories.pipeline.create({ name: 'sales' })
  understudy.import({ api_keys: ['other-key'] })
  await created

  expect(understudy.model.pipelines.findMany()).toMatchObject([{ name: 'sales' }])
})

it('evicts a world although a listener of its journal throws', () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const understudy = createUnderstudy()
  const events: string[] = []
  const { journal } = understudy.world('alice')
  journal.subscribe(
    () => undefined,
    () => {
      throw new Error('not now')
    },
  )
  journal.subscribe(
    () => undefined,
    () => void events.push('ended'),
  )

  expect(understudy.worlds.delete('alice')).toBe(true)
  expect(events).toEqual(['ended'])
  expect(logged).toHaveBeenCalledOnce()
})

const refusedVisits: [what: string, sent: Sent][] = [
  ['no credential', { path: '/api/pipelines' }],
  ['a wrong key', { path: '/api/pipelines?api_key=wrong' }],
  ['an unknown path', { path: '/api/nowhere' }],
  ['a method that its path does not have', { method: 'PUT', path: '/api/pipelines' }],
  ['a preflight', { method: 'OPTIONS', path: '/api/pipelines' }],
  ['a path that cannot be decoded', { path: '/api/pipelines/%zz' }],
  ['an invalid body', { method: 'POST', path: '/api/pipelines', body: '{' }],
  [
    'the token of another schedule',
    { method: 'POST', path: '/api/pipeline_schedules/1/pipeline_runs/wrong' },
  ],
]

it.each(refusedVisits)('creates and evicts no world for %s', async (_, sent) => {
  const api = await openInMemory({ fixture: company, auth: 'key', worlds: { most: 1 } })
  api.understudy.world('kept')
  await api.send({ ...sent, headers: inWorld('unborn') })

  expect(api.understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'kept'])
})

it.each([
  ['its key', { path: '/api/pipelines?api_key=test-key~alice' }],
  ['its key, although its path is unknown', { path: '/api/nowhere?api_key=test-key~alice' }],
  [
    'the token in its path',
    {
      method: 'POST',
      path: '/api/pipeline_schedules/3/pipeline_runs/plain-token',
      headers: inWorld('alice'),
    },
  ],
])('creates a world for a request that is authorized by %s', async (_, sent) => {
  const api = await openInMemory({ fixture: company, auth: 'key' })
  await api.send(sent)

  expect(api.understudy.worlds.list()).toMatchObject([{ name: 'main' }, { name: 'alice', requests: 1 }])
  expect(api.understudy.world('alice').journal.entries()).toHaveLength(1)
})

it('applies a fault with 401 to the first request of a world, which remains', async () => {
  const fault = { method: 'POST', times: 1, runs: true, error: { code: 401 } } as const
  const api = await openInMemory({ fixture: company, auth: 'key', faults: [fault] })
  const alice = { 'x-api-key': 'test-key~alice' }

  expect((await create(api, 'first', alice)).body).toHaveProperty('error.code', 401)
  expect((await create(api, 'second', alice)).body).toHaveProperty('pipeline.uuid', 'second')
  expect(await uuids(api, alice)).toEqual(['archive', 'daily_sales', 'first', 'second'])
})

it('creates one world for concurrent first requests', async () => {
  const api = await openInMemory({ fixture: company, auth: 'login' })
  const raw = await api.understudy.rawToken('mira-laptop')
  const headers = { 'x-api-key': 'test-key', cookie: `oauth_token=${raw}`, 'x-understudy-world': 'alice' }
  const names = ['one', 'two', 'three']
  await Promise.all(names.map((name) => create(api, name, headers)))

  expect(await uuids(api, headers)).toEqual(['archive', 'daily_sales', 'one', 'three', 'two'])
})

it('applies no due events for a rejected request that names a new world', async () => {
  vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z'), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const limited: string[] = []
  const schedule = {
    pipeline_uuid: 'sales',
    schedule_interval: '* * * * *',
    start_time: '2026-01-01 00:00:00',
  }
  const understudy = createUnderstudy({
    fixture: {
      api_keys: ['test-key'],
      pipelines: [{ name: 'sales' }],
      pipeline_schedules: [{ ...schedule, schedule_type: 'time', status: 'active' }],
    },
    auth: 'key',
    clock: 'system',
    worlds: { limited: (name) => limited.push(name) },
  })
  vi.setSystemTime(new Date('2026-01-31T00:00:00Z'))
  const visit = (key: string) =>
    understudy.dispatch({ method: 'GET', url: '/api/pipelines', headers: { 'x-api-key': key } })
  await visit('wrong~alice')
  expect(limited).toEqual([])
  await visit('test-key~bob')
  expect(limited).toEqual(['bob'])
})
