import fc from 'fast-check'
import { expect, it as itInParts, onTestFinished, vi } from 'vitest'
import type { StateDocument } from '../src/engine/state/state-document.ts'
import { demo } from '../src/fixtures/index.ts'
import {
  createUnderstudy,
  type FaultyVariant,
  type Understudy,
  type UnderstudyOptions,
} from '../src/index.ts'
import { profiles } from '../src/profiles/index.ts'
import { company } from './support/company.ts'
import { samples, wholly } from './support/depth.ts'
import { MemoryStorage, openStored } from './support/memory-storage.ts'

const it = wholly(itInParts)

async function open(storage: MemoryStorage, options: UnderstudyOptions = {}) {
  const { understudy, events } = await openStored(storage, options)
  const send = async (method: string, url: string, body?: unknown, world = 'main', token?: string) => {
    const headers = {
      'x-understudy-world': world,
      'x-api-key': 'test-key',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const reply = await understudy.dispatch({ method, url, headers, body: JSON.stringify(body) })
    return JSON.parse(reply?.body ?? '{}')
  }
  return { understudy, events, send }
}

/** Everything that a test can read of a world. */
const read = async (world: ReturnType<Understudy['world']>) => ({
  state: world.export(),
  now: world.clock.now(),
  faults: world.faults.list(),
  assumptions: await world.assumptions.list(),
  snapshots: world.snapshots(),
})

const pipelinesOf = (world: ReturnType<Understudy['world']>) =>
  world.model.pipelines.all().map(({ uuid }) => uuid)

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000, interval: 5 })

it('restores every world after a restart', async () => {
  const storage = new MemoryStorage()
  const { understudy, send } = await open(storage)
  await send('POST', '/api/pipelines', { pipeline: { name: 'of main', type: 'python' } })
  understudy.clock.advance('90m')
  understudy.runs.script({ pipeline_uuid: 'daily_sales' }, 'running for 3 reads, then failed')
  understudy.faults.add({ operation: 'listPipelines', times: 3, error: { code: 503, message: 'Later.' } })
  await send('GET', '/api/pipelines')
  const alice = understudy.world('alice')
  alice.snapshot('before')
  await send('DELETE', '/api/pipelines/archive', undefined, 'alice')
  alice.assumptions.switch({ 'list-count': 'items' })
  alice.clock.freeze('2026-05-01 12:00:00')
  const bob = understudy.world('bob')
  const imported = {
    pipelines: [{ name: 'imported' }],
    api_keys: ['of-bob'],
    custom: { statuses: [{ id: 4, ok: true }] },
  }
  bob.import(imported, { asStart: true })
  await bob.factories.pipeline.create({ name: 'made' })
  const dora = understudy.world('dora')
  dora.snapshot('before')
  dora.import(imported)
  dora.snapshot('after')
  const names = ['main', 'alice', 'bob', 'dora']
  const before = await Promise.all(names.map((name) => read(understudy.world(name))))
  await understudy.close()

  const next = await open(storage)
  const world = (name: string) => next.understudy.world(name)
  expect(next.events.map(({ kind, worlds }) => [kind, worlds])).toEqual([['loaded', 4]])
  expect(next.understudy.worlds.list().map(({ name, requests }) => [name, requests])).toEqual([
    ['main', 2],
    ['alice', 1],
    ['bob', 0],
    ['dora', 0],
  ])
  expect(await Promise.all(names.map((name) => read(world(name))))).toEqual(before)

  expect(await next.send('GET', '/api/pipelines')).toMatchObject({ error: { code: 503 } })
  expect(await next.send('GET', '/api/pipelines')).toMatchObject({ error: { code: 503 } })
  expect(await next.send('GET', '/api/pipelines')).toMatchObject({ pipelines: [{}, {}, {}] })
  world('alice').restore('before')
  expect(pipelinesOf(world('alice'))).toHaveLength(2)
  expect(await next.send('GET', '/api/statuses', undefined, 'bob')).toMatchObject({ statuses: [{ id: 4 }] })
  for (const name of names) world(name).reset()
  expect(pipelinesOf(world('main'))).toEqual(['archive', 'daily_sales'])
  expect(pipelinesOf(world('bob'))).toEqual(['imported'])
  expect(world('bob').apiKeys).toEqual(['of-bob'])
  world('dora').restore('after')
  expect(await next.send('GET', '/api/statuses', undefined, 'dora')).toMatchObject({ statuses: [{ id: 4 }] })
  await next.understudy.close()
})

