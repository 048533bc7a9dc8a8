import { expect } from 'vitest'
import { createUnderstudy, RecordError, type RunScript, type RunTarget } from '../src/index.ts'
import { type Api, openInMemory, stateOf } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const options = { fixture: company }
const trigger = (api: Api) => api.post('/api/pipeline_schedules/2/pipeline_runs/hand-token', {})
const readRun = async (api: Api, id = 4) => (await api.get(`/api/pipeline_runs/${id}`)).record
const statusOf = async (api: Api, id = 4) => (await readRun(api, id)).status
/** Returns a run without the effects of a read. */
const storedRun = (api: Api, id = 4) =>
  api.understudy.model.pipeline_runs.findFirst((query) => query.where({ id }))
const scriptPipeline = (api: Api, script: RunScript) =>
  api.understudy.runs.script({ pipeline_uuid: 'daily_sales' }, script)

/** The statuses of a run in so many reads, one after the other. */
async function readTimes(api: Api, times: number): Promise<unknown[]> {
  const statuses: unknown[] = []
  for (let read = 0; read < times; read++) statuses.push(await statusOf(api))
  return statuses
}

it('shows a run running for three reads and failed at the fourth', async ({ api }) => {
  scriptPipeline(api, 'running for 3 reads, then failed')
  expect((await trigger(api)).record.status).toBe('running')
  api.understudy.clock.advance('1h')
  expect(await readTimes(api, 2)).toEqual(['running', 'running'])
  api.understudy.clock.advance('1h')
  expect(await statusOf(api)).toBe('running')
  api.understudy.clock.advance('1h')

  expect(await readRun(api)).toMatchObject({
    status: 'failed',
    completed_at: '2026-03-01 11:00:00.000000+00:00',
    updated_at: '2026-03-01 11:00:00.000000+00:00',
  })
})

it('goes through the steps of a chain, by reads and by time', async ({ api }) => {
  scriptPipeline(api, 'initial for 1 read, then running for 20s, then failed')
  expect((await trigger(api)).record.status).toBe('initial')
  api.understudy.clock.advance('1m')
  expect(await readTimes(api, 2)).toEqual(['initial', 'running'])
  api.understudy.clock.advance('19999ms')
  expect(await statusOf(api)).toBe('running')
  api.understudy.clock.advance('1ms')

  expect(await readRun(api)).toMatchObject({
    status: 'failed',
    completed_at: '2026-03-01 09:01:20.000000+00:00',
  })
})

it.each([
  ['/api/pipeline_runs', 'the list of runs'],
  ['/api/pipeline_runs?status=running&_limit=1', 'a page that holds it'],
  ['/api/pipeline_schedules/2/pipeline_runs', 'the runs of its schedule'],
  ['/api/pipeline_schedules/2', 'its schedule'],
  ['/api/pipelines/daily_sales/pipeline_schedules', 'the list of schedules'],
  ['/api/pipelines/daily_sales?include_schedules=1', 'its pipeline with its triggers'],
  ['/api/pipelines?include_schedules=1', 'the list of pipelines with their triggers'],
])('counts %s as a read of a run: %s', async (path) => {
  const api = await openInMemory(options)
  scriptPipeline(api, 'running for 2 reads, then failed')
  await trigger(api)
  await api.get(path)
  expect(storedRun(api)).toMatchObject({ status: 'running', reads_left: 1 })
  await api.get(path)

  expect(storedRun(api)).toMatchObject({ status: 'failed', reads_left: null })
})

it.each([
  '/api/pipeline_runs/3',
  '/api/pipeline_runs?_limit=1&_offset=1',
  '/api/pipeline_runs?status=failed',
  '/api/pipeline_schedules/1',
  '/api/pipelines/archive/pipeline_schedules',
  '/api/pipelines/daily_sales',
  '/api/pipelines',
  '/api/pipelines/daily_sales/logs',
  '/api/backfills',
])('does not count %s as a read of a run', async (path) => {
  const api = await openInMemory(options)
  scriptPipeline(api, 'running for 1 read, then failed')
  await trigger(api)
  await api.get(path)

  expect(storedRun(api)).toMatchObject({ status: 'running', reads_left: 1 })
})

