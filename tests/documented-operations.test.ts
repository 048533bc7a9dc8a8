import { expect } from 'vitest'
import { openInMemory, pick, pluck, pluckSorted, stateOf } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const options = { fixture: company }
const now = '2026-03-01 09:00:00.000000+00:00'

const newPipeline = {
  uuid: 'weekly_report',
  name: 'weekly-report',
  type: 'python',
  description: null,
  data_integration: null,
  executor_config: {},
  executor_count: 1,
  executor_type: null,
  notification_config: {},
  spark_config: {},
  updated_at: null,
  blocks: [],
  callbacks: [],
  conditionals: [],
  widgets: [],
}
const loadOrders = {
  uuid: 'load_orders',
  name: 'load orders',
  type: 'data_loader',
  language: 'python',
  color: null,
  configuration: {},
  upstream_blocks: [],
  downstream_blocks: ['sum_up'],
  all_upstream_blocks_executed: true,
  executor_config: null,
  executor_type: 'local_python',
  has_callback: false,
  retry_config: null,
  status: 'executed',
}
const january = {
  id: 1,
  name: 'january',
  pipeline_uuid: 'daily_sales',
  pipeline_schedule_id: null,
  block_uuid: null,
  start_datetime: '2026-01-01 00:00:00.000000+00:00',
  end_datetime: '2026-01-31 00:00:00.000000+00:00',
  interval_type: 'day',
  interval_units: 1,
  status: 'completed',
  variables: { region: 'north' },
  metrics: null,
  created_at: '2026-02-01 08:30:00.000000+00:00',
  updated_at: '2026-02-01 08:30:00.000000+00:00',
  started_at: null,
  completed_at: null,
  failed_at: null,
}
const newBackfill = {
  id: 6,
  name: 'march',
  pipeline_uuid: 'daily_sales',
  pipeline_schedule_id: null,
  block_uuid: null,
  start_datetime: null,
  end_datetime: null,
  interval_type: null,
  interval_units: null,
  status: null,
  variables: null,
  metrics: null,
  created_at: '2026-03-01 09:00:00',
  updated_at: '2026-03-01 09:00:00',
  started_at: null,
  completed_at: null,
  failed_at: null,
}
const everyNight = {
  id: 1,
  name: 'every night',
  pipeline_uuid: 'daily_sales',
  schedule_type: 'time',
  start_time: '2026-02-01 00:00:00.000000+00:00',
  schedule_interval: '@hourly',
  status: 'inactive',
  variables: null,
  sla: null,
  tags: ['nightly', 'finance'],
  token: 'night-token',
  settings: { skip_if_previous_running: true },
  event_matchers: [],
  last_pipeline_run_status: 'failed',
  pipeline_runs_count: 2,
  created_at: '2026-02-01 00:00:00.000000+00:00',
  updated_at: '2026-02-01 00:00:00.000000+00:00',
}

it('creates a pipeline with the defaults of a new one', async ({ api }) => {
  const reply = await api.post('/api/pipelines', { pipeline: { name: 'weekly-report', type: 'python' } })

  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
  expect(reply.body).toEqual({ pipeline: newPipeline })
  expect((await api.get('/api/pipelines/weekly_report')).record.name).toBe('weekly-report')
})

it('clones the blocks of a pipeline under a new name', async ({ api }) => {
  const reply = await api.post('/api/pipelines', {
    pipeline: { name: 'sales copy', type: 'python', clone_pipeline_uuid: 'daily_sales' },
  })
  const pipeline = reply.record

  expect(pipeline).toMatchObject({
    uuid: 'sales_copy',
    name: 'sales copy',
    description: 'Orders into totals.',
    updated_at: null,
  })
  expect(pluck(pipeline.blocks, 'uuid')).toEqual(['load_orders', 'sum_up', 'write_totals'])
  expect(pluck(pipeline.callbacks, 'uuid')).toEqual(['tell_someone'])
  expect(pluck(pipeline.conditionals, 'uuid')).toEqual(['only_on_weekdays'])
  expect(pluck(pipeline.widgets, 'uuid')).toEqual(['totals_by_day'])
  await api.delete('/api/pipelines/sales_copy/blocks/write_totals')
  expect((await api.get('/api/pipelines/daily_sales/blocks/write_totals')).record.uuid).toBe('write_totals')
})