it('restores the profile and the faulty variant of a world, and reports a world whose profile is missing', async () => {
  const storage = new MemoryStorage()
  const faultyVariant: FaultyVariant = {
    name: 'teapot',
    breaks: 'conventions/status',
    reply: (reply) => ({ ...reply, status: 418 }),
  }
  const options = { profiles, faultyVariants: { teapot: faultyVariant } }
  const { understudy, send } = await open(storage, options)
  const real = understudy.worlds.create('real', { profile: 'mage-ai-0.9.79', faultyVariant: 'teapot' })
  await send('POST', '/api/pipelines', { pipeline: { name: 'made', type: 'of their own' } }, 'real')
  real.snapshot('before')
  await real.factories.backfill.create({ pipeline_uuid: 'made' })
  const before = await read(real)
  await understudy.close()

  const next = await open(storage, options)
  const restored = next.understudy.world('real')
  expect(next.understudy.worlds.list()).toContainEqual(
    expect.objectContaining({ name: 'real', profile: 'mage-ai-0.9.79', faultyVariant: 'teapot' }),
  )
  expect(await read(restored)).toEqual(before)
  expect((await restored.fetch('/api/pipelines/made')).status).toBe(418)
  expect(await (await restored.fetch('/api/pipeline_schedules')).text()).toContain('"last_enabled_at"')
  restored.restore('before')
  expect(restored.model.backfills.count({ pipeline_uuid: 'made' })).toBe(0)
  restored.reset()
  expect(await (await restored.fetch('/api/pipeline_schedules')).text()).toContain('"last_enabled_at"')
  await next.understudy.close()

  const without = await open(storage)
  expect(without.understudy.worlds.list().map(({ name }) => name)).toEqual(['main'])
  expect(without.events).toContainEqual({
    kind: 'left out',
    text: 'The world real is left out. worlds.create: profile: expected null, as there are no profiles; found "mage-ai-0.9.79".',
  })
})

it('never reuses an id, a token or the id of a fault', async () => {
  const storage = new MemoryStorage()
  const { understudy, send } = await open(storage)
  const create = { backfill: { name: 'mine' } }
  const path = '/api/pipelines/daily_sales/backfills'
  const { id } = (await send('POST', path, create)).backfill
  await send('DELETE', `/api/backfills/${id}`)
  const schedule = { pipeline_schedule: { name: 'hourly', schedule_type: 'api' } }
  const schedules = '/api/pipelines/daily_sales/pipeline_schedules'
  const { token } = (await send('POST', schedules, schedule)).pipeline_schedule
  understudy.faults.remove(understudy.faults.add({ operation: 'listBackfills', drop: true }).id)
  await understudy.close()

  const next = await open(storage)
  expect((await next.send('POST', path, create)).backfill.id).toBe(id + 1)
  expect((await next.send('POST', schedules, schedule)).pipeline_schedule.token).not.toBe(token)
  expect(next.understudy.faults.add({ operation: 'listBackfills', drop: true }).id).toBe('fault-2')
  await next.understudy.close()
})

it('accepts the tokens of earlier seeds', async () => {
  const storage = new MemoryStorage()
  const { understudy, send } = await open(storage, { auth: 'login', seed: 7 })
  const session = { session: { username: 'mira', password: 'lantern' } }
  const { token } = (await send('POST', '/api/sessions', session)).session
  await understudy.close()

  for (const seed of [7, 8, 9]) {
    const next = await open(storage, { auth: 'login', seed })
    const reply = await next.send('GET', '/api/pipelines', undefined, 'main', token)
    expect(reply, `seed ${seed}`).toHaveProperty('pipelines')
    next.understudy.clock.advance('1s')
    await next.understudy.close()
  }
})

it('continues the random sequence of a fault with a probability', async () => {
  const play = async (restarts: boolean) => {
    const storage = new MemoryStorage()
    let current = await open(storage)
    const error = { code: 503, message: 'No.' } as const
    current.understudy.faults.add({ operation: 'listPipelines', probability: 0.5, error })
    const failures: boolean[] = []
    for (let count = 0; count < 20; count++) {
      if (restarts && count % 5 === 4) {
        await current.understudy.close()
        current = await open(storage)
      }
      failures.push('error' in (await current.send('GET', '/api/pipelines')))
    }
    await current.understudy.close()
    return failures
  }

  expect(await play(true)).toEqual(await play(false))
})

