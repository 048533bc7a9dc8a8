import { expect, it } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import {
  createUnderstudy,
  type Scenario,
  type Understudy,
  UnderstudyError,
  type UnderstudyOptions,
} from '../src/index.ts'
import { type ScenarioName, scenarios } from '../src/scenarios/index.ts'

type ListBody = Record<string, Record<string, unknown>[]> & {
  metadata: { count: number }
  error?: { code: number }
}

async function begin(name: ScenarioName, options: UnderstudyOptions = {}) {
  const understudy = createUnderstudy({ fixture: demo, ...options, scenarios })
  await understudy.scenarios.start(name)
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await (await understudy.fetch(`/api/${path}`, { headers })).json()) as ListBody
  return { understudy, get }
}

const statusesOf = (runs: readonly Record<string, unknown>[]) =>
  [...new Set(runs.map(({ status }) => status))].sort()

it('lists the shipped scenarios with their descriptions and parts', async () => {
  const listed = await createUnderstudy({ scenarios }).scenarios.list()

  expect(listed.map(({ name, parts }) => [name, ...parts])).toEqual([
    ['empty', 'fixture'],
    ['demo', 'fixture'],
    ['everything-fails-tonight', 'fixture', 'scripts'],
    ['slow', 'faults'],
    ['flaky', 'faults'],
    ['signed-out', 'fixture'],
    ['a-thousand-pipelines', 'fixture'],
    ['a-backfill-fails-half-way', 'fixture'],
    ['all-runs-stuck', 'fixture', 'scripts'],
  ])
  expect(listed.filter(({ description }) => !/^[A-Z].{20,140}\.$/.test(description))).toEqual([])
})

it('makes every new run fail: everything-fails-tonight', async () => {
  const { understudy, get } = await begin('everything-fails-tonight')
  expect(new Date(understudy.clock.now()).toISOString()).toBe('2026-01-01T20:00:00.000Z')
  understudy.clock.advance('12h')
  const { pipeline_runs: runs } = await get('pipeline_runs')
  const ofTonight = runs!.filter(({ created_at: at }) => String(at) > '2026-01-01 20:00:00.000000')

  expect(ofTonight.length).toBeGreaterThan(5)
  expect(new Set(ofTonight.map(({ pipeline_uuid: uuid }) => uuid)).size).toBeGreaterThan(3)
  expect(statusesOf(ofTonight.filter(({ created_at: at }) => String(at) < '2026-01-02 07:59:40'))).toEqual([
    'failed',
  ])
})

it('delays each reply: slow', async () => {
  const { understudy } = await begin('slow')
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => understudy.dispatch({ method: 'GET', url: '/api/pipelines' })),
  )
  const delays = replies.map((reply) => reply!.delivery?.delay ?? 0).toSorted((one, other) => one - other)

  expect(delays[0]).toBeGreaterThan(200)
  expect(delays[50]).toBeGreaterThan(1_000)
  expect(delays[50]).toBeLessThan(2_000)
  expect(delays[99]).toBeLessThan(15_000)
})

it('fails three of ten requests: flaky', async () => {
  const { understudy } = await begin('flaky')
  const replies = await Promise.all(
    Array.from({ length: 300 }, () => understudy.dispatch({ method: 'GET', url: '/api/pipelines' })),
  )
  const http = replies.filter((reply) => reply!.status === 503).length
  const logical = replies.filter((reply) => reply!.status === 200 && reply!.code === 500).length
  const late = replies.filter((reply) => reply!.delivery?.delay === 3_000).length

  for (const count of [http, logical, late]) {
    expect(count).toBeGreaterThan(15)
    expect(count).toBeLessThan(45)
  }
})

it('rejects old tokens and accepts new ones: signed-out', async () => {
  const { understudy, get } = await begin('signed-out', { auth: 'login' })
  const key = { 'x-api-key': 'demo-api-key' }
  const old = { ...key, 'oauth-token': 'mira-today-3f9c1e7ab2d84c06' }
  expect((await get('pipelines', old)).error).toMatchObject({ code: 401 })

  const session = await understudy.fetch('/api/sessions', {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify({ session: { email: 'mira@nordlicht.example', password: 'lantern' } }),
  })
  const { session: opened } = (await session.json()) as { session: { token: string } }
  expect((await get('pipelines', { ...key, authorization: `Bearer ${opened.token}` })).metadata.count).toBe(
    10,
  )
})

it('has long lists: a-thousand-pipelines', async () => {
  const { get } = await begin('a-thousand-pipelines')

  expect((await get('pipelines?_limit=20')).metadata.count).toBe(1_000)
  expect((await get('backfills?_limit=20')).metadata.count).toBe(2_000)
})