it('creates a pipeline with its conditionals', async () => {
  const api = await openInMemory()
  const reply = await api.post('/api/pipelines', {
    pipeline: {
      name: 'guarded',
      type: 'python',
      conditionals: [{ name: 'only-at-night', content: 'return True' }],
    },
  })

  expect(reply.record).toMatchObject({
    blocks: [],
    conditionals: [{ uuid: 'only_at_night', name: 'only-at-night', type: 'conditional' }],
  })
})

it('derives the uuid of a conditional, and drops what it depends on where no such block exists', async () => {
  const api = await openInMemory()
  const reply = await api.post('/api/pipelines', {
    pipeline: {
      name: 'guarded',
      type: 'python',
      conditionals: [{ name: 'gate', uuid: 'My-Gate/1', upstream_blocks: ['', 'nowhere'] }],
    },
  })

  expect(reply.record.conditionals).toMatchObject([{ uuid: 'my_gate_1', upstream_blocks: [] }])
})

it('reads one pipeline with its blocks sorted into their lists', async ({ api }) => {
  const reply = await api.get('/api/pipelines/daily_sales')
  const pipeline = reply.record

  expect(Object.keys(reply.body as object)).toEqual(['pipeline'])
  expect(Object.keys(pipeline).sort()).toEqual([
    'blocks',
    'callbacks',
    'conditionals',
    'data_integration',
    'description',
    'executor_config',
    'executor_count',
    'executor_type',
    'extensions',
    'name',
    'notification_config',
    'spark_config',
    'type',
    'updated_at',
    'uuid',
    'widgets',
  ])
  expect(pipeline).toMatchObject({
    uuid: 'daily_sales',
    name: 'daily-sales',
    updated_at: '2026-02-20 10:00:00.000000+00:00',
    extensions: { checks: { blocks: [] } },
    callbacks: [{ uuid: 'tell_someone', type: 'callback' }],
    conditionals: [{ uuid: 'only_on_weekdays', type: 'conditional' }],
    widgets: [{ uuid: 'totals_by_day', type: 'chart' }],
  })
  expect((pipeline.blocks as unknown[])[0]).toEqual(loadOrders)
  expect(pluck(pipeline.blocks, 'uuid')).toEqual(['load_orders', 'sum_up', 'write_totals'])
})

it('lists all pipelines by uuid and without extensions', async ({ api }) => {
  const reply = await api.get('/api/pipelines')

  expect(reply.metadata).toEqual({ count: 2, next: false })
  expect(pluck(reply.records, 'uuid')).toEqual(['archive', 'daily_sales'])
  for (const pipeline of reply.records) {
    expect(pipeline).not.toHaveProperty('extensions')
    expect(pipeline).not.toHaveProperty('schedules')
    for (const list of ['blocks', 'callbacks', 'conditionals', 'widgets'])
      expect(pipeline[list]).toBeInstanceOf(Array)
  }
})

it('shows extensions only when one pipeline is read', async ({ api }) => {
  const created = await api.post('/api/pipelines', { pipeline: { name: 'one', type: 'python' } })

  expect(created.record).not.toHaveProperty('extensions')
  expect((await api.put('/api/pipelines/one', { pipeline: {} })).record).not.toHaveProperty('extensions')
  expect((await api.get('/api/pipelines/one')).record.extensions).toEqual({})
  expect((await api.delete('/api/pipelines/one')).record).not.toHaveProperty('extensions')
})

it.each(['', '?include_schedules=0', '?include_schedules=2'])(
  'includes no triggers with the query "%s"',
  async (query) => {
    const api = await openInMemory(options)

    expect((await api.get(`/api/pipelines/daily_sales${query}`)).record).not.toHaveProperty('schedules')
  },
)