it('lets running clocks pass the time between two processes, and leaves frozen clocks alone', async () => {
  let time = Date.parse('2026-03-01T10:00:00Z')
  const options: UnderstudyOptions = { clock: { now: () => time } }
  const storage = new MemoryStorage()
  const { understudy } = await open(storage, options)
  understudy.clock.advance('1d')
  understudy.world('frozen').clock.freeze()
  understudy.world('fast').clock.run(60)
  time += 60_000
  await understudy.close()

  time += 3_600_000
  const next = await open(storage, options)
  const nowOf = (name: string) => new Date(next.understudy.world(name).clock.now()).toISOString()
  expect(nowOf('main')).toBe('2026-03-02T11:01:00.000Z')
  expect(nowOf('frozen')).toBe('2026-03-01T10:00:00.000Z')
  expect(nowOf('fast')).toBe('2026-03-03T23:00:00.000Z')
  next.understudy.clock.advance('1m')
  await next.understudy.close()

  // A source that counts from the start of its process starts again.
  time = 0
  const last = await open(storage, options)
  expect(new Date(last.understudy.clock.now()).toISOString()).toBe('2026-03-02T11:02:00.000Z')
  await last.understudy.close()
})

it.each([
  ['system', '2026-11-21 12:00:00'],
  ['frozen', '2026-03-01 09:00:00'],
  [{ speed: 60 }, '2026-11-22 12:00:00'],
] as const)('restores the clock %o where the clock of the machine was set back', async (clock, at) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const storage = new MemoryStorage()
  await (await open(storage, { clock })).understudy.close()

  vi.setSystemTime(new Date('2026-11-21T12:00:00Z'))
  const next = await open(storage, { clock })
  expect(new Date(next.understudy.clock.now())).toEqual(new Date(`${at}Z`))
  await next.understudy.close()
})

it('takes the initial faults from the options, and added faults from the state', async () => {
  const storage = new MemoryStorage()
  const slow = { latency: 1 }
  const { understudy } = await open(storage, { faults: [slow] })
  understudy.faults.add({ operation: 'listBackfills', drop: true })
  understudy.world('calm').faults.clear()
  await understudy.close()

  const same = await open(storage, { faults: [slow] })
  expect(same.understudy.faults.list()).toMatchObject([{ id: 'fault-1', latency: 1 }, { id: 'fault-2' }])
  expect(same.understudy.world('calm').faults.list()).toEqual([])
  await same.understudy.close()
  const other = await open(storage, { faults: [{ latency: 2 }] })
  expect(other.understudy.faults.list()).toMatchObject([
    { id: 'fault-3', latency: 2 },
    { id: 'fault-2', drop: true },
  ])
  expect(other.understudy.world('calm').faults.list()).toMatchObject([{ latency: 2 }])
  await other.understudy.close()
})

it('leaves out a fault that an adapter cannot express, and reports it', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await open(storage)
  understudy.faults.add({ path: '/api/pipelines', reset: true })
  understudy.faults.add({ path: '/api/pipelines', times: 1, drop: true })
  await understudy.close()
  const onStorage = vi.fn()
  const next = createUnderstudy({ fixture: company, storage, onStorage })
  next.attach({ name: 'an adapter', refuses: { reset: 'it cannot' } })
  await next.ready

  expect(next.faults.list()).toMatchObject([{ id: 'fault-2', drop: true }])
  expect(onStorage.mock.calls.at(-1)).toMatchObject([{ kind: 'left out' }])
  await next.close()
})

it('creates later worlds from the present fixture, and from an import where there was one', async () => {
  const storage = new MemoryStorage()
  const first = await open(storage)
  await first.send('DELETE', '/api/pipelines/archive')
  await first.understudy.close()

  const second = await open(storage, { fixture: { pipelines: [{ name: 'another' }] } })
  expect(pipelinesOf(second.understudy)).toEqual(['daily_sales'])
  expect(pipelinesOf(second.understudy.world('new'))).toEqual(['another'])
  second.understudy.reset()
  expect(pipelinesOf(second.understudy)).toEqual(['archive', 'daily_sales'])
  second.understudy.import({ pipelines: [{ name: 'imported' }] }, { asStart: true })
  await second.understudy.close()

  const third = await open(storage)
  expect(pipelinesOf(third.understudy.world('newer'))).toEqual(['imported'])
  await third.understudy.close()
})