it('fails one run of a backfill: a-backfill-fails-half-way', async () => {
  const { understudy, get } = await begin('a-backfill-fails-half-way')
  const statuses = async () => {
    const { backfill } = (await get('backfills/101')) as unknown as { backfill: { status: string } }
    return [backfill.status, understudy.model.pipeline_runs.countBy('status', { backfill_id: 101 })]
  }

  expect(await statuses()).toEqual(['running', { completed: 6, running: 6 }])
  understudy.clock.advance('10s')
  expect(await statuses()).toEqual(['running', { completed: 6, failed: 1, running: 5 }])
  understudy.clock.advance('30s')
  expect(await statuses()).toEqual(['failed', { completed: 11, failed: 1 }])
})

it('never ends a run: all-runs-stuck', async () => {
  const { understudy, get } = await begin('all-runs-stuck')
  const { completed, failed } = understudy.model.pipeline_runs.countBy('status')
  understudy.clock.advance('2d')
  await get('pipeline_runs')

  expect(understudy.model.pipeline_runs.countBy('status')).toMatchObject({ completed, failed })
  expect(understudy.model.pipeline_runs.count({ status: 'running' })).toBeGreaterThan(8)
})

const friday: Scenario = {
  description: 'Friday evening, and the newest pipeline is deleted in vain.',
  fixture: { pipelines: [{ name: 'sales' }], pipeline_schedules: [{ pipeline_uuid: 'sales' }] },
  assumptions: { 'list-count': 'items' },
  faults: [{ operation: 'deletePipeline', status: 503 }],
  scripts: [{ target: { pipeline_uuid: 'sales' }, script: 'running for 1h, then failed' }],
  clock: { freeze: '2026-01-02 20:00:00', advance: '30m' },
}

it('starts a scenario of the user, by value or by name, in one world', async () => {
  const understudy = createUnderstudy({ fixture: demo, scenarios: { friday } })
  const world = understudy.world('a')
  await world.scenarios.start('friday')

  expect(new Date(world.clock.now()).toISOString()).toBe('2026-01-02T20:30:00.000Z')
  expect(world.model.pipelines.all()).toMatchObject([
    { uuid: 'sales', run_script: 'running for 1h, then failed' },
  ])
  expect(world.faults.list()).toMatchObject([{ operation: 'deletePipeline', status: 503 }])
  expect((await world.assumptions.list()).find(({ id }) => id === 'list-count')?.value).toBe('items')
  expect(understudy.model.pipelines.count()).toBe(10)
  await understudy.scenarios.start({
    description: 'Mine.',
    fixture: () => ({ pipelines: [{ name: 'made' }] }),
  })
  expect(understudy.model.pipelines.all().map(({ uuid }) => uuid)).toEqual(['made'])
})

it('preserves the records if a scenario has no fixture', async () => {
  const understudy = createUnderstudy({ fixture: demo, scenarios })
  understudy.model.pipelines.delete((q) => q.where({ uuid: 'sandbox' }))
  await understudy.scenarios.start('slow')
  await understudy.scenarios.start('flaky')

  expect(understudy.model.pipelines.count()).toBe(9)
  expect(understudy.faults.list()).toHaveLength(4)
})

it('applies a script to later runs', async () => {
  const understudy = createUnderstudy({
    fixture: {
      pipelines: [{ name: 'sales' }],
      pipeline_schedules: [
        {
          pipeline_uuid: 'sales',
          status: 'active',
          schedule_interval: '30 * * * *',
          run_script: 'running for 5s',
        },
      ],
    },
  })
  await understudy.scenarios.start({
    description: 'Nothing works.',
    scripts: [{ target: 'later', script: 'running for 1s, then failed' }],
  })
  understudy.clock.advance('1h')

  expect(understudy.model.pipeline_runs.countBy('status')).toEqual({ failed: 1 })
})

it('resets to the start before the scenario', async () => {
  const { understudy } = await begin('everything-fails-tonight')
  understudy.reset()

  expect(
    understudy.model.pipelines.findFirst((q) => q.where({ uuid: 'daily_revenue' }))?.run_script,
  ).toBeNull()
  expect(new Date(understudy.clock.now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
})

it('lists the scenarios, and suggests a similar one', async () => {
  const some = createUnderstudy({ scenarios: { friday } })
  const none = createUnderstudy()

  await expect(some.scenarios.start('fryday')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    detail: 'There is no scenario "fryday"; there are friday. Did you mean friday?',
  })
  await expect(none.scenarios.start('slow')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    detail:
      'There is no scenario "slow"; there are none. Pass those of \'pipeline-understudy/scenarios\' to the mock: createUnderstudy({ scenarios }).',
  })
})

