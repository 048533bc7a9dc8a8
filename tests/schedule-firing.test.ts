import { expect, it as itInParts } from 'vitest'
import { createUnderstudy, type Fixture } from '../src/index.ts'
import { type Api, openInMemory, pick, pluck, pluckSorted, stateOf } from './support/api.ts'
import { thoroughly, wholly } from './support/depth.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

type Values = Record<string, unknown>

/** One pipeline `a`, and its schedules from id 1; the clock is at 2026-03-01 09:30, a Sunday. */
const withSchedules = (...schedules: Values[]): Fixture => ({
  clock: '2026-03-01T09:30:00Z',
  pipelines: [{ name: 'a' }],
  pipeline_schedules: schedules.map((schedule) => ({
    pipeline_uuid: 'a',
    status: 'active',
    created_at: '2025-01-01 00:00:00',
    ...schedule,
  })),
})
const hourly = { schedule_interval: '@hourly' }
const openWith = (...schedules: Values[]) => openInMemory({ fixture: withSchedules(...schedules) })
const createSchedule = (api: Api, values: Values) =>
  api.post('/api/pipelines/a/pipeline_schedules', { pipeline_schedule: { name: 's', ...values } })
const updateSchedule = (api: Api, values: Values, id = 1) =>
  api.put(`/api/pipeline_schedules/${id}`, { pipeline_schedule: values })
const neverEnding = (api: Api) => api.understudy.runs.script({ pipeline_uuid: 'a' }, 'running until advanced')

/** When the runs of a schedule were created, oldest first, in seconds. */
async function firings(api: Api, id = 1): Promise<string[]> {
  const reply = await api.get(`/api/pipeline_schedules/${id}/pipeline_runs`)
  return pluck(reply.records, 'created_at')
    .map((created) => String(created).slice(0, 19))
    .sort()
}

it('fires an active schedule at the times the clock passes', async () => {
  const api = await openInMemory({
    fixture: withSchedules({ ...hourly, variables: { region: 'north' } }),
  })
  api.understudy.clock.advance('29m')
  expect(await firings(api)).toEqual([])
  api.understudy.clock.advance('2h')

  const reply = await api.get('/api/pipeline_schedules/1/pipeline_runs')
  expect(reply.records).toHaveLength(2)
  expect(pick(reply.records, 'id', 2)).toMatchObject({
    status: 'completed',
    pipeline_uuid: 'a',
    pipeline_schedule_id: 1,
    execution_date: '2026-03-01 11:00:00.000000+00:00',
    created_at: '2026-03-01 11:00:00.000000+00:00',
    completed_at: '2026-03-01 11:00:05.000000+00:00',
    variables: { region: 'north' },
    event_variables: {},
    backfill_id: null,
  })
  expect((await api.get('/api/pipeline_schedules/1')).record).toMatchObject({
    last_pipeline_run_status: 'completed',
    pipeline_runs_count: 2,
  })
})

it('fires an active schedule until a client stops it', async () => {
  const api = await openInMemory({ fixture: withSchedules() })
  await createSchedule(api, { status: 'active', ...hourly })
  api.understudy.clock.advance('1h')
  expect(await firings(api)).toEqual(['2026-03-01 10:00:00'])
  await updateSchedule(api, { status: 'inactive' })
  api.understudy.clock.advance('3h')
  expect(await firings(api)).toEqual(['2026-03-01 10:00:00'])
  await updateSchedule(api, { status: 'active' })
  api.understudy.clock.advance('1h')

  expect(await firings(api)).toEqual(['2026-03-01 10:00:00', '2026-03-01 14:00:00'])
})

it.each([
  ['@hourly', '2026-03-01T23:59:59Z', '1h', ['2026-03-02 00:00:00']],
  [
    '@daily',
    '2028-02-28T12:00:00Z',
    '3d',
    ['2028-02-29 00:00:00', '2028-03-01 00:00:00', '2028-03-02 00:00:00'],
  ],
  ['@weekly', '2026-03-01T00:00:00Z', '14d', ['2026-03-08 00:00:00', '2026-03-15 00:00:00']],
  ['@monthly', '2026-01-31T12:00:00Z', '59d', ['2026-02-01 00:00:00', '2026-03-01 00:00:00']],
  ['@monthly', '2027-12-31T23:59:00Z', '1m', ['2028-01-01 00:00:00']],
  [
    '*/20 10 1 3 *',
    '2026-03-01T09:30:00Z',
    '1d',
    ['2026-03-01 10:00:00', '2026-03-01 10:20:00', '2026-03-01 10:40:00'],
  ],
  ['*/30 * * * * *', '2026-03-01T09:30:00Z', '1m', ['2026-03-01 09:30:30', '2026-03-01 09:31:00']],
] as const)('fires %s from %s on within %s', async (schedule_interval, clock, duration, expected) => {
  const api = await openInMemory({ fixture: { ...withSchedules({ schedule_interval }), clock } })
  api.understudy.clock.advance(duration)

  expect(await firings(api)).toEqual(expected)
})

