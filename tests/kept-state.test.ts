import fc from 'fast-check'
import { expect, it as itInParts, onTestFinished, vi } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import type { Fixture, Understudy, UnderstudyOptions } from '../src/index.ts'
import { company } from './support/company.ts'
import { samples, wholly } from './support/depth.ts'
import { MemoryStorage } from './support/memory-storage.ts'
import { openKept } from './support/open-kept.ts'

const it = wholly(itInParts)

/** An understudy that is ready, what it was told of its storage, and what asks it. */
async function open(storage: MemoryStorage, options: UnderstudyOptions = {}) {
  const { understudy, events } = await openKept(storage, options)
  const ask = async (method: string, url: string, body?: unknown, world = 'main', token?: string) => {
    const headers = {
      'x-understudy-world': world,
      'x-api-key': 'test-key',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const reply = await understudy.dispatch({ method, url, headers, body: JSON.stringify(body) })
    return JSON.parse(reply?.body ?? '{}')
  }
  return { understudy, events, ask }
}

/** All there is to see of a world. */
const lookAt = async (world: ReturnType<Understudy['world']>) => ({
  state: world.export(),
  now: world.clock.now(),
  faults: world.faults.list(),
  assumptions: await world.assumptions.list(),
  snapshots: world.snapshots(),
})

it('is the same understudy after a restart, in every world', async () => {
  const storage = new MemoryStorage()
  const first = await open(storage)
  const { understudy, ask } = first
  await ask('POST', '/api/pipelines', { pipeline: { name: 'of main', type: 'python' } })
  understudy.clock.advance('90m')
  understudy.runs.script({ pipeline_uuid: 'daily_sales' }, 'running for 3 reads, then failed')
  understudy.faults.add({ operation: 'listPipelines', times: 3, error: { code: 503, message: 'Later.' } })
  await ask('GET', '/api/pipelines')
  const alice = understudy.world('alice')
  alice.snapshot('before')
  await ask('DELETE', '/api/pipelines/archive', undefined, 'alice')
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
  understudy.world('carol').runs.script({ pipeline_uuid: 'archive' }, { ends_as: 'never' })
  const dora = understudy.world('dora')
  dora.snapshot('before')
  dora.import(imported)
  dora.snapshot('after')
  const looks = ['main', 'alice', 'bob', 'carol', 'dora'].map(
    async (name) => [name, await lookAt(understudy.world(name))] as const,
  )
  const seen = await Promise.all(looks)
  await understudy.close()

  const second = await open(storage)
  expect(second.events.map(({ kind, worlds }) => [kind, worlds])).toEqual([['loaded', 5]])
  expect(second.understudy.worlds.list().map(({ name, requests }) => [name, requests])).toEqual([
    ['main', 2],
    ['alice', 1],
    ['bob', 0],
    ['carol', 0],
    ['dora', 0],
  ])
  for (const [name, look] of seen) expect(await lookAt(second.understudy.world(name)), name).toEqual(look)
  const world = (name: string) => second.understudy.world(name)

  expect(await second.ask('GET', '/api/pipelines')).toMatchObject({ error: { code: 503 } })
  expect(await second.ask('GET', '/api/pipelines')).toMatchObject({ error: { code: 503 } })
  expect(await second.ask('GET', '/api/pipelines')).toMatchObject({ pipelines: [{}, {}, {}] })
  world('alice').restore('before')
  expect(world('alice').model.pipelines.count()).toBe(2)
  expect(await second.ask('GET', '/api/statuses', undefined, 'bob')).toMatchObject({ statuses: [{ id: 4 }] })
  for (const name of ['main', 'alice', 'bob', 'dora']) world(name).reset()
  expect(world('dora').model.pipelines.count()).toBe(2)
  world('dora').restore('after')
  expect(await second.ask('GET', '/api/statuses', undefined, 'dora')).toMatchObject({ statuses: [{ id: 4 }] })
  expect(
    world('main')
      .model.pipelines.all()
      .map(({ uuid }) => uuid),
  ).toEqual(['archive', 'daily_sales'])
  expect(world('alice').model.pipelines.count()).toBe(2)
  expect((await world('alice').assumptions.list()).find(({ id }) => id === 'list-count')?.value).toBe('total')
  expect(
    world('bob')
      .model.pipelines.all()
      .map(({ uuid }) => uuid),
  ).toEqual(['imported'])
  expect(world('bob').apiKeys).toEqual(['of-bob'])
  await second.understudy.close()
})

it('gives no id, token or fault a second time', async () => {
  const storage = new MemoryStorage()
  const { understudy, ask } = await open(storage)
  const create = { backfill: { name: 'mine' } }
  const path = '/api/pipelines/daily_sales/backfills'
  const { id } = (await ask('POST', path, create)).backfill
  await ask('DELETE', `/api/backfills/${id}`)
  const schedule = { pipeline_schedule: { name: 'hourly', schedule_type: 'api' } }
  const { token } = (await ask('POST', '/api/pipelines/daily_sales/pipeline_schedules', schedule))
    .pipeline_schedule
  understudy.faults.remove(understudy.faults.add({ operation: 'listBackfills', drop: true }).id)
  await understudy.close()

  const next = await open(storage)
  expect((await next.ask('POST', path, create)).backfill.id).toBe(id + 1)
  const other = await next.ask('POST', '/api/pipelines/daily_sales/pipeline_schedules', schedule)
  expect(other.pipeline_schedule.token).not.toBe(token)
  expect(next.understudy.faults.add({ operation: 'listBackfills', drop: true }).id).toBe('fault-2')
  await next.understudy.close()
})

it('lets tokens in that were issued before, also when it has another seed', async () => {
  const storage = new MemoryStorage()
  const { understudy, ask } = await open(storage, { auth: 'login', seed: 7 })
  const session = { session: { username: 'mira', password: 'lantern' } }
  const { token } = (await ask('POST', '/api/sessions', session)).session
  await understudy.close()

  for (const seed of [7, 8, 9]) {
    const next = await open(storage, { auth: 'login', seed })
    expect(await next.ask('GET', '/api/pipelines', undefined, 'main', token), `seed ${seed}`).toHaveProperty(
      'pipelines',
    )
    await next.understudy.clock.advance('1s')
    await next.understudy.close()
  }
})

it('draws on where it was, where faults strike by chance', async () => {
  const play = async (restarts: boolean) => {
    const storage = new MemoryStorage()
    let now = await open(storage)
    now.understudy.faults.add({
      operation: 'listPipelines',
      probability: 0.5,
      error: { code: 503, message: 'No.' },
    })
    const struck: boolean[] = []
    for (let count = 0; count < 20; count++) {
      if (restarts && count % 5 === 4) {
        await now.understudy.close()
        now = await open(storage)
      }
      struck.push('error' in (await now.ask('GET', '/api/pipelines')))
    }
    await now.understudy.close()
    return struck
  }

  expect(await play(true)).toEqual(await play(false))
})

it('lets a clock that runs go on while nobody is there, and one that stands stay', async () => {
  let time = Date.parse('2026-03-01T10:00:00Z')
  const options: UnderstudyOptions = { clock: { now: () => time } }
  const storage = new MemoryStorage()
  const { understudy } = await open(storage, options)
  understudy.clock.advance('1d')
  understudy.world('stands').clock.freeze()
  understudy.world('fast').clock.run(60)
  time += 60_000
  await understudy.close()

  time += 3_600_000
  const next = await open(storage, options)
  const nowOf = (name: string) => new Date(next.understudy.world(name).clock.now()).toISOString()
  expect(nowOf('main')).toBe('2026-03-02T11:01:00.000Z')
  expect(nowOf('stands')).toBe('2026-03-01T10:00:00.000Z')
  expect(nowOf('fast')).toBe('2026-03-03T23:00:00.000Z')
  next.understudy.clock.advance('1m')
  await next.understudy.close()

  // A source that counts from the start of its process begins anew.
  time = 0
  const last = await open(storage, options)
  expect(new Date(last.understudy.clock.now()).toISOString()).toBe('2026-03-02T11:02:00.000Z')
  await last.understudy.close()
})

it('takes the faults it begins with from its options, and those that were added from what was kept', async () => {
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

it('says where the state was made from another fixture, with which worlds are born from then on', async () => {
  const storage = new MemoryStorage()
  const { understudy, ask } = await open(storage)
  await ask('DELETE', '/api/pipelines/archive')
  understudy.world('old')
  await understudy.close()

  const next = await open(storage, { fixture: { pipelines: [{ name: 'another' }] } })
  expect(next.events.map(({ kind }) => kind)).toEqual(['loaded', 'another fixture'])
  expect(next.understudy.model.pipelines.count()).toBe(1)
  expect(next.understudy.world('old').model.pipelines.count()).toBe(2)
  expect(
    next.understudy
      .world('new')
      .model.pipelines.all()
      .map(({ uuid }) => uuid),
  ).toEqual(['another'])
  next.understudy.reset()
  expect(next.understudy.model.pipelines.count()).toBe(2)
  await next.understudy.close()
})

/** The company, with a schedule that fires each day. */
const daily: Fixture = {
  pipelines: [{ name: 'sales' }],
  pipeline_schedules: [
    {
      pipeline_uuid: 'sales',
      schedule_interval: '@daily',
      status: 'active',
      start_time: '2020-01-01 00:00:00',
    },
  ],
}

it.each([
  ['frozen', 'system', 'system', '2026-11-22 12:00:00', 1, 0],
  ['system', 'frozen', 'frozen', '2026-01-01 00:00:00', 0, 1],
  ['system', { speed: 60 }, '60x', '2026-11-22 12:00:00', 60, 60],
] as const)(
  'reads the fixture anew for later worlds where the clock was %s and is now %o, and says so',
  async (before, clock, name, readAt, speed, speedOfMain) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const storage = new MemoryStorage()
    const { understudy } = await open(storage, { fixture: daily, clock: before })
    understudy.clock.advance('1s')
    await understudy.close()

    const next = await open(storage, { fixture: daily, clock })
    expect(next.events.slice(1)).toEqual([
      {
        kind: 'another clock',
        text: `The state was made with another clock (${before}): its worlds keep theirs; worlds that are born from now on have the present one (${name}), and begin with the fixture read at it. To have it in all, delete the state.`,
      },
    ])
    const later = next.understudy.world('later')
    expect(later.model.pipeline_runs.count()).toBe(0)
    expect(later.model.pipeline_schedules.all()[0]?.created_at).toBe(`${readAt}.000000+00:00`)
    expect(later.clock.speed()).toBe(speed)
    // What is reset or imported stands at the clock that its records are of.
    next.understudy.reset()
    expect(next.understudy.clock.speed()).toBe(speedOfMain)
    expect(next.understudy.model.pipeline_runs.count()).toBe(0)
    next.understudy.import({ ...daily, clock: '2026-02-01' })
    expect(next.understudy.model.pipeline_runs.count()).toBe(0)
    await next.understudy.close()

    const last = await open(storage, { fixture: daily, clock })
    expect(last.events.map(({ kind }) => kind)).toEqual(['loaded'])
    await last.understudy.close()
  },
)

it.each([
  ['system', '2026-11-21 12:00:00'],
  ['frozen', '2026-01-01 00:00:00'],
  [{ speed: 60 }, '2026-11-22 12:00:00'],
] as const)(
  'takes up a state that is of later than the machine has it: with the clock %o',
  async (clock, at) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const storage = new MemoryStorage()
    const { understudy } = await open(storage, { fixture: daily, clock })
    await understudy.close()

    vi.setSystemTime(new Date('2026-11-21T12:00:00Z'))
    const next = await open(storage, { fixture: daily, clock })
    expect(next.events.map(({ kind }) => kind)).toEqual(['loaded', 'earlier'])
    expect(new Date(next.understudy.clock.now())).toEqual(new Date(`${at}Z`))
    await next.understudy.close()
  },
)

it('bears later worlds from the fixture that is present, whichever the state was made from', async () => {
  const storage = new MemoryStorage()
  const another = { pipelines: [{ name: 'another' }] }
  for (const fixture of [company, another, company]) {
    const { understudy } = await open(storage, { fixture })
    understudy.clock.advance('1s')
    expect(understudy.world(`of-${understudy.worlds.list().length}`).model.pipelines.count()).toBe(
      fixture === company ? 2 : 1,
    )
    await understudy.close()
  }
})

it('bears later worlds from what was imported before the restart', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await open(storage)
  understudy.import({ pipelines: [{ name: 'imported' }] }, { asStart: true })
  await understudy.close()

  const next = await open(storage)
  expect(
    next.understudy
      .world('later')
      .model.pipelines.all()
      .map(({ uuid }) => uuid),
  ).toEqual(['imported'])
  await next.understudy.close()
})