it.each([
  [null, '$', 'an object', 'null'],
  [{}, '$.description', 'a sentence', 'nothing'],
  [
    { ...friday, falts: [] },
    '$.falts',
    'the key "faults", or one of description, fixture, assumptions, scripts, clock',
    'an unknown key',
  ],
  [{ ...friday, faults: {} }, '$.faults', 'a list', '{}'],
  [{ ...friday, clock: [] }, '$.clock', 'an object', '[]'],
  [
    { ...friday, clock: { stop: true } },
    '$.clock.stop',
    'one of the keys freeze, advance, run',
    'an unknown key',
  ],
])('refuses %j', async (scenario, path, expected, found) => {
  const understudy = createUnderstudy()

  await expect(understudy.scenarios.start(scenario as Scenario)).rejects.toMatchObject({
    code: 'SCENARIO_BROKEN',
    detail: `The scenario is broken at ${path}: expected ${expected}; found ${found}.`,
    flaws: [{ path, expected, found }],
  })
})

it.each([
  [{ fixture: { pipelines: [{}] } }, '$.fixture.pipelines[0].'],
  [{ faults: [{ drop: true }, { operation: 'nothing' }] }, '$.faults[1]'],
  [{ scripts: [{ target: { pipeline_uuid: 'nobody' }, script: 'running' }] }, '$.scripts[0]'],
  [{ scripts: [{ target: 'all', script: 'dancing' }] }, '$.scripts[0].script'],
  [{ assumptions: { 'list-count': 'few' } }, '$.assumptions'],
  [{ clock: { advance: 'soon' } }, '$.clock.advance'],
])('changes nothing if a part is invalid: %j', async (part, path) => {
  const understudy = createUnderstudy({ fixture: demo })
  await understudy.fetch('/api/pipelines')
  const before = JSON.stringify([understudy.export(), understudy.faults.list(), understudy.clock.now()])
  const start = understudy.scenarios.start({ ...friday, ...part } as Scenario)

  await expect(start).rejects.toBeInstanceOf(UnderstudyError)
  await expect(start).rejects.toMatchObject({
    code: 'SCENARIO_BROKEN',
    detail: expect.stringContaining(`The scenario is broken at ${path}`),
  })
  expect(JSON.stringify([understudy.export(), understudy.faults.list(), understudy.clock.now()])).toBe(before)
})

const stateOf = async ({ clock, export: write, faults, assumptions, snapshots }: Understudy) =>
  JSON.stringify([clock.now(), write(), faults.list(), await assumptions.list(), snapshots()])

it.each([
  ['reset', (understudy: Understudy) => understudy.reset()],
  ['restore', (understudy: Understudy) => understudy.restore('early')],
  [
    'import',
    (understudy: Understudy) => understudy.import({ clock: '2030-01-01', pipelines: [{ name: 'x' }] }),
  ],
  ['scenario', (understudy: Understudy) => understudy.scenarios.start('everything-fails-tonight')],
] as const)('undoes a %s completely', async (act, run) => {
  const understudy = createUnderstudy({ fixture: demo, scenarios })
  understudy.snapshot('early')
  understudy.clock.advance('3h')
  understudy.faults.add({ operation: 'listPipelines', every: 2, status: 503 })
  understudy.assumptions.switch({ 'list-count': 'items' })
  await understudy.factories.pipeline.create({ name: 'mine' })
  await understudy.fetch('/api/pipelines')
  const before = await stateOf(understudy)
  await run(understudy)
  expect(await stateOf(understudy)).not.toBe(before)

  expect(understudy.undo()).toBe(act)
  expect(await stateOf(understudy)).toBe(before)
  expect(() => understudy.undo()).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
})

it('sets a running clock to the time of a scenario, and undo sets it back', async () => {
  let now = Date.parse('2026-03-01T10:00:00Z')
  const {
    clock,
    scenarios: controls,
    model,
    undo,
  } = createUnderstudy({ clock: { now: () => now }, scenarios })
  await controls.start('everything-fails-tonight')
  now += 60_000

  expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T20:01:00.000Z')
  expect(clock.speed()).toBe(1)
  const started = model.pipeline_runs.all().map(({ created_at }) => created_at)
  expect(started.toSorted().at(-1)?.slice(0, 10)).toBe('2026-01-01')
  undo()
  expect(new Date(clock.now()).toISOString()).toBe('2026-03-01T10:01:00.000Z')
})