it('drops the least recently used worlds where there are too many', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await open(storage)
  for (const name of ['a', 'b', 'c']) understudy.world(name).clock.advance('1s')
  await understudy.close()

  const evicted = vi.fn()
  const next = await open(storage, { worlds: { most: 2, evicted } })
  expect(next.understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'b', 'c'])
  expect(evicted.mock.calls).toEqual([['a', 'there were too many']])
  await next.understudy.close()
})

it('writes a table once however many worlds share it', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await open(storage, { fixture: demo })
  for (let number = 0; number < 30; number++) {
    const world = understudy.world(`world-${number}`)
    if (number % 10 === 0) await world.factories.pipeline.create({ name: 'one more' })
  }
  await understudy.close()

  const occurrences = (part: string) => (storage.text ?? '').split(part).length - 1
  expect(occurrences('"uuid":"one_more"')).toBe(3)
  expect(occurrences('"username":"mira"')).toBe(1)
  const next = await open(storage, { fixture: demo })
  const world = (name: string) => next.understudy.world(name)
  expect(world('world-10').export()).toEqual(world('world-20').export())
  await world('world-10').factories.pipeline.create({ name: 'alone' })
  expect(pipelinesOf(world('world-20'))).not.toContain('alone')
  await next.understudy.close()
})

itInParts('reaches the same state with and without restarts', async () => {
  const steps = [
    'create',
    'delete',
    'trigger',
    'advance',
    'backfill',
    'snapshot',
    'restore',
    'reset',
  ] as const
  type Step = (typeof steps)[number]
  const act = async ({ understudy, send }: Awaited<ReturnType<typeof open>>, step: Step, index: number) => {
    const name = index % 3 === 0 ? 'main' : `w${index % 3}`
    const world = understudy.world(name)
    const acts: Readonly<Record<Step, () => unknown>> = {
      create: () =>
        send('POST', '/api/pipelines', { pipeline: { name: `p ${index}`, type: 'python' } }, name),
      delete: () => send('DELETE', `/api/pipelines/p_${index - 3}`, undefined, name),
      trigger: () => world.factories.pipelineRun.create({}),
      advance: () => world.clock.advance('7m'),
      backfill: () =>
        send('POST', '/api/pipelines/daily_sales/backfills', { backfill: { name: `b ${index}` } }, name),
      snapshot: () => world.snapshot('s'),
      restore: () => world.snapshots().length > 0 && world.restore('s'),
      reset: () => world.reset(),
    }
    await acts[step]()
  }
  const run = async (sequence: readonly Step[], restartAfter: readonly number[]) => {
    const storage = new MemoryStorage()
    let current = await open(storage)
    for (const [index, step] of sequence.entries()) {
      await act(current, step, index)
      if (!restartAfter.includes(index)) continue
      await current.understudy.close()
      current = await open(storage)
    }
    const worlds = ['main', 'w1', 'w2'].map((name) => read(current.understudy.world(name)))
    const state = await Promise.all(worlds)
    await current.understudy.close()
    return state
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...steps), { minLength: 3, maxLength: 14 }),
      fc.array(fc.nat(13), { maxLength: 3 }),
      async (sequence, restarts) => {
        expect(await run(sequence, restarts)).toEqual(await run(sequence, []))
      },
    ),
    { seed: 20_261_122, numRuns: samples(25) },
  )
})

it('lets requests wait for the state, and refuses anything else until it is loaded', async () => {
  const storage = new MemoryStorage()
  const first = await open(storage)
  await first.understudy.world('alice').factories.pipeline.create({ name: 'hers' })
  await first.understudy.close()
  const understudy = createUnderstudy({ fixture: company, storage, onStorage: () => undefined })
  const waiting = understudy.fetch('/api/pipelines/hers', { headers: { 'x-understudy-world': 'alice' } })

  for (const use of [
    () => understudy.model,
    () => understudy.world('alice'),
    () => understudy.worlds,
    () => understudy.clock.advance('1s'),
    () => understudy.export(),
    () => understudy.import({}),
    () => understudy.reset(),
    () => understudy.faults.list(),
  ]) {
    expect(use).toThrow(expect.objectContaining({ code: 'NOT_READY' }))
  }
  expect(understudy.dispatch({ method: 'GET', url: '/elsewhere' })).toBeUndefined()
  expect(await (await waiting).json()).toMatchObject({ pipeline: { uuid: 'hers' } })
  await understudy.ready
  expect(pipelinesOf(understudy.world('alice'))).toHaveLength(3)
  await understudy.close()
})