it.each([
  ['* * * *', 'a line has 5 or 6 fields, not 4'],
  ['0 0 1 1 * 2027 *', 'a line has 5 or 6 fields, not 7'],
  ['0 0 30 2 *', 'it names no date of the calendar'],
  ['0 0 31 4,6 *', 'it names no date of the calendar'],
  ['61 * * * *', 'Invalid value for minute: 61'],
  ['* 24 * * *', 'Invalid value for hour: 24'],
  ['* * * * 8', 'Invalid value for dayOfWeek: 8'],
  ['2026-01-01T00:00:00 * * * *', 'it has characters that no line has'],
  ['@sometimes', 'there is no such name'],
  ['@HOURLY', 'there is no such name'],
  ['@yearly', 'there is no such name'],
  ['', 'a line has 5 or 6 fields, not 1'],
  ['daily', 'a line has 5 or 6 fields, not 1'],
])('rejects the interval %j from clients and fixtures with the reason', async (schedule_interval, reason) => {
  const expected =
    'expected one of @once, @hourly, @daily, @weekly, @monthly, @always_on, or a cron line such as 30 2 * * 1-5 ' +
    `(${reason}); found ${JSON.stringify(schedule_interval)}.`
  const api = await openWith(hourly)
  const before = stateOf(api.understudy)
  for (const reply of [
    await createSchedule(api, { schedule_interval }),
    await updateSchedule(api, { schedule_interval }),
  ]) {
    expect(reply.body).toMatchObject({
      error: {
        code: 400,
        type: 'record_invalid',
        message: `pipeline_schedule.schedule_interval: ${expected}`,
      },
    })
  }
  expect(stateOf(api.understudy)).toEqual(before)
  expect(() => createUnderstudy({ fixture: withSchedules({ schedule_interval }) })).toThrow(
    `The fixture is broken at $.pipeline_schedules[0].schedule_interval: ${expected}`,
  )
})

it.each([
  ['an inactive schedule', { ...hourly, status: 'inactive' }],
  ['a schedule of type api', { ...hourly, schedule_type: 'api' }],
  ['a schedule of type event', { ...hourly, schedule_type: 'event' }],
  ['an @once schedule of a fixture whose start has come', { schedule_interval: '@once' }],
])('does not fire %s', async (_, schedule) => {
  const api = await openWith(schedule)
  api.understudy.clock.advance('365d')

  expect(await firings(api)).toEqual([])
})

it('does not fire for times before a schedule was loaded or activated', async () => {
  const api = await openWith({ schedule_interval: '@daily' }, { ...hourly, status: 'inactive' })
  expect(await firings(api, 1)).toEqual([])
  api.understudy.clock.advance('5h')
  await updateSchedule(api, { status: 'active' }, 2)
  expect(await firings(api, 2)).toEqual([])
  api.understudy.clock.advance('1h')

  expect(await firings(api, 2)).toEqual(['2026-03-01 15:00:00'])
})

it.each([
  ['2026-03-01 12:00:00', ['2026-03-01 12:00:00', '2026-03-01 13:00:00']],
  ['2026-03-01 11:59:59', ['2026-03-01 12:00:00', '2026-03-01 13:00:00']],
  ['2026-03-01 12:00:01', ['2026-03-01 13:00:00']],
  ['2026-03-01 14:00:00', []],
])('does not fire before its start_time, %s', async (start_time, expected) => {
  const api = await openWith({ ...hourly, start_time })
  api.understudy.clock.advance('4h')

  expect(await firings(api)).toEqual(expected)
})