it('shows in an included trigger what has changed since the last read', async ({ api }) => {
  const read = async () => (await api.get('/api/pipelines/archive?include_schedules=1')).record.schedules
  expect(await read()).toMatchObject([
    { id: 4, pipeline_runs_count: 1, last_pipeline_run_status: 'completed' },
  ])

  await api.post('/api/pipeline_schedules/4/pipeline_runs/week-token', {})

  expect(await read()).toMatchObject([{ id: 4, pipeline_runs_count: 2, last_pipeline_run_status: 'running' }])
})

it('fills the eight fields of a block of which only name and type are sent', async ({ api }) => {
  const reply = await api.post('/api/pipelines/daily_sales/blocks', {
    block: { name: 'last', type: 'scratchpad' },
  })

  expect(reply.body).toEqual({
    block: {
      content: '',
      name: 'last',
      priority: 6,
      config: null,
      language: 'python',
      type: 'scratchpad',
      configuration: {},
      upstream_blocks: [],
    },
  })
})

it('ignores an empty name among the upstream blocks', async ({ api }) => {
  const reply = await api.post('/api/pipelines/archive/blocks', {
    block: { name: 'root', type: 'data_loader', upstream_blocks: [''] },
  })

  expect(reply.record.upstream_blocks).toEqual([])
  expect((await api.get('/api/pipelines/archive/blocks/root')).record.upstream_blocks).toEqual([])
})

it.each([
  [0, ['new_one', 'load_orders', 'sum_up', 'write_totals']],
  [2, ['load_orders', 'sum_up', 'new_one', 'write_totals']],
])('places a new block at priority %i of its pipeline', async (priority, uuids) => {
  const api = await openInMemory(options)
  await api.post('/api/pipelines/daily_sales/blocks', {
    block: { name: 'new one', type: 'custom', priority },
  })
  const reply = await api.get('/api/pipelines/daily_sales')

  expect(pluck(reply.record.blocks, 'uuid')).toEqual(uuids)
})

it('notes on the pipeline that one of its blocks was created', async ({ api }) => {
  await api.post('/api/pipelines/archive/blocks', { block: { name: 'one', type: 'custom' } })

  expect((await api.get('/api/pipelines/archive')).record.updated_at).toBe(now)
})

it('reads a block with its content and outputs', async ({ api }) => {
  expect((await api.get('/api/pipelines/daily_sales/blocks/load_orders')).body).toEqual({
    block: { ...loadOrders, content: 'import csv/nload()', outputs: [] },
  })
  expect((await api.get('/api/pipelines/daily_sales/blocks/totals_by_day')).record.outputs).toEqual([
    { rows: 3 },
  ])
})

it('deletes a block without dependents, and returns it', async ({ api }) => {
  const reply = await api.delete('/api/pipelines/daily_sales/blocks/write_totals?block_type=data_exporter')

  expect(reply.body).toEqual({
    block: {
      uuid: 'write_totals',
      name: 'write totals',
      type: 'data_exporter',
      language: 'sql',
      color: null,
      configuration: { data_provider: 'postgres', export_write_policy: 'append' },
      upstream_blocks: ['sum_up'],
      downstream_blocks: [],
      all_upstream_blocks_executed: false,
      executor_config: null,
      executor_type: 'local_python',
      has_callback: false,
      retry_config: null,
      status: 'not_executed',
    },
  })
  expect((await api.get('/api/pipelines/daily_sales/blocks/write_totals')).body).toMatchObject({
    error: { code: 404, type: 'record_not_found' },
  })
  expect((await api.get('/api/pipelines/daily_sales/blocks/sum_up')).record.downstream_blocks).toEqual([])
})