it('counts neither a write nor a refused request as a read', async () => {
  const api = await openInMemory({ ...options, auth: 'key' })
  scriptPipeline(api, 'running for 1 read, then failed')
  await trigger(api)
  await api.put('/api/pipeline_runs/4?api_key=test-key', { pipeline_run: { variables: { a: 1 } } })
  await api.get('/api/pipeline_runs/4')

  expect(storedRun(api)).toMatchObject({ status: 'running', reads_left: 1 })
})

it('shows its schedule the status of the newest run only, and counts for that one only', async ({ api }) => {
  scriptPipeline(api, 'running for 2 reads, then failed')
  await trigger(api)
  await trigger(api)
  await api.get('/api/pipeline_schedules/2')
  await api.get('/api/pipeline_schedules/2')
  const schedule = (await api.get('/api/pipeline_schedules/2')).record

  expect(schedule.last_pipeline_run_status).toBe('failed')
  expect(storedRun(api, 4)).toMatchObject({ status: 'running', reads_left: 2 })
})

it('ends a run by reads with its logs, and its backfill with it', async ({ api }) => {
  api.understudy.runs.script({ backfill_id: 2 }, 'running for 1 read, then failed')
  await api.put('/api/backfills/2', {
    backfill: {
      status: 'initial',
      start_datetime: '2026-01-01 00:00:00',
      end_datetime: '2026-01-01 00:00:00',
      interval_type: 'day',
    },
  })
  api.understudy.clock.advance('1h')
  expect((await api.get('/api/backfills/2')).record.status).toBe('running')
  const before = api.understudy.model.logs.count()
  expect(await statusOf(api)).toBe('running')

  expect((await api.get('/api/backfills/2')).record).toMatchObject({
    status: 'failed',
    failed_at: '2026-03-01 10:00:00.000000+00:00',
  })
  expect(api.understudy.model.logs.count()).toBe(before + 7)
})

it('preserves the count through a snapshot and an export', async ({ api }) => {
  scriptPipeline(api, 'running for 3 reads, then failed')
  await trigger(api)
  await readRun(api)
  api.understudy.snapshot('one read')
  const exported = api.understudy.export()
  expect(await readTimes(api, 3)).toEqual(['running', 'running', 'failed'])

  api.understudy.restore('one read')
  expect(await readTimes(api, 3)).toEqual(['running', 'running', 'failed'])

  api.understudy.import(exported, { asStart: true })
  expect(stateOf(api.understudy)).toEqual(stateOf(createUnderstudy({ fixture: exported })))
  expect(await readTimes(api, 3)).toEqual(['running', 'running', 'failed'])

  api.understudy.reset()
  expect(await readTimes(api, 3)).toEqual(['running', 'running', 'failed'])
})

it.each([
  ['running for 20 s, then completed', 20_000, 'completed'],
  ['running for 20s', 20_000, 'completed'],
  ['running for 1.5m, then cancelled', 90_000, 'cancelled'],
  ['  Running  for 250ms ,Then Failed ', 250, 'failed'],
  ['running for 1s, running for 1s, failed', 2_000, 'failed'],
  ['initial for 1s then running for 2s then failed', 3_000, 'failed'],
  ['running for 1h, then initial for 1h', 7_200_000, 'completed'],
  ['running, then failed', 5_000, 'failed'],
  ['initial, then failed', 2_000, 'failed'],
  ['initial, running', 7_000, 'completed'],
  ['running for 0s, then failed', 0, 'failed'],
] as const)('ends a run by %j after %i ms as %s', async (script, milliseconds, status) => {
  const api = await openInMemory(options)
  scriptPipeline(api, script)
  await trigger(api)
  if (milliseconds > 0) {
    api.understudy.clock.advance(milliseconds - 1)
    expect(['initial', 'running']).toContain(storedRun(api)?.status)
    api.understudy.clock.advance(1)
  }

  expect(await statusOf(api)).toBe(status)
})

