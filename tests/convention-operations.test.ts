import { expect } from 'vitest'
import { openInMemory, pick, pluck, pluckSorted, stateOf } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const options = { fixture: company }

it('opens a session that carries token, expires and user', async ({ api }) => {
  const reply = await api.post('/api/sessions', {
    session: { email: 'mira@example.com', password: 'lantern' },
  })

  expect(reply.body).toEqual({
    session: {
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires: '2026-03-31 09:00:00.000000+00:00',
      user: { id: 1, username: 'mira', email: 'mira@example.com' },
    },
  })
})

it.each([
  ['a wrong password', { email: 'mira@example.com', password: 'wrong' }],
  ['an unknown email', { email: 'nobody@example.com', password: 'lantern' }],
  ["another user's password", { email: 'mira@example.com', password: 'northern-light' }],
  ['no password', { email: 'mira@example.com' }],
  ['no name', { password: 'lantern' }],
  ['nothing', {}],
])('refuses a session with %s and creates no token', async (_, session) => {
  const api = await openInMemory(options)
  const before = stateOf(api.understudy)
  const reply = await api.post('/api/sessions', { session })

  expect(reply.body).toMatchObject({ error: { code: 404, type: 'record_not_found' }, status: 200 })
  expect(reply.error.message).toMatch(/username.*password.*invalid/)
  expect(stateOf(api.understudy)).toEqual(before)
})

it('updates a pipeline without changing its uuid', async ({ api }) => {
  const reply = await api.put('/api/pipelines/archive', {
    pipeline: {
      name: 'cold storage',
      description: 'Old files.',
      type: 'pyspark',
      executor_count: 3,
      spark_config: { a: 1 },
    },
  })

  expect(reply.record).toMatchObject({
    uuid: 'archive',
    name: 'cold storage',
    description: 'Old files.',
    type: 'pyspark',
    executor_count: 3,
    spark_config: { a: 1 },
    updated_at: '2026-03-01 09:00:00.000000+00:00',
  })
  expect((await api.get('/api/pipelines/archive')).record.name).toBe('cold storage')
})

it('ignores what is no writable attribute of a pipeline, so that clients may send whole records back', async ({
  api,
}) => {
  const whole = (await api.get('/api/pipelines/daily_sales')).record
  const reply = await api.put('/api/pipelines/daily_sales', {
    pipeline: { ...whole, uuid: 'other', blocks: [], odd: 1, description: 'new' },
  })

  expect(reply.record).toMatchObject({ uuid: 'daily_sales', description: 'new' })
  expect(reply.record).not.toHaveProperty('odd')
  expect(pluck(reply.record.blocks, 'uuid')).toEqual(['load_orders', 'sum_up', 'write_totals'])
})

it('refuses unknown attributes where the assumption is switched', async () => {
  const api = await openInMemory({ ...options, assumptions: { 'unknown-attributes': 'refused' } })
  const before = stateOf(api.understudy)
  const reply = await api.put('/api/pipelines/archive', { pipeline: { description: 'x', odd: 1 } })

  expect(reply.error).toMatchObject({ code: 400, type: 'record_invalid' })
  expect(reply.error.message).toContain('pipeline.odd')
  expect(stateOf(api.understudy)).toEqual(before)
})

it('deletes a pipeline with everything that belongs to it', async ({ api }) => {
  await api.put('/api/backfills/4', {
    backfill: {
      status: 'initial',
      interval_type: 'day',
      start_datetime: '2026-02-01 00:00:00',
      end_datetime: '2026-02-03 00:00:00',
    },
  })
  api.understudy.clock.advance('2s')
  const reply = await api.delete('/api/pipelines/daily_sales')
  const { model } = api.understudy

  expect(reply.record).toMatchObject({ uuid: 'daily_sales', name: 'daily-sales' })
  expect(model.pipelines.findMany().map(({ uuid }) => uuid)).toEqual(['archive'])
  expect(model.blocks.findMany()).toEqual([])
  expect(model.pipeline_schedules.findMany().map(({ id }) => id)).toEqual([4])
  expect(model.backfills.findMany().map(({ id }) => id)).toEqual([3, 5])
  expect(model.pipeline_runs.findMany().map(({ id }) => id)).toEqual([3])
  expect(model.logs.findMany()).toEqual([])
  expect((await api.get('/api/pipelines/daily_sales/logs')).error.code).toBe(404)
  expect((await api.post('/api/pipeline_schedules/1/pipeline_runs/night-token', {})).error.code).toBe(404)
  api.understudy.clock.advance('1d')
  expect(pluck((await api.get('/api/pipeline_runs')).records, 'id')).toEqual([3])
})

it('shows the blocks of a deleted pipeline in the reply', async ({ api }) => {
  const reply = await api.delete('/api/pipelines/daily_sales')

  expect(pluck(reply.record.blocks, 'uuid')).toEqual(['load_orders', 'sum_up', 'write_totals'])
})

