import { expect } from 'vitest'
import { type Api, openInMemory, pluck, pluckSorted } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const options = { fixture: company }
const trigger = (api: Api) => api.post('/api/pipeline_schedules/2/pipeline_runs/hand-token', { by: 'test' })
const readRun = async (api: Api, id = 4) => (await api.get(`/api/pipeline_runs/${id}`)).record
const readBackfill = async (api: Api, id = 2) => (await api.get(`/api/backfills/${id}`)).record

/** Sets backfill 2 to `initial` with three planned dates. */
const startBackfill = (api: Api) =>
  api.put('/api/backfills/2', {
    backfill: {
      status: 'initial',
      start_datetime: '2026-01-01 00:00:00',
      end_datetime: '2026-01-03 00:00:00',
      interval_type: 'day',
      interval_units: 1,
      variables: { region: 'north' },
    },
  })

it('completes a run five seconds after its trigger', async ({ api }) => {
  expect((await trigger(api)).record).toMatchObject({
    id: 4,
    status: 'running',
    completed_at: null,
  })
  api.understudy.clock.advance(4_999)
  expect(await readRun(api)).toMatchObject({ status: 'running', completed_at: null })

  api.understudy.clock.advance(1)

  expect(await readRun(api)).toMatchObject({
    status: 'completed',
    completed_at: '2026-03-01 09:00:05.000000+00:00',
    updated_at: '2026-03-01 09:00:05.000000+00:00',
    created_at: '2026-03-01 09:00:00.000000+00:00',
    event_variables: { by: 'test' },
  })
})

it('appends a log file of each block and of the run when it ends', async ({ api }) => {
  await trigger(api)
  const during = (await api.get('/api/pipelines/daily_sales/logs')).records[0]
  api.understudy.clock.advance('5s')
  const reply = await api.get('/api/pipelines/daily_sales/logs?start_timestamp=1772355605')
  const after = reply.records[0]!
  const folder = '/pipelines/daily_sales/.logs/2/20260301T090000'

  expect(during).toMatchObject({ total_block_run_log_count: 3, total_pipeline_run_log_count: 2 })
  expect(after).toMatchObject({ total_block_run_log_count: 6, total_pipeline_run_log_count: 1 })
  expect(pluck(after.block_run_logs, 'path').sort()).toEqual([
    `${folder}/load_orders.log`,
    `${folder}/only_on_weekdays.log`,
    `${folder}/sum_up.log`,
    `${folder}/tell_someone.log`,
    `${folder}/totals_by_day.log`,
    `${folder}/write_totals.log`,
  ])
  expect(after.pipeline_run_logs).toEqual([
    { name: 'pipeline.log', path: `${folder}/pipeline.log`, content: expect.stringContaining('completed') },
  ])
})

it.each([
  ['20s', 20_000],
  [1_500, 1_500],
  ['2m', 120_000],
] as const)('lets runs take %s where the assumption is switched', async (value, milliseconds) => {
  const api = await openInMemory({ ...options, assumptions: { 'run-lifecycle': value } })
  await trigger(api)
  api.understudy.clock.advance(milliseconds - 1)
  expect((await readRun(api)).status).toBe('running')

  api.understudy.clock.advance(1)

  expect((await readRun(api)).status).toBe('completed')
})

it('restarts a run that a client sets to running', async ({ api }) => {
  const reply = await api.put('/api/pipeline_runs/2', { pipeline_run: { status: 'running' } })
  expect(reply.record).toMatchObject({ status: 'running', completed_at: null })
  api.understudy.clock.advance('5s')

  expect(await readRun(api, 2)).toMatchObject({
    status: 'completed',
    completed_at: '2026-03-01 09:00:05.000000+00:00',
  })
})

it('runs a backfill from initial to completed with a run per planned date', async ({ api }) => {
  expect((await startBackfill(api)).record).toMatchObject({
    status: 'initial',
    started_at: null,
  })
  api.understudy.clock.advance(999)
  expect(await readBackfill(api)).toMatchObject({ status: 'initial', pipeline_schedule_id: null })
  expect(pluckSorted((await api.get('/api/pipeline_runs')).records, 'id')).toEqual([1, 2, 3])

  api.understudy.clock.advance(1)
  const running = await readBackfill(api)
  expect(running).toMatchObject({
    status: 'running',
    started_at: '2026-03-01 09:00:01.000000+00:00',
    completed_at: null,
    pipeline_schedule_id: 5,
  })
  const runs = (await api.get('/api/pipeline_schedules/5/pipeline_runs')).records
  expect(runs).toHaveLength(3)
  expect(runs.map(({ execution_date }) => execution_date).sort()).toEqual([
    '2026-01-01 00:00:00.000000+00:00',
    '2026-01-02 00:00:00.000000+00:00',
    '2026-01-03 00:00:00.000000+00:00',
  ])
  for (const run of runs) {
    expect(run).toMatchObject({
      status: 'running',
      backfill_id: 2,
      pipeline_uuid: 'daily_sales',
      variables: { region: 'north' },
    })
  }

  api.understudy.clock.advance(4_999)
  expect((await readBackfill(api)).status).toBe('running')
  api.understudy.clock.advance(1)
  expect(await readBackfill(api)).toMatchObject({
    status: 'completed',
    completed_at: '2026-03-01 09:00:06.000000+00:00',
    failed_at: null,
  })
  expect(pluck((await api.get('/api/pipeline_runs?status=running')).records, 'id')).toEqual([])
})