it.each([
  ['running until advanced', 'completed'],
  ['running until advanced, then cancelled', 'cancelled'],
  ['running until  Advanced, then failed', 'failed'],
])('lets a run by %j run until it is advanced', async (script, status) => {
  const api = await openInMemory(options)
  scriptPipeline(api, script)
  await trigger(api)
  api.understudy.clock.advance('365d')
  expect(await readTimes(api, 20)).toEqual(Array(20).fill('running'))

  api.understudy.runs.advance(4)

  expect(await readRun(api)).toMatchObject({
    status,
    completed_at: '2027-03-01 09:00:00.000000+00:00',
  })
})

it('advances a run manually through every step', async ({ api }) => {
  const { runs } = api.understudy
  scriptPipeline(
    api,
    'initial for 9 reads, then running for 1h, then initial until advanced, running, then failed',
  )
  await trigger(api)
  const statuses = [storedRun(api)?.status]
  for (let step = 0; step < 4; step++) {
    runs.advance(4)
    statuses.push(storedRun(api)?.status)
  }

  expect(statuses).toEqual(['initial', 'running', 'initial', 'running', 'failed'])
  expect(() => runs.advance(4)).toThrow(
    '[understudy] Failed to advance pipeline_run 4: it has ended (failed). Choose one that has not ended.',
  )
  expect(() => runs.advance(99)).toThrow(/No pipeline_run has the id 99/)
})

const allowed =
  "steps such as 'running for 3 reads, then failed': initial or running, each 'for 3 reads', 'for 20s' or " +
  "'until advanced', and at the end completed, failed or cancelled"

it.each([
  ['', '"" is no step'],
  ['sometimes', '"sometimes" is no step'],
  ['running for', '"running for" is no step'],
  ['running for 3', '"running for 3" is no step'],
  ['running for 0 reads', '"running for 0 reads" is no step'],
  ['running for -1s', '"running for -1s" is no step'],
  ['running for 2.5 reads', '"running for 2.5 reads" is no step'],
  ['running for three reads', '"running for three reads" is no step'],
  ['running for 5s until advanced', '"running for 5s until advanced" is no step'],
  ['running for 5s, then', '"then" is no step'],
  ['running for 5s,', '"" is no step'],
  ['running, , failed', '"" is no step'],
  ['failed', 'it begins with failed'],
  ['running, failed, completed', 'failed is not the last part'],
  [`running for ${'9'.repeat(400)}s`, null],
  [`running for ${'9'.repeat(40)} reads`, null],
])('rejects the script %j with the allowed values', (script, reason) => {
  const understudy = createUnderstudy(options)
  const { runs } = understudy
  const before = stateOf(understudy)
  const act = () => runs.script({ pipeline_uuid: 'daily_sales' }, script)

  expect(act).toThrow(RecordError)
  expect(act).toThrow(`[understudy] Failed to script pipeline daily_sales: script: expected ${allowed} (`)
  if (reason !== null) expect(act).toThrow(`${allowed} (${reason}); found ${JSON.stringify(script)}.`)
  expect(stateOf(understudy)).toEqual(before)
})

it.each([
  [5, /expected a string or an object; found 5/],
  [null, /expected a string or an object; found null/],
  [['running'], /expected a string or an object; found \["running"\]/],
  [{ ends_as: 'soon' }, /script\.ends_as: expected one of completed, failed, cancelled, never; found "soon"/],
  [{ after: 'soon' }, /script\.after: expected milliseconds, or a duration such as 5s; found "soon"/],
  [{ after: -1 }, /script\.after.*found -1/],
])('refuses the script %j', (script, message) => {
  const { runs } = createUnderstudy(options)

  expect(() => runs.script({ pipeline_schedule_id: 2 }, script as RunScript)).toThrow(message)
})

it.each([
  [{ pipeline_uuid: 'nowhere' }, /No pipeline has the uuid "nowhere"/],
  [{ pipeline_schedule_id: 99 }, /No pipeline_schedule has the id 99/],
  [{ backfill_id: 99 }, /No backfill has the id 99/],
  [{ id: 99 }, /No pipeline_run has the id 99/],
  [{ id: 1 }, /\[understudy\] Failed to script pipeline_run 1: it has ended \(completed\)\./],
  [{ name: 'x' }, /a target with one of id, backfill_id, pipeline_schedule_id, pipeline_uuid; found/],
  [{}, /a target with one of .*found \{\}/],
])('reports the problem of the target %j', (target, message) => {
  const { runs } = createUnderstudy(options)

  expect(() => runs.script(target as RunTarget, 'running')).toThrow(message)
})