it('lists the blocks of a pipeline in order and without content', async ({ api }) => {
  const reply = await api.get('/api/pipelines/daily_sales/blocks')

  expect(reply.metadata).toEqual({ count: 6, next: false })
  expect(pluck(reply.records, 'uuid')).toEqual([
    'load_orders',
    'sum_up',
    'write_totals',
    'tell_someone',
    'only_on_weekdays',
    'totals_by_day',
  ])
  for (const block of reply.records) {
    expect(block).not.toHaveProperty('content')
    expect(block).not.toHaveProperty('outputs')
  }
})

it('updates a block and moves its links', async ({ api }) => {
  const reply = await api.put('/api/pipelines/daily_sales/blocks/write_totals', {
    block: {
      name: 'write all',
      content: 'select 1',
      upstream_blocks: ['load_orders', '', 'nowhere'],
      priority: 0,
    },
  })
  const blocks = api.understudy.model.blocks.findMany((q) => q.where({ pipeline_uuid: 'daily_sales' }))
  const byPriority = blocks.toSorted((one, other) => one.priority - other.priority)

  expect(reply.record).toMatchObject({
    uuid: 'write_totals',
    name: 'write all',
    upstream_blocks: ['load_orders'],
    all_upstream_blocks_executed: true,
  })
  expect((await api.get('/api/pipelines/daily_sales/blocks/write_totals')).record.content).toBe('select 1')
  expect((await api.get('/api/pipelines/daily_sales/blocks/sum_up')).record.downstream_blocks).toEqual([])
  expect((await api.get('/api/pipelines/daily_sales/blocks/load_orders')).record.downstream_blocks).toEqual([
    'sum_up',
    'write_totals',
  ])
  expect(byPriority.map(({ uuid }) => uuid).slice(0, 3)).toEqual(['write_totals', 'load_orders', 'sum_up'])
})

it('shows content and outputs of a block nowhere but in the reply to a read', async ({ api }) => {
  const updated = (await api.put('/api/pipelines/daily_sales/blocks/sum_up', { block: { content: 'x' } }))
    .record

  expect(updated).not.toHaveProperty('outputs')
  expect(updated).not.toHaveProperty('content')
})

it('moves a block between the lists of its pipeline when its type changes', async ({ api }) => {
  await api.get('/api/pipelines/daily_sales')
  await api.put('/api/pipelines/daily_sales/blocks/sum_up', { block: { type: 'callback' } })
  const pipeline = (await api.get('/api/pipelines/daily_sales')).record

  expect((pipeline.blocks as { uuid: string }[]).map(({ uuid }) => uuid)).toEqual([
    'load_orders',
    'write_totals',
  ])
  expect((pipeline.callbacks as { uuid: string }[]).map(({ uuid }) => uuid)).toEqual([
    'sum_up',
    'tell_someone',
  ])
})

it('reads, updates and lists backfills by the conventions', async ({ api }) => {
  expect((await api.get('/api/backfills/1')).record).toMatchObject({
    id: 1,
    created_at: '2026-02-01 08:30:00.000000+00:00',
  })
  expect((await api.put('/api/backfills/1', { backfill: { name: 'flat' } })).record).toMatchObject({
    name: 'flat',
    created_at: '2026-02-01 08:30:00',
  })
  const list = await api.get('/api/pipelines/archive/backfills?include_run_count=True')
  expect(pick(list.records, 'id', 3)).toMatchObject({ total_run_count: 0 })
  const page = await api.get('/api/pipelines/archive/backfills?include_run_count=True&_limit=1')
  expect(page.records).toMatchObject([{ total_run_count: 0 }])
  expect(page.metadata).toEqual({ count: 2, next: true })
})

it('creates a schedule with its defaults and a token that triggers it', async ({ api }) => {
  const reply = await api.post('/api/pipelines/archive/pipeline_schedules', {
    pipeline_schedule: { name: 'new' },
  })
  const { token } = reply.record

  expect(reply.body).toEqual({
    pipeline_schedule: {
      id: 5,
      name: 'new',
      pipeline_uuid: 'archive',
      schedule_type: 'time',
      start_time: '2026-03-01 09:00:00.000000+00:00',
      schedule_interval: '@once',
      status: 'inactive',
      variables: null,
      sla: null,
      tags: [],
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      settings: {},
      event_matchers: [],
      last_pipeline_run_status: null,
      pipeline_runs_count: 0,
      created_at: '2026-03-01 09:00:00.000000+00:00',
      updated_at: '2026-03-01 09:00:00.000000+00:00',
    },
  })
  expect((await api.post(`/api/pipeline_schedules/5/pipeline_runs/${token}`, {})).record.status).toBe(
    'running',
  )
})