it('ends a backfill as failed when one of its runs fails', async ({ api }) => {
  await startBackfill(api)
  api.understudy.clock.advance('1s')
  api.understudy.runs.script({ id: 5 }, { ends_as: 'failed', after: '2s' })
  api.understudy.clock.advance('5s')

  expect(await readBackfill(api)).toMatchObject({
    status: 'failed',
    failed_at: '2026-03-01 09:00:06.000000+00:00',
    completed_at: null,
  })
})

it('completes a backfill that is run again after it had failed', async ({ api }) => {
  api.understudy.runs.script({ pipeline_uuid: 'daily_sales' }, { ends_as: 'failed' })
  await startBackfill(api)
  api.understudy.clock.advance('10s')
  expect((await readBackfill(api)).status).toBe('failed')

  api.understudy.runs.script({ pipeline_uuid: 'daily_sales' }, { ends_as: 'completed' })
  await startBackfill(api)
  api.understudy.clock.advance('10s')

  expect(await readBackfill(api)).toMatchObject({ status: 'completed', failed_at: null })
})

it('stops the runs of a backfill that is cancelled', async ({ api }) => {
  await startBackfill(api)
  api.understudy.clock.advance('3s')
  const reply = await api.put('/api/backfills/2', { backfill: { status: 'cancelled' } })
  const statuses = async () =>
    pluck((await api.get('/api/pipeline_schedules/5/pipeline_runs')).records, 'status')

  expect(reply.record.status).toBe('cancelled')
  expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled'])
  api.understudy.clock.advance('1h')
  expect(await readBackfill(api)).toMatchObject({ status: 'cancelled', completed_at: null })
  expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled'])
})

it('starts no run of a backfill that is cancelled while it is initial', async ({ api }) => {
  await startBackfill(api)
  await api.put('/api/backfills/2', { backfill: { status: 'cancelled' } })
  api.understudy.clock.advance('1h')

  expect(await readBackfill(api)).toMatchObject({ status: 'cancelled', pipeline_schedule_id: null })
  expect(pluckSorted((await api.get('/api/pipeline_runs')).records, 'id')).toEqual([1, 2, 3])
})

it('completes a backfill without dates with no run at all', async ({ api }) => {
  await api.put('/api/backfills/2', { backfill: { status: 'initial' } })
  api.understudy.clock.advance('1s')

  expect(await readBackfill(api)).toMatchObject({
    status: 'completed',
    completed_at: '2026-03-01 09:00:01.000000+00:00',
  })
  expect(pluckSorted((await api.get('/api/pipeline_runs')).records, 'id')).toEqual([1, 2, 3])
})

it('starts at most 1,000 runs for one backfill', async () => {
  const api = await openInMemory({
    fixture: { pipelines: [{ name: 'a' }], backfills: [{ pipeline_uuid: 'a' }] },
  })
  await api.put('/api/backfills/1', {
    backfill: {
      status: 'initial',
      interval_type: 'second',
      start_datetime: '2000-01-01 00:00:00',
      end_datetime: '2026-01-01 00:00:00',
    },
  })
  api.understudy.clock.advance('1s')

  expect((await api.get('/api/pipeline_runs?_limit=0')).body).toMatchObject({ metadata: { count: 1_000 } })
})

it('stops the runs of a backfill that is deleted', async ({ api }) => {
  await startBackfill(api)
  api.understudy.clock.advance('2s')
  const reply = await api.delete('/api/backfills/2')
  const runs = (await api.get('/api/pipeline_schedules/5/pipeline_runs')).records

  expect(reply.record).toMatchObject({ id: 2, status: 'running' })
  expect(runs.map(({ status, backfill_id }) => [status, backfill_id])).toEqual([
    ['cancelled', null],
    ['cancelled', null],
    ['cancelled', null],
  ])
})

it.each<[string, (api: Api, id: number) => unknown, string]>([
  ['finishes', ({ understudy }, id) => understudy.runs.finish(id), '2026-03-01 10:00:00.000000+00:00'],
  [
    'gives an end to',
    ({ understudy }, id) => understudy.runs.script({ id }, { ends_as: 'completed', after: '59m' }),
    '2026-03-01 09:59:01.000000+00:00',
  ],
  [
    'writes the end of',
    (api, id) => api.put(`/api/pipeline_runs/${id}`, { pipeline_run: { status: 'completed' } }),
    '2026-03-01 10:00:00.000000+00:00',
  ],
  ['deletes', (api, id) => api.delete(`/api/pipeline_runs/${id}`), '2026-03-01 10:00:00.000000+00:00'],
])('completes a backfill when a client %s its endless runs', async (_, end, completed_at) => {
  const api = await openInMemory(options)
  api.understudy.runs.script({ pipeline_uuid: 'daily_sales' }, { ends_as: 'never' })
  await startBackfill(api)
  api.understudy.clock.advance('1h')
  expect((await readBackfill(api)).status).toBe('running')

  for (const id of [4, 5, 6]) await end(api, id)

  expect(await readBackfill(api)).toMatchObject({ status: 'completed', completed_at })
})

it('leaves no timer behind, neither while runs are running nor after it is disposed of', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  const api = await openInMemory({ ...options, clock: 'system' })
  await trigger(api)
  await startBackfill(api)
  expect(timers()).toBeLessThanOrEqual(before)

  api.understudy.dispose()

  expect(timers()).toBeLessThanOrEqual(before)
  expect((await api.get('/api/pipelines')).body).toEqual({
    pipelines: [],
    metadata: { count: 0, next: false },
  })
  expect((await api.get('/api/pipeline_runs/4')).body).toMatchObject({ error: { code: 404 } })
})