it.each(['True', 'true', '1'])('force-deletes a block that others depend on with force=%s', async (force) => {
  const api = await openInMemory(options)
  const reply = await api.delete(`/api/pipelines/daily_sales/blocks/sum_up?force=${force}`)

  expect(reply.record).toMatchObject({ uuid: 'sum_up', downstream_blocks: ['write_totals'] })
  expect(reply.record).not.toHaveProperty('content')
  expect((await api.get('/api/pipelines/daily_sales/blocks/load_orders')).record.downstream_blocks).toEqual(
    [],
  )
  expect((await api.get('/api/pipelines/daily_sales/blocks/write_totals')).record).toMatchObject({
    upstream_blocks: [],
    all_upstream_blocks_executed: true,
  })
})

it.each(['False', 'false', '0', ''])('does not force a deletion with force=%s', async (force) => {
  const api = await openInMemory(options)
  const before = stateOf(api.understudy)
  const reply = await api.delete(`/api/pipelines/daily_sales/blocks/sum_up?force=${force}`)

  expect(reply.error.type).toBe('record_invalid')
  expect(stateOf(api.understudy)).toEqual(before)
})

it('ignores a block_type that is not the type of the block', async ({ api }) => {
  const reply = await api.delete('/api/pipelines/daily_sales/blocks/write_totals?block_type=sensor')

  expect(reply.record.uuid).toBe('write_totals')
})

it('lists backfills with all their fields and microseconds', async ({ api }) => {
  const reply = await api.get('/api/backfills')

  expect(reply.metadata).toEqual({ count: 5, next: false })
  expect(pluckSorted(reply.records, 'id')).toEqual([1, 2, 3, 4, 5])
  expect(pick(reply.records, 'id', 1)).toEqual(january)
})

it.each(['true', 'True', '1'])(
  'counts the planned runs of backfills with include_run_count=%s',
  async (value) => {
    const api = await openInMemory(options)
    const reply = await api.get(`/api/backfills?include_run_count=${value}`)

    expect(pick(reply.records, 'id', 1)?.total_run_count).toBe(31)
    expect(pluckSorted(reply.records, 'total_run_count')).toEqual([0, 0, 0, 0, 31])
  },
)

it.each([
  ['second', 30, '2026-01-01 00:00:00', '2026-01-01 00:01:59', 4],
  ['minute', 1, '2026-01-01 00:00:00', '2026-01-01 01:00:00', 61],
  ['hour', 6, '2026-01-01 00:00:00', '2026-01-02 00:00:00', 5],
  ['day', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 1],
  ['week', 2, '2026-01-01 00:00:00', '2026-02-01 00:00:00', 3],
  ['month', 1, '2026-01-31 00:00:00', '2026-04-30 00:00:00', 4],
  ['year', 1, '2024-02-29 00:00:00', '2026-02-28 00:00:00', 3],
  ['custom', 1, '2026-01-01 00:00:00', '2026-01-02 00:00:00', 0],
  ['day', 1, '2026-01-02 00:00:00', '2026-01-01 00:00:00', 0],
])('counts the dates that a backfill by %s and units of %i plans', async (type, units, start, end, count) => {
  const api = await openInMemory(options)
  const updated = await api.put('/api/pipelines/daily_sales/backfills/2', {
    backfill: { interval_type: type, interval_units: units, start_datetime: start, end_datetime: end },
  })
  const reply = await api.get('/api/backfills?include_run_count=true')

  expect(updated.record.interval_type).toBe(type)
  expect(pick(reply.records, 'id', 2)?.total_run_count).toBe(count)
})

it('creates a backfill with a null status and seconds', async ({ api }) => {
  const reply = await api.post('/api/pipelines/daily_sales/backfills', { backfill: { name: 'march' } })

  expect(reply.body).toEqual({ backfill: newBackfill })
  expect(pluckSorted((await api.get('/api/backfills')).records, 'id')).toEqual([1, 2, 3, 4, 5, 6])
})