it('fires at the time it is activated only where it starts no earlier', async () => {
  const api = await openInMemory({
    fixture: {
      ...withSchedules(hourly, { ...hourly, start_time: '2026-03-01 10:00:00' }),
      clock: '2026-03-01T10:00:00Z',
    },
  })

  expect(await firings(api, 1)).toEqual([])
  expect(await firings(api, 2)).toEqual(['2026-03-01 10:00:00'])
})

it('fires @once at its start, and never twice', async () => {
  const api = await openWith()
  await createSchedule(api, {
    status: 'active',
    schedule_interval: '@once',
    start_time: '2026-03-01 12:00:00',
  })
  api.understudy.clock.advance('2h')
  expect(await firings(api)).toEqual([])
  api.understudy.clock.advance('2h')
  expect(await firings(api)).toEqual(['2026-03-01 12:00:00'])

  for (const status of ['inactive', 'active']) await updateSchedule(api, { status })
  await updateSchedule(api, { start_time: '2026-03-01 11:00:00' })
  api.understudy.clock.advance('365d')
  expect(await firings(api)).toEqual(['2026-03-01 12:00:00'])
})

it('fires @once again where it is given a start after the time it fired', async () => {
  const api = await openWith({ start_time: '2026-03-01 10:00:00' })
  api.understudy.clock.advance('1h')
  await updateSchedule(api, { start_time: '2026-03-02 00:00:00' })
  api.understudy.clock.advance('1d')

  expect(await firings(api)).toEqual(['2026-03-01 10:00:00', '2026-03-02 00:00:00'])
})

it.each([
  ['created by a client', (api: Api) => createSchedule(api, { status: 'active' })],
  ['made by a factory', (api: Api) => api.understudy.factories.pipelineSchedule.with('active').create()],
  [
    'created in the model',
    (api: Api) =>
      api.understudy.model.pipeline_schedules.create({ pipeline_uuid: 'a', status: 'active' } as never),
  ],
])('fires @once at once where it is %s active and its start has come', async (_, create) => {
  const api = await openWith()
  await create(api)

  expect(await firings(api)).toEqual(['2026-03-01 09:30:00'])
})

it('fires an @once schedule of a fixture when it is activated', async () => {
  const api = await openWith({ status: 'inactive' })
  await updateSchedule(api, { status: 'active' })
  api.understudy.clock.advance('1d')

  expect(await firings(api)).toEqual(['2026-03-01 09:30:00'])
})

it('fires @always_on when it is activated, and whenever its run has ended', async () => {
  const api = await openWith({
    schedule_interval: '@always_on',
    run_script: 'running for 10m, then failed',
  })
  api.understudy.clock.advance('25m')

  expect(await firings(api)).toEqual(['2026-03-01 09:30:00', '2026-03-01 09:40:00', '2026-03-01 09:50:00'])
  const reply = await api.get('/api/pipeline_runs')
  expect(pluckSorted(reply.records, 'status')).toEqual(['failed', 'failed', 'running'])
  const newest = pick(reply.records, 'created_at', '2026-03-01 09:50:00.000000+00:00')
  expect(newest?.status).toBe('running')
})

it('lets @always_on wait for a run of the fixture, and for one that does not end by itself', async () => {
  const fixture = {
    ...withSchedules({ schedule_interval: '@always_on' }),
    pipeline_runs: [{ pipeline_uuid: 'a', pipeline_schedule_id: 1, created_at: '2026-03-01 09:00:00' }],
  }
  const api = await openInMemory({ fixture })
  neverEnding(api)
  api.understudy.clock.advance('1d')
  expect(await firings(api)).toEqual(['2026-03-01 09:00:00'])

  api.understudy.runs.finish(1)
  expect(await firings(api)).toEqual(['2026-03-01 09:00:00', '2026-03-02 09:30:00'])
  await api.put('/api/pipeline_runs/2', { pipeline_run: { status: 'cancelled' } })
  api.understudy.clock.advance('1h')
  expect(await firings(api)).toEqual(['2026-03-01 09:00:00', '2026-03-02 09:30:00', '2026-03-02 09:30:01'])
  await api.delete('/api/pipeline_runs/3')
  expect(await firings(api)).toEqual(['2026-03-01 09:00:00', '2026-03-02 09:30:00', '2026-03-02 10:30:00'])
})

it('fires @always_on at most once a second where its runs take no time', async () => {
  const api = await openWith({
    schedule_interval: '@always_on',
    run_script: 'running for 0s, then completed',
  })
  api.understudy.clock.advance('2s')

  expect(await firings(api)).toEqual(['2026-03-01 09:30:00', '2026-03-01 09:30:01', '2026-03-01 09:30:02'])
})