it('saves nothing if it is closed before it is ready', async () => {
  const storage = new MemoryStorage()
  await createUnderstudy({ fixture: company, storage, onStorage: () => undefined }).close()
  expect(storage.writes).toBe(0)
})

/** The text of a state with a world `alice`, changed. */
async function changedState(change: (state: StateDocument) => object): Promise<string> {
  const storage = new MemoryStorage()
  const { understudy } = await open(storage)
  await understudy.world('alice').factories.pipeline.create({ name: 'hers' })
  await understudy.close()
  return JSON.stringify(change(JSON.parse(storage.text ?? '')))
}

const withWorld = (change: object) => (state: StateDocument) => ({
  ...state,
  worlds: state.worlds.map((world) => ({ ...world, ...change })),
})
const withUsers = (change: object) => (state: StateDocument) => ({
  ...state,
  tables: state.tables.map((table) => (table.resource === 'users' ? { ...table, ...change } : table)),
})

it.each([
  ['another member', (state: StateDocument) => ({ ...state, more: true })],
  ['no tables', (state: StateDocument) => ({ ...state, tables: [] })],
  ['a start that is missing', withWorld({ start: 99 })],
  ['the name of no world', withWorld({ name: '../x' })],
  ['the switch of no assumption', withWorld({ switches: { 'no-such': 'on' } })],
  ['an unknown resource', withUsers({ resource: 'pipes' })],
  ['a resource that every object has', withUsers({ resource: '__proto__' })],
  ['an id at which counting ends', withUsers({ nextId: 2 ** 53 - 1 })],
  ['a record that is a number', withUsers({ records: [7] })],
  ['a record with an unknown attribute', withUsers({ records: [{ id: 1, no_such: 7 }] })],
  [
    'a clock that runs backwards',
    (state: StateDocument) =>
      withWorld({ clock: { ...state.worlds[0]?.clock, running: { at: 0, origin: 0, speed: -1 } } })(state),
  ],
])('sets a state with %s aside', async (_, change) => {
  const text = await changedState(change)
  const storage = new MemoryStorage(text)
  const { understudy, events } = await open(storage)

  expect(events).toMatchObject([{ kind: 'set aside' }])
  expect(storage.aside).toEqual([{ reason: 'damaged', text }])
  expect(understudy.worlds.list().map(({ name }) => name)).toEqual(['main'])
  expect(pipelinesOf(understudy)).toHaveLength(2)
  await understudy.close()
})

it('sets a state aside that was cut, and reports where it is', async () => {
  const text = await changedState((state) => state)
  for (const length of [1, 40, text.length >> 1, text.length - 1]) {
    const storage = new MemoryStorage(text.slice(0, length))
    const { understudy, events } = await open(storage)
    expect(events).toEqual([
      {
        kind: 'set aside',
        text: 'The state in memory cannot be used. It is not JSON: it was cut or edited. It was renamed to memory.damaged, and the fixture is used.',
      },
    ])
    expect(storage.aside).toEqual([{ reason: 'damaged', text: text.slice(0, length) }])
    await understudy.close()
    expect(storage.text).toContain('understudy-state')
  }
})