it('takes the script of the run before that of its backfill, its schedule and its pipeline', async ({
  api,
}) => {
  const { runs } = api.understudy
  const startBackfill = async () => {
    await api.put('/api/backfills/2', {
      backfill: {
        status: 'initial',
        pipeline_schedule_id: 2,
        start_datetime: '2026-01-01 00:00:00',
        end_datetime: '2026-01-01 00:00:00',
        interval_type: 'day',
      },
    })
    api.understudy.clock.advance('1s')
  }
  const endOf = async (id: number) => {
    api.understudy.clock.advance('10s')
    return statusOf(api, id)
  }
  await trigger(api)
  expect(await endOf(4)).toBe('completed')

  runs.script({ pipeline_uuid: 'daily_sales' }, 'running for 9s, then failed')
  await trigger(api)
  expect(await endOf(5)).toBe('failed')

  runs.script({ pipeline_schedule_id: 2 }, 'running for 8s, then cancelled')
  await trigger(api)
  expect(await endOf(6)).toBe('cancelled')
  await startBackfill()
  expect(await endOf(7)).toBe('cancelled')

  runs.script({ backfill_id: 2 }, 'running for 7s, then failed')
  await startBackfill()
  expect(await endOf(8)).toBe('failed')

  await startBackfill()
  runs.script({ id: 9 }, 'running for 6s, then completed')
  expect(await endOf(9)).toBe('completed')
})

it('starts a text script when it is assigned, and counts an object from the start of the run', async ({
  api,
}) => {
  await trigger(api)
  await trigger(api)
  api.understudy.clock.advance('4s')
  api.understudy.runs.script({ id: 4 }, 'running for 20s, then failed')
  api.understudy.runs.script({ id: 5 }, { ends_as: 'failed', after: '20s' })
  api.understudy.clock.advance('1d')

  expect((await readRun(api, 4)).completed_at).toBe('2026-03-01 09:00:24.000000+00:00')
  expect((await readRun(api, 5)).completed_at).toBe('2026-03-01 09:00:20.000000+00:00')
})

it('leaves a run that is under way alone when its pipeline is scripted', async ({ api }) => {
  await trigger(api)
  scriptPipeline(api, 'running until advanced')
  api.understudy.clock.advance('5s')

  expect(await statusOf(api)).toBe('completed')
})

it('lets the status a client writes override the script', async ({ api }) => {
  scriptPipeline(api, 'running for 2 reads, then failed')
  await trigger(api)
  await readRun(api)
  await api.put('/api/pipeline_runs/4', { pipeline_run: { status: 'completed' } })
  api.understudy.clock.advance('1d')
  expect(await readTimes(api, 4)).toEqual(Array(4).fill('completed'))

  await api.put('/api/pipeline_runs/4', { pipeline_run: { status: 'initial' } })
  api.understudy.clock.advance('1d')
  expect(await readTimes(api, 4)).toEqual(Array(4).fill('initial'))
})

it('runs the script again from its first running step when a client sets a run to running', async ({
  api,
}) => {
  scriptPipeline(api, 'initial for 1h, then running for 2 reads, then failed')
  await trigger(api)
  await api.put('/api/pipeline_runs/4', { pipeline_run: { status: 'running' } })
  expect(await readTimes(api, 3)).toEqual(['running', 'running', 'failed'])

  await api.put('/api/pipeline_runs/4', { pipeline_run: { status: 'running' } })
  expect(await readTimes(api, 3)).toEqual(['running', 'running', 'failed'])
})

it.each([
  ['initial for 1h, then failed', ['running', 'failed']],
  ['initial for 1h, then running for 1s, then initial for 2s, then failed', ['initial', 'failed']],
])('omits only the leading initial steps of %j after that', async (script, statuses) => {
  const api = await openInMemory(options)
  scriptPipeline(api, script)
  await trigger(api)
  await api.put('/api/pipeline_runs/4', { pipeline_run: { status: 'running' } })
  expect(await statusOf(api)).toBe('running')
  api.understudy.clock.advance('2s')
  const later = await statusOf(api)
  api.understudy.clock.advance('3s')

  expect([later, await statusOf(api)]).toEqual(statuses)
})