it('skips a firing during the newest run if the settings require it', async () => {
  const api = await openWith({ ...hourly, settings: { skip_if_previous_running: true } }, hourly)
  api.understudy.runs.script({ pipeline_uuid: 'a' }, 'running for 90m')
  api.understudy.clock.advance('5h')

  expect(await firings(api, 1)).toEqual(['2026-03-01 10:00:00', '2026-03-01 12:00:00', '2026-03-01 14:00:00'])
  expect(await firings(api, 2)).toHaveLength(5)
})

it('regards a run that ends at the time of the next firing as ended', async () => {
  const api = await openWith({ ...hourly, settings: { skip_if_previous_running: true } })
  api.understudy.runs.script({ pipeline_uuid: 'a' }, 'running for 1h')
  api.understudy.clock.advance('3h')

  expect(await firings(api)).toEqual(['2026-03-01 10:00:00', '2026-03-01 11:00:00', '2026-03-01 12:00:00'])
})

it.each([
  ['schedule_interval', { schedule_interval: '15 * * * *' }, ['2026-03-01 10:15:00', '2026-03-01 11:15:00']],
  ['start_time', { start_time: '2026-03-01 10:30:00.000000+00:00' }, ['2026-03-01 11:00:00']],
  ['schedule_type', { schedule_type: 'api' }, []],
  ['status', { status: 'inactive' }, []],
  ['nothing that decides it', { name: 'other', tags: ['x'] }, ['2026-03-01 10:00:00', '2026-03-01 11:00:00']],
] as const)('updates the next firing when a client or a test changes %s', async (_, changes, expected) => {
  const byClient = await openWith(hourly)
  await updateSchedule(byClient, changes)
  const byTest = await openWith(hourly)
  await byTest.understudy.model.pipeline_schedules.update((query) => query.where({ id: 1 }), {
    data: (schedule) => void Object.assign(schedule, changes),
  })
  for (const api of [byClient, byTest]) {
    api.understudy.clock.advance('2h')
    expect(await firings(api)).toEqual(expected)
  }
})

it('does not fire a schedule that is deleted, nor one whose pipeline is', async () => {
  const api = await openWith(hourly, hourly)
  await api.delete('/api/pipeline_schedules/1')
  api.understudy.clock.advance('1h')
  expect(await firings(api, 2)).toHaveLength(1)
  await api.delete('/api/pipelines/a')
  api.understudy.clock.advance('1d')

  expect((await api.get('/api/pipeline_runs')).body).toMatchObject({ metadata: { count: 0 } })
})

it('fires at the time of the fixture first, and by its interval afterwards', async () => {
  const api = await openWith({ ...hourly, fires_at: '+10m' })
  api.understudy.clock.advance('90m')

  expect(await firings(api)).toEqual(['2026-03-01 09:40:00', '2026-03-01 10:00:00', '2026-03-01 11:00:00'])
})

it('fires one schedule at most 2,000 times in one step, and continues after that', async () => {
  const api = await openWith({ schedule_interval: '* * * * *' })
  neverEnding(api)
  const count = async () => (await api.get('/api/pipeline_runs?_limit=1')).body
  api.understudy.clock.advance('365d')
  expect(await count()).toMatchObject({ metadata: { count: 2_000 } })
  api.understudy.clock.advance('2m')

  expect(await count()).toMatchObject({ metadata: { count: 2_002 } })
  expect((await firings(api)).at(-1)).toBe('2027-03-01 09:32:00')
})

itThoroughly('bounds what @always_on does in one step, and does not stop at the end of time', async () => {
  const run_script = 'running for 0s, then completed'
  const api = await openWith({ schedule_interval: '@always_on', run_script })
  const count = async () => (await firings(api)).length
  expect(api.understudy.clock.advance('365d')).toEqual({ leftOut: { pipeline_schedules: 1 } })
  expect(await count()).toBe(2_000)
  expect(api.understudy.clock.advance('1s')).toEqual({ leftOut: {} })
  expect(await count()).toBe(2_001)

  api.understudy.clock.freeze('9999-12-31 23:59:59')
  expect(await count()).toBe(4_001)
  api.understudy.clock.advance('1d')
  expect(await count()).toBe(4_002)
})
