import { expect, it as itInParts } from 'vitest'
import type { AssumptionSwitches } from '../src/assumptions/switches.ts'
import { createInSlices, importInSlices } from '../src/engine/worlds/read-in-slices.ts'
import { takeProfile } from '../src/engine/worlds/take-profile.ts'
import { insideOf } from '../src/engine/worlds/world.ts'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { mageAi0979 } from '../src/profiles/index.ts'
import { thoroughly, wholly } from './support/depth.ts'
import { busy, creation, fourWeeks } from './support/much-due.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

/** An understudy with a pipeline of three blocks in a row, a schedule and a backfill, and what asks it. */
function createAsking(assumptions: AssumptionSwitches) {
  const understudy = createUnderstudy({
    assumptions,
    fixture: {
      pipelines: [
        {
          name: 'daily sales',
          blocks: [
            { name: 'load', type: 'data_loader' },
            { name: 'clean', type: 'transformer', upstream_blocks: ['load'] },
            { name: 'store', type: 'data_exporter', upstream_blocks: ['clean'] },
          ],
        },
      ],
      pipeline_schedules: [
        { pipeline_uuid: 'daily_sales', token: 'a-token', status: 'inactive', schedule_type: 'api' },
      ],
      backfills: [{ pipeline_uuid: 'daily_sales', name: 'may' }],
    },
  })
  const ask = async (method: string, url: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await understudy.dispatch({ method, url, headers, body: JSON.stringify(body) })
    return JSON.parse(reply?.body ?? '{}')
  }
  return { understudy, ask }
}

it('joins what stood below a block that was forced out to what stood above it', async () => {
  const { ask } = createAsking({ 'force-effect': 'joined' })
  await ask('DELETE', '/api/pipelines/daily_sales/blocks/clean?force=True')
  const { block } = await ask('GET', '/api/pipelines/daily_sales/blocks/store')

  expect(block.upstream_blocks).toEqual(['load'])
})

it('moves a pipeline and what stands in it to the uuid of its new name', async () => {
  const { ask } = createAsking({ 'pipeline-rename': 'uuid follows' })
  const { pipeline } = await ask('PUT', '/api/pipelines/daily_sales', { pipeline: { name: 'weekly sales' } })

  expect(pipeline.uuid).toBe('weekly_sales')
  expect((await ask('GET', '/api/pipelines/weekly_sales/blocks/store')).block.upstream_blocks).toEqual([
    'clean',
  ])
  expect((await ask('GET', '/api/backfills?pipeline_uuid=weekly_sales')).backfills).toHaveLength(1)
  expect(
    (await ask('GET', '/api/pipelines/weekly_sales/pipeline_schedules')).pipeline_schedules,
  ).toHaveLength(1)
  expect((await ask('GET', '/api/pipelines/daily_sales')).error.code).toBe(404)
})

it('writes letter_ before a uuid that would begin with a digit', async () => {
  const { ask } = createAsking({ 'pipeline-uuid-rule': 'letter first' })

  expect(
    (await ask('POST', '/api/pipelines', { pipeline: { name: '9 lives', type: 'python' } })).pipeline.uuid,
  ).toBe('letter_9_lives')
})

it('makes a schedule active that is triggered', async () => {
  const { ask } = createAsking({ 'trigger-inactive': 'becomes active' })
  await ask('POST', '/api/pipeline_schedules/1/pipeline_runs/a-token', {})

  expect((await ask('GET', '/api/pipeline_schedules/1')).pipeline_schedule.status).toBe('active')
})

it('writes the lines of logs as objects', async () => {
  const { understudy, ask } = createAsking({ 'log-lines': 'json' })
  await ask('POST', '/api/pipeline_schedules/1/pipeline_runs/a-token', {})
  understudy.clock.advance('1m')
  const { logs } = await ask('GET', '/api/pipelines/daily_sales/logs')

  expect(JSON.parse(logs[0].pipeline_run_logs[0].content.split('\n')[1].slice(20))).toMatchObject({
    level: 'INFO',
    message: 'pipeline run 1 completed',
  })
})