it('starts an initial run of a fixture with an end, and one without when it is advanced manually', async () => {
  const run = { pipeline_uuid: 'daily_sales', pipeline_schedule_id: 2, status: 'initial' }
  const api = await openInMemory({
    fixture: { ...company, logs: [], pipeline_runs: [{ ...run, ends_at: '+1s' }, run] },
  })
  api.understudy.clock.advance('1s')
  expect([await statusOf(api, 1), await statusOf(api, 2)]).toEqual(['running', 'initial'])
  api.understudy.runs.advance(2)
  expect(await statusOf(api, 2)).toBe('running')
  api.understudy.clock.advance('5s')

  expect([await statusOf(api, 1), await statusOf(api, 2)]).toEqual(['completed', 'completed'])
})

it('starts a run as initial if the switch or its script requires it', async () => {
  const api = await openInMemory({ ...options, assumptions: { 'run-values': 'initial first' } })
  scriptPipeline(api, 'running for 10s, then failed')
  expect((await trigger(api)).record.status).toBe('initial')
  api.understudy.clock.advance('1m')
  expect((await readRun(api)).completed_at).toBe('2026-03-01 09:00:12.000000+00:00')

  scriptPipeline(api, 'initial for 1 read, then failed')
  await trigger(api)
  api.understudy.clock.advance('1m')
  expect([await statusOf(api, 5), await statusOf(api, 5)]).toEqual(['initial', 'failed'])
})

it('reads the scripts of pipelines, schedules, backfills and runs from a fixture', async () => {
  const api = await openInMemory({
    fixture: {
      clock: '2026-03-01T09:00:00Z',
      pipelines: [{ name: 'a', run_script: 'running for 1m, then failed' }, { name: 'b' }],
      pipeline_schedules: [
        { pipeline_uuid: 'a', token: 't' },
        { pipeline_uuid: 'a', token: 't', run_script: { ends_as: 'cancelled', after: '2m' } },
      ],
      backfills: [
        {
          pipeline_uuid: 'a',
          pipeline_schedule_id: 1,
          run_script: 'running for 3m',
          status: 'initial',
          due_at: 'now',
          start_datetime: '2026-01-01 00:00:00',
          end_datetime: '2026-01-01 00:00:00',
          interval_type: 'day',
        },
      ],
      pipeline_runs: [
        {
          pipeline_uuid: 'b',
          pipeline_schedule_id: 1,
          created_at: '-1h',
          run_script: 'running for 4m, then failed',
        },
        { pipeline_uuid: 'b', pipeline_schedule_id: 1, created_at: '-1m', run_script: { after: '90s' } },
      ],
    },
  })
  await api.post('/api/pipeline_schedules/1/pipeline_runs/t', {})
  await api.post('/api/pipeline_schedules/2/pipeline_runs/t', {})
  api.understudy.clock.advance('1d')
  const ends = (await api.get('/api/pipeline_runs')).records
    .toSorted((one, other) => Number(one.id) - Number(other.id))
    .map(({ status, completed_at }) => `${status} ${completed_at}`)

  expect(ends).toEqual([
    'failed 2026-03-01 09:04:00.000000+00:00',
    'completed 2026-03-01 09:00:30.000000+00:00',
    'completed 2026-03-01 09:03:00.000000+00:00',
    'failed 2026-03-01 09:01:00.000000+00:00',
    'cancelled 2026-03-01 09:02:00.000000+00:00',
  ])
})

it('gives a run of a factory, and one that is updated, the script it carries', async ({ api }) => {
  const { factories, model } = api.understudy
  const { id } = await factories.pipelineRun.create({ run_script: 'running for 1 read, then failed' })
  expect([await statusOf(api, id), await statusOf(api, id)]).toEqual(['running', 'failed'])

  const { id: other } = await factories.pipelineRun.create()
  await model.pipeline_runs.update((query) => query.where({ id: other }), {
    data: (run) => {
      run.run_script = 'running for 1m, then cancelled'
    },
  })
  api.understudy.clock.advance('1m')
  expect(await statusOf(api, other)).toBe('cancelled')
})