it('sets a state aside that is nested too deep', async () => {
  const text = `{"format":"understudy-state","version":3,"faults":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const { understudy, events } = await open(new MemoryStorage(text))

  const reason = 'The state in memory cannot be used. It is nested deeper than 200 levels.'
  expect(events).toMatchObject([{ kind: 'set aside', text: expect.stringContaining(reason) }])
  await understudy.close()
})

it.each([2, 4])('sets a state of version %i of the format aside', async (version) => {
  const storage = new MemoryStorage(JSON.stringify({ format: 'understudy-state', version, more: [] }))
  const { understudy, events } = await open(storage)

  const text = `It has version ${version} of the format; this version of pipeline-understudy reads version 3.`
  expect(events).toMatchObject([{ kind: 'set aside', text: expect.stringContaining(text) }])
  expect(storage.aside).toMatchObject([{ reason: `version-${version}` }])
  await understudy.close()
})

it('never sets a key that reaches a prototype', async () => {
  const text = await changedState((state) => state)
  const unsafe = text.replace('"extensions":{}', '"extensions":{"__proto__":{"a":1}}')
  expect(unsafe).toContain('__proto__')
  const { understudy, events } = await open(new MemoryStorage(unsafe))

  expect(events).toMatchObject([{ kind: 'set aside', text: expect.stringContaining('__proto__') }])
  await understudy.close()
})

it.each([
  ['a fixture', JSON.stringify(company)],
  ['a list', '[1, 2]'],
])('refuses %s, and leaves it as it is', async (_, text) => {
  const storage = new MemoryStorage(text)
  const understudy = createUnderstudy({ fixture: company, storage, onStorage: () => undefined })

  const refusal = { code: 'STATE_REFUSED', detail: expect.stringContaining('memory is not a state') }
  await expect(understudy.ready).rejects.toMatchObject(refusal)
  await expect(understudy.fetch('/api/pipelines')).rejects.toMatchObject(refusal)
  await understudy.close()
  expect([storage.text, storage.aside]).toEqual([text, []])
})

it('refuses a state that cannot be used where it cannot be set aside', async () => {
  const storage = new MemoryStorage('{"form')
  vi.spyOn(storage, 'setAside').mockRejectedValue(new Error('The folder is read-only.'))
  const understudy = createUnderstudy({ storage, onStorage: () => undefined })

  await expect(understudy.ready).rejects.toThrow('The folder is read-only.')
  await understudy.close()
  expect(storage.text).toBe('{"form')
})

it('uses the fixture where the stored text is empty', async () => {
  const storage = new MemoryStorage('')
  const { understudy, events } = await open(storage)

  expect([events.map(({ kind }) => kind), storage.aside]).toEqual([['created'], []])
  expect(pipelinesOf(understudy)).toHaveLength(2)
  await understudy.close()
})

it('prints problems on the console where there is no listener', async () => {
  const warning = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  onTestFinished(() => warning.mockRestore())
  const understudy = createUnderstudy({ storage: new MemoryStorage('{"form') })
  await understudy.ready
  await understudy.close()

  expect(warning.mock.calls.map(String)).toEqual([
    expect.stringMatching(/^\[understudy\] The state in memory cannot be used/),
  ])
})

it('saves changes, reports once that it cannot, and once that it can again', async () => {
  const storage = new MemoryStorage()
  const { understudy, events } = await open(storage)
  await until(() => storage.text !== undefined)
  storage.failure = new Error('ENOSPC: no space left on device, write')
  await understudy.factories.pipeline.create({ name: 'waits' })
  await until(() => storage.writes >= 3)
  expect(events).toMatchObject([
    { kind: 'created' },
    {
      kind: 'failed',
      text: expect.stringMatching(/no space left on device, write\. The mock tries again\.$/),
    },
  ])

  storage.failure = undefined
  await until(() => storage.text?.includes('"uuid":"waits"') === true)
  await understudy.close()
  expect(events.slice(2)).toMatchObject([{ kind: 'recovered' }])
})

it('writes at most once per interval, and only after a change', async () => {
  const storage = new MemoryStorage()
  const { understudy, send } = await open(storage)
  const end = Date.now() + 5 * storage.pause
  while (Date.now() < end) {
    await send('POST', '/api/pipelines/archive/backfills', { backfill: { name: 'one' } })
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  expect(storage.writes).toBeGreaterThanOrEqual(2)
  expect(storage.writes).toBeLessThanOrEqual(6)
  await understudy.close()

  const { writes } = storage
  const next = await open(storage)
  await next.send('GET', '/api/pipelines')
  next.understudy.export()
  await next.understudy.close()
  expect(storage.writes).toBe(writes)
})

it('saves the last changes when it is closed during a write', async () => {
  const storage = new MemoryStorage()
  const write = storage.write.bind(storage)
  let finish: () => void = () => undefined
  const writing = vi.spyOn(storage, 'write').mockImplementationOnce(async (text) => {
    await new Promise<void>((resolve) => (finish = resolve))
    await write(text)
  })
  const { understudy } = await open(storage)
  await until(() => writing.mock.calls.length === 1)
  await understudy.factories.pipeline.create({ name: 'last' })
  const closing = understudy.close()
  finish()
  await closing

  const next = await open(storage)
  expect(pipelinesOf(next.understudy)).toContain('last')
  await next.understudy.close()
})

it('rejects `close` where the last changes cannot be saved', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await open(storage)
  storage.failure = new Error('The disk is full.')

  const text = 'The last changes could not be saved in memory: The disk is full.'
  await expect(understudy.close()).rejects.toThrow(text)
})