it('takes back what it has exported under a profile, with what only the profile accepts', async () => {
  const understudy = createUnderstudy({ fixture: demo, profile: mageAi0979 })
  const body = JSON.stringify({ pipeline: { name: 'bespoke', type: 'of their own' } })
  await understudy.dispatch({ method: 'POST', url: '/api/pipelines', headers: {}, body })
  const exported = understudy.export()
  expect(Object.keys(exported.custom ?? {})).toEqual(['statuses', 'projects'])
  understudy.import(exported)

  expect(understudy.export()).toEqual(exported)
  expect(understudy.model.pipelines.findFirst((q) => q.where({ uuid: 'bespoke' }))).toMatchObject({
    type: 'of their own',
  })
})

it('takes the ways of a real server while it runs as if it had been created with them, and gives them back', async () => {
  const taking = createUnderstudy({ fixture: demo, seed: 7 })
  const created = createUnderstudy({ fixture: demo, seed: 7, profile: mageAi0979 })
  const before = taking.export()
  await takeProfile(taking, mageAi0979)

  for (const path of [
    ...['pipelines?_limit=3', 'pipelines/daily_revenue', 'pipelines/nope', 'backfills', 'pipeline_schedules'],
    ...['pipeline_runs?_limit=5', 'pipelines/load_forecast/blocks/features', 'nothing_like_it'],
  ]) {
    const [one, other] = await Promise.all(
      [taking, created].map(async ({ fetch }) => (await fetch(`/api/${path}`)).text()),
    )
    expect([path, one]).toEqual([path, other])
  }
  for (const each of [taking, created]) each.clock.advance('1h')
  expect(taking.export()).toEqual(created.export())
  taking.reset()
  await takeProfile(taking, undefined)
  expect(taking.export()).toEqual(before)
})

it('keeps the assumptions that were given, whichever profile is taken', async () => {
  const understudy = createUnderstudy({ fixture: demo, assumptions: { 'single-metadata': 'absent' } })
  const read = async () =>
    Object.keys((await (await understudy.fetch('/api/pipelines/daily_revenue')).json()) as object)
  await takeProfile(understudy, mageAi0979)
  expect(await read()).toEqual(['pipeline'])

  await takeProfile(understudy, undefined)
  expect(await read()).toEqual(['pipeline'])
})

it('takes the ways of a real server in slices, with all that is written meanwhile', async () => {
  const backfills = Array.from({ length: 2_000 }, (_, index) => ({ id: index + 1, pipeline_uuid: 'many' }))
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'many' }], backfills } })
  const write = (name: string) => understudy.model.backfills.create({ name, pipeline_uuid: 'many' })
  await write('before')
  let isDone = false
  const taking = takeProfile(understudy, mageAi0979).then(() => {
    isDone = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isDone).toBe(false)
  await write('meanwhile')
  understudy.world('born-meanwhile')
  await taking
  const created = createUnderstudy({
    fixture: { pipelines: [{ name: 'many' }], backfills },
    profile: mageAi0979,
  })
  const bornThere = created.world('born-meanwhile').export()

  expect(
    understudy.model.backfills
      .all()
      .slice(2_000)
      .map(({ name }) => name),
  ).toEqual(['before', 'meanwhile'])
  expect(understudy.world('born-meanwhile').export()).toEqual(bornThere)
  expect(understudy.endpoints).toHaveLength(created.endpoints.length)
})

it('begins worlds that are born after a profile was taken as those of a server that was started with it', async () => {
  const clock = { now: () => Date.UTC(2026, 0, 1) }
  const taking = createUnderstudy({ fixture: demo, clock })
  const created = createUnderstudy({ fixture: demo, clock, profile: mageAi0979 })
  await takeProfile(taking, mageAi0979)
  const later = taking.world('born-later')
  const there = created.world('born-later')
  const read = async ({ fetch }: typeof later) => (await fetch('/api/backfills/1')).text()

  expect(await read(later)).toContain('"start_datetime":"2025-09-03 00:00:00"')
  expect(await read(later)).toBe(await read(there))
  expect(later.export()).toEqual(there.export())
})