it('ignores a status that is sent with a new backfill', async ({ api }) => {
  const reply = await api.post('/api/pipelines/daily_sales/backfills', {
    backfill: { name: 'march', status: 'running', interval_type: 'hour', variables: { a: 1 } },
  })

  expect(reply.record).toMatchObject({
    status: null,
    interval_type: 'hour',
    variables: { a: 1 },
  })
})

it('updates a backfill and answers it with seconds', async ({ api }) => {
  api.understudy.clock.advance('90s')
  const reply = await api.put('/api/pipelines/daily_sales/backfills/1', {
    backfill: {
      name: 'january again',
      start_datetime: '2026-01-05 00:00:00',
      end_datetime: '2026-01-06 12:30:45',
      interval_type: 'hour',
      interval_units: 6,
      status: 'failed',
      variables: { region: 'south', nested: { deep: [1, null] } },
    },
  })

  expect(reply.body).toEqual({
    backfill: {
      ...january,
      name: 'january again',
      start_datetime: '2026-01-05 00:00:00',
      end_datetime: '2026-01-06 12:30:45',
      interval_type: 'hour',
      interval_units: 6,
      status: 'failed',
      variables: { region: 'south', nested: { deep: [1, null] } },
      created_at: '2026-02-01 08:30:00',
      updated_at: '2026-03-01 09:01:30',
      failed_at: '2026-03-01 09:01:30',
    },
  })
})

it('leaves the times of a backfill alone where an update sends the status that it has', async ({ api }) => {
  const reply = await api.put('/api/backfills/1', { backfill: { status: 'completed' } })

  expect(reply.record).toMatchObject({ status: 'completed', completed_at: null })
})

it.each([
  ['metrics', { rows: 12 }, { rows: 12 }],
  ['block_uuid', 'sum_up', 'sum_up'],
  ['pipeline_schedule_id', 2, 2],
  ['started_at', '2026-02-01 10:00:00', '2026-02-01 10:00:00'],
  ['completed_at', '2026-02-01 11:00:00', '2026-02-01 11:00:00'],
  ['failed_at', '2026-02-01 12:00:00', '2026-02-01 12:00:00'],
])(
  'updates %s too, since every default attribute of a backfill may be updated',
  async (attribute, value, expected) => {
    const api = await openInMemory(options)
    const reply = await api.put('/api/pipelines/daily_sales/backfills/1', {
      backfill: { [attribute]: value },
    })

    expect(reply.record[attribute]).toEqual(expected)
  },
)

it('accepts a datetime in the long form of lists', async ({ api }) => {
  const reply = await api.put('/api/pipelines/daily_sales/backfills/2', {
    backfill: { start_datetime: '2026-01-05 01:02:03.456789+00:00' },
  })

  expect(reply.record.start_datetime).toBe('2026-01-05 01:02:03')
  expect(pick((await api.get('/api/backfills')).records, 'id', 2)?.start_datetime).toBe(
    '2026-01-05 01:02:03.456789+00:00',
  )
})

it('deletes a backfill and answers it with seconds', async ({ api }) => {
  const reply = await api.delete('/api/backfills/1')

  expect(reply.body).toEqual({
    backfill: {
      ...january,
      start_datetime: '2026-01-01 00:00:00',
      end_datetime: '2026-01-31 00:00:00',
      created_at: '2026-02-01 08:30:00',
      updated_at: '2026-02-01 08:30:00',
    },
  })
  expect(pluckSorted((await api.get('/api/backfills')).records, 'id')).toEqual([2, 3, 4, 5])
  expect((await api.delete('/api/backfills/1')).body).toMatchObject({
    error: { code: 404, type: 'record_not_found' },
    status: 200,
  })
})

it('lists the schedules of a pipeline, newest first', async ({ api }) => {
  const reply = await api.get('/api/pipelines/daily_sales/pipeline_schedules')

  expect(Object.keys(reply.body as object)).toEqual(['pipeline_schedules', 'metadata'])
  expect(reply.metadata).toEqual({ count: 3, next: false })
  expect(pluck(reply.records, 'id')).toEqual([3, 2, 1])
  expect(pick(reply.records, 'id', 1)).toEqual(everyNight)
})