it('leaves the least recently used worlds out where there are more than there may be', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await open(storage)
  for (const name of ['a', 'b', 'c']) understudy.world(name).clock.advance('1s')
  await understudy.close()

  const next = await open(storage, { worlds: { most: 2 } })
  expect(next.understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'b', 'c'])
  expect(next.events.at(-1)).toEqual({
    kind: 'left out',
    text: 'The world a is left out: there were too many.',
  })
  await next.understudy.close()
})

it('keeps what worlds have in common once', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await open(storage, { fixture: demo })
  for (let number = 0; number < 100; number++) {
    const world = understudy.world(`world-${number}`)
    if (number % 10 === 0) await world.factories.pipeline.create({ name: 'one more' })
  }
  await understudy.close()

  const text = storage.kept!.toString()
  expect(text.split('"uuid":"one_more"').length - 1).toBe(10)
  // What only the fixture has: once, though 101 worlds have it.
  expect(text.split('"username":"mira"').length - 1).toBe(1)
  const next = await open(storage, { fixture: demo })
  expect(next.understudy.world('world-10').export()).toEqual(understudyOf(10).export())
  await next.understudy.close()

  function understudyOf(number: number) {
    return next.understudy.world(`world-${number + 10}`)
  }
})

itInParts('comes to the same state whether it is restarted on the way or not', async () => {
  const step = fc.constantFrom(
    'create',
    'delete',
    'trigger',
    'advance',
    'backfill',
    'snapshot',
    'restore',
    'reset',
  )
  const act = async ({ understudy, ask }: Awaited<ReturnType<typeof open>>, name: string, index: number) => {
    const world = index % 3 === 0 ? 'main' : `w${index % 3}`
    if (name === 'create')
      await ask('POST', '/api/pipelines', { pipeline: { name: `p ${index}`, type: 'python' } }, world)
    if (name === 'delete') await ask('DELETE', `/api/pipelines/p_${index - 3}`, undefined, world)
    if (name === 'trigger') await understudy.world(world).factories.pipelineRun.create({})
    if (name === 'advance') understudy.world(world).clock.advance('7m')
    if (name === 'backfill')
      await ask('POST', '/api/pipelines/daily_sales/backfills', { backfill: { name: `b ${index}` } }, world)
    if (name === 'snapshot') understudy.world(world).snapshot('kept')
    if (name === 'restore' && understudy.world(world).snapshots().length > 0)
      understudy.world(world).restore('kept')
    if (name === 'reset') understudy.world(world).reset()
  }
  const worlds = ['main', 'w1', 'w2']
  const pass = async (steps: readonly string[], restartAfter: readonly number[]) => {
    const storage = new MemoryStorage()
    let now = await open(storage)
    for (const [index, name] of steps.entries()) {
      await act(now, name, index)
      if (!restartAfter.includes(index)) continue
      await now.understudy.close()
      now = await open(storage)
    }
    const state = await Promise.all(worlds.map((name) => lookAt(now.understudy.world(name))))
    await now.understudy.close()
    return state
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.array(fc.nat(13), { maxLength: 3 }),
      async (steps, restarts) => {
        expect(await pass(steps, restarts)).toEqual(await pass(steps, []))
      },
    ),
    { seed: 20_261_122, numRuns: samples(25) },
  )
})

it('writes records once that worlds have in common, also where each has changed some, and after a restart', async () => {
  const storage = new MemoryStorage()
  const description = 'A text of some length, so that many records do not stand in one line. '.repeat(2)
  const pipelines = Array.from({ length: 500 }, (_, index) => ({
    name: `p ${index}`,
    type: 'python',
    description,
  }))
  const fixture = { pipelines }
  for (const round of [1, 2, 3]) {
    const { understudy } = await open(storage, { fixture })
    for (const name of ['a', 'b', 'c']) {
      const { model } = understudy.world(name)
      await model.pipelines.update((q) => q.where({ uuid: 'p_250' }), {
        data(record) {
          record.description = `${name} ${round}`
        },
      })
    }
    await understudy.close()
    const text = storage.kept!.toString()

    expect(text.split('"uuid":"p_0"')).toHaveLength(2)
    expect(text.split('"uuid":"p_499"')).toHaveLength(2)
    // As it was at first, as it is in each world, and no other of a former round.
    expect(text.split('"uuid":"p_250"')).toHaveLength(5)
    expect(text.split(`"c ${round}"`)).toHaveLength(2)
  }
})