it('answers nobody in the old ways once it has answered somebody in the new ones', async () => {
  const understudy = createUnderstudy({ fixture: demo })
  const worlds = Array.from({ length: 20 }, (_, index) => understudy.world(`w${index}`))
  for (const { factories } of worlds) await factories.backfill.create()
  const answers: string[] = []
  let isDone = false
  const taking = takeProfile(understudy, mageAi0979).then(() => {
    isDone = true
  })
  while (!isDone) {
    const asked = worlds.map(async ({ fetch }) => {
      const { error } = await (await fetch('/api/nothing')).json()
      answers.push(error.message)
    })
    await worlds[0]!.factories.backfill.create()
    await Promise.all(asked)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await taking

  expect(answers.filter((answer, index) => answer !== answers[index - 1])).toEqual([
    'Nothing is at "/api/nothing".',
    'Record not found.',
  ])
})

itThoroughly(
  'loses nothing that is written in a world which is born and at work while a profile is taken',
  async () => {
    let now = Date.UTC(2026, 0, 1)
    const understudy = createUnderstudy({
      fixture: {
        ...busy,
        backfills: Array.from({ length: 2_000 }, (_, index) => ({ id: index + 1, pipeline_uuid: 'busy' })),
      },
      clock: { now: () => now },
    })
    const { turns } = insideOf(understudy).present()
    const taking = takeProfile(understudy, mageAi0979)
    while (!turns.isTaken) {
      await understudy.model.backfills.create({ pipeline_uuid: 'busy' })
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { fetch, model } = understudy.world('w')
    now += fourWeeks
    const reply = await fetch('/api/pipelines', creation)
    await taking

    expect(await reply.json()).toHaveProperty('pipeline.uuid', 'mine')
    expect(model.pipelines.all().map(({ uuid }) => uuid)).toEqual(['busy', 'mine'])
  },
)

it('is taken while a world is written to all the while', async () => {
  const backfills = Array.from({ length: 2_000 }, (_, index) => ({ id: index + 1, pipeline_uuid: 'busy' }))
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'busy' }], backfills } })
  let isDone = false
  const taking = takeProfile(understudy, mageAi0979).then(() => {
    isDone = true
  })
  let written = 0
  while (!isDone && written < 1_000) {
    written++
    await understudy.model.backfills.create({ pipeline_uuid: 'busy' })
    await new Promise((resolve) => setImmediate(resolve))
  }

  expect(isDone).toBe(true)
  await taking
  expect(understudy.model.backfills.all()).toHaveLength(2_000 + written)
})

it('is taken one after the other, and the last one stays', async () => {
  const understudy = createUnderstudy({ fixture: demo })
  await understudy.factories.backfill.create()
  const order: number[] = []
  await Promise.all(
    [mageAi0979, undefined, mageAi0979, undefined].map(async (profile, index) => {
      await takeProfile(understudy, profile)
      understudy.world(`born-after-${index}`)
      order.push(index)
    }),
  )
  const reply = await understudy.fetch('/api/nothing')

  expect(order).toEqual([0, 1, 2, 3])
  expect(await reply.json()).toHaveProperty('error.message', 'Nothing is at "/api/nothing".')
})

it('begins what is read while it is taken, an import or a world of its own, in the new ways', async () => {
  const fixture = () => ({
    pipelines: [{ name: 'many' }],
    backfills: Array.from({ length: 10_000 }, (_, index) => ({
      id: index + 1,
      pipeline_uuid: 'many',
      start_datetime: '2026-01-01 00:00:00',
    })),
  })
  const understudy = createUnderstudy()
  await Promise.all([
    importInSlices(understudy, fixture()),
    createInSlices(understudy, 'own', { fixture: fixture() }),
    takeProfile(understudy, mageAi0979),
  ])

  for (const { fetch } of [understudy, understudy.world('own')]) {
    const reply = await fetch('/api/backfills/10000')
    expect(await reply.json()).toHaveProperty('backfill.start_datetime', '2026-01-01 00:00:00')
  }
})