it('starts a running run with a copy of the body', async ({ api }) => {
  const body = { api_key: 'test-key', rows: 12, deep: { list: [1, 'two', null, { three: true }] } }
  const reply = await api.post('/api/pipeline_schedules/2/pipeline_runs/hand-token', body)

  expect(reply.body).toEqual({
    pipeline_run: {
      id: 4,
      pipeline_schedule_id: 2,
      pipeline_uuid: 'daily_sales',
      execution_date: now,
      status: 'running',
      completed_at: null,
      variables: {},
      event_variables: { api_key: 'test-key', rows: 12, deep: { list: [1, 'two', null, { three: true }] } },
      passed_sla: false,
      metrics: null,
      backfill_id: null,
      created_at: now,
      updated_at: now,
    },
  })
})

it('answers a wrong schedule and a wrong token of a trigger alike', async ({ api }) => {
  const wrongToken = (await api.post('/api/pipeline_schedules/2/pipeline_runs/x', {})).error
  const wrongId = (await api.post('/api/pipeline_schedules/77/pipeline_runs/x', {})).error
  const othersToken = (await api.post('/api/pipeline_schedules/2/pipeline_runs/night-token', {})).error

  expect(wrongToken).toMatchObject({ code: 404, type: 'record_not_found' })
  expect(String(wrongId.message).replace('77', '2')).toBe(wrongToken.message)
  expect(othersToken).toMatchObject({ code: 404, type: 'record_not_found' })
  expect(pluckSorted((await api.get('/api/pipeline_runs')).records, 'id')).toEqual([1, 2, 3])
})

it('reads the log files of a pipeline as one entry with empty metadata', async ({ api }) => {
  expect((await api.get('/api/pipelines/daily_sales/logs')).body).toEqual({
    logs: [
      {
        block_run_logs: [
          {
            name: 'sum_up.log',
            path: '/pipelines/daily_sales/.logs/2/sum_up.log',
            content: 'no such column',
          },
          {
            name: 'load_orders.log',
            path: '/pipelines/daily_sales/.logs/2/load_orders.log',
            content: 'loaded again',
          },
          {
            name: 'load_orders.log',
            path: '/pipelines/daily_sales/.logs/1/load_orders.log',
            content: 'loaded',
          },
        ],
        pipeline_run_logs: [
          { name: 'pipeline.log', path: '/pipelines/daily_sales/.logs/2/pipeline.log', content: 'second' },
          { name: 'pipeline.log', path: '/pipelines/daily_sales/.logs/1/pipeline.log', content: 'first' },
        ],
        total_block_run_log_count: 3,
        total_pipeline_run_log_count: 2,
      },
    ],
    metadata: {},
  })
})

it('shows both arrays of the log entry where a pipeline has no log file', async ({ api }) => {
  expect((await api.get('/api/pipelines/archive/logs')).body).toEqual({
    logs: [
      {
        block_run_logs: [],
        pipeline_run_logs: [],
        total_block_run_log_count: 0,
        total_pipeline_run_log_count: 0,
      },
    ],
    metadata: {},
  })
})

it('lists the active tokens of the current user', async ({ api }) => {
  const reply = await api.get('/api/oauth_access_tokens', { 'oauth-token': 'mira-phone' })

  expect(reply.body).toEqual({
    oauth_access_tokens: [
      { token: 'mira-laptop', expires: '2026-03-21 09:00:00.000000+00:00', user_id: 1 },
      { token: 'mira-phone', expires: '2026-03-04 09:00:00.000000+00:00', user_id: 1 },
    ],
    metadata: { count: 2, next: false },
  })
})

it('lists no tokens without a signed-in user', async ({ api }) => {
  expect((await api.get('/api/oauth_access_tokens?show_all=1')).body).toEqual({
    oauth_access_tokens: [],
    metadata: { count: 0, next: false },
  })
})