it('creates a schedule with every attribute a client may write', async ({ api }) => {
  const pipeline_schedule = {
    name: 'full',
    schedule_type: 'event',
    schedule_interval: '0 6 * * 1',
    status: 'active',
    variables: { a: [1] },
    sla: 3600,
    tags: ['x', 'y'],
    settings: { skip_if_previous_running: true, allow_blocks_to_fail: false },
    event_matchers: [{ event_type: 'any' }],
  }
  const reply = await api.post('/api/pipelines/archive/pipeline_schedules', {
    pipeline_schedule: { ...pipeline_schedule, start_time: '2026-05-01 06:00:00' },
  })

  expect(reply.record).toMatchObject({
    ...pipeline_schedule,
    start_time: '2026-05-01 06:00:00.000000+00:00',
  })
})

it('reads, updates and deletes schedules by their flat paths', async ({ api }) => {
  expect((await api.get('/api/pipeline_schedules/2')).record.name).toBe('by hand')
  const updated = await api.put('/api/pipeline_schedules/2', {
    pipeline_schedule: { status: 'active', schedule_interval: '@daily', tags: ['new'] },
  })
  expect(updated.record).toMatchObject({
    id: 2,
    name: 'by hand',
    status: 'active',
    schedule_interval: '@daily',
    tags: ['new'],
    token: 'hand-token',
    updated_at: '2026-03-01 09:00:00.000000+00:00',
  })
  expect((await api.delete('/api/pipeline_schedules/1')).record.id).toBe(1)
  expect(pluckSorted((await api.get('/api/pipeline_schedules')).records, 'id')).toEqual([2, 3, 4])
  expect(pluck((await api.get('/api/pipeline_runs')).records, 'id')).toEqual([3])
})

it('shows in the reply what a deleted schedule was', async ({ api }) => {
  expect((await api.delete('/api/pipeline_schedules/1')).record).toMatchObject({
    last_pipeline_run_status: 'failed',
    pipeline_runs_count: 2,
  })
})

it.each([
  ['/api/pipeline_runs', [2, 1, 3], { count: 3, next: false }],
  ['/api/pipeline_runs?_limit=1', [2], { count: 3, next: true }],
  ['/api/pipeline_runs?_limit=1&_offset=2', [3], { count: 3, next: false }],
  ['/api/pipeline_runs?_offset=3', [], { count: 3, next: false }],
  ['/api/pipeline_runs?pipeline_uuid=archive', [3], { count: 1, next: false }],
  ['/api/pipeline_runs?status=completed', [1, 3], { count: 2, next: false }],
  ['/api/pipeline_runs?status=completed&pipeline_uuid=daily_sales', [1], { count: 1, next: false }],
  ['/api/pipeline_runs?status=completed&_limit=1', [1], { count: 2, next: true }],
  ['/api/pipeline_schedules/1/pipeline_runs', [2, 1], { count: 2, next: false }],
  ['/api/pipeline_schedules/1/pipeline_runs?status=failed', [2], { count: 1, next: false }],
  ['/api/pipeline_schedules/1/pipeline_runs?pipeline_uuid=archive', [], { count: 0, next: false }],
  ['/api/pipeline_schedules/2/pipeline_runs', [], { count: 0, next: false }],
])('lists the runs of %s, the newest first', async (path, ids, metadata) => {
  const api = await openInMemory(options)
  const reply = await api.get(path)

  expect(pluck(reply.records, 'id')).toEqual(ids)
  expect(reply.metadata).toEqual(metadata)
})

it('creates, reads, cancels and deletes a run by the conventions', async ({ api }) => {
  const created = await api.post('/api/pipeline_schedules/2/pipeline_runs', {
    pipeline_run: { variables: { region: 'north' }, event_variables: { by: 'hand' } },
  })

  expect(created.record).toMatchObject({
    id: 4,
    pipeline_schedule_id: 2,
    pipeline_uuid: 'daily_sales',
    status: 'running',
    variables: { region: 'north' },
    event_variables: { by: 'hand' },
  })
  api.understudy.clock.advance('2s')
  const cancelled = await api.put('/api/pipeline_runs/4', { pipeline_run: { status: 'cancelled' } })
  expect(cancelled.record).toMatchObject({
    status: 'cancelled',
    completed_at: '2026-03-01 09:00:02.000000+00:00',
  })
  api.understudy.clock.advance('1h')
  expect((await api.get('/api/pipeline_runs/4')).record.status).toBe('cancelled')
  expect((await api.get('/api/pipeline_schedules/2')).record).toMatchObject({
    last_pipeline_run_status: 'cancelled',
    pipeline_runs_count: 1,
  })
  expect((await api.delete('/api/pipeline_runs/4')).record.id).toBe(4)
  expect((await api.get('/api/pipeline_schedules/2')).record).toMatchObject({
    last_pipeline_run_status: null,
    pipeline_runs_count: 0,
  })
})

it.each([
  ['items', 2],
  ['total', 5],
  ['unrelated', 11],
] as const)('counts by the switch list-count %s', async (value, count) => {
  const api = await openInMemory({ ...options, assumptions: { 'list-count': value } })
  const reply = await api.get('/api/backfills?_limit=2')

  expect(reply.metadata).toEqual({ count, next: true })
})
