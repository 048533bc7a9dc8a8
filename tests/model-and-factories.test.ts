import { expect } from 'vitest'
import { readSwitches } from '../src/assumptions/switches.ts'
import { loadFixture } from '../src/factories/fixture.ts'
import { Model } from '../src/factories/model.ts'
import { createUnderstudy, RecordError, type Understudy } from '../src/index.ts'
import { openInMemory, pick, pluck, pluckSorted, stateOf } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const options = { fixture: company }
const dispatch = async (understudy: Understudy, method: string, url: string, json?: unknown) =>
  (await understudy.dispatch({
    method,
    url,
    headers: { 'content-type': 'application/json' },
    body: json === undefined ? undefined : JSON.stringify(json),
  }))!.body

it('names a query in place of values, which only count takes', () => {
  const { model } = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
  const values = { name: 'daily sales' } as never

  expect(() => model.pipelines.findMany(values)).toThrow(
    '[understudy] pipelines: expected a query such as (q) => q.where({ id: 1 }); found {"name":"daily sales"}.',
  )
})

it('sees in the model at once what a request wrote, and in a reply what the model wrote', async ({ api }) => {
  await api.post('/api/pipelines/archive/backfills', { backfill: { name: 'by request' } })
  expect(api.understudy.model.backfills.findFirst((q) => q.where({ id: 6 }))?.name).toBe('by request')
  await api.get('/api/backfills/6')

  await api.understudy.model.backfills.update((q) => q.where({ id: 6 }), {
    data: (backfill) => {
      backfill.name = 'by model'
    },
  })

  expect((await api.get('/api/backfills/6')).record.name).toBe('by model')
  api.understudy.model.backfills.delete((q) => q.where({ id: 6 }))
  expect((await api.get('/api/backfills/6')).error.code).toBe(404)
})

it('applies two concurrent changes of one record', async () => {
  const { model } = createUnderstudy(options)
  const change = (data: (draft: { name: string; block_uuid: string | null }) => void | Promise<void>) =>
    model.backfills.update((q) => q.where({ id: 1 }), { data: data as never })
  await Promise.all([
    change((draft) => {
      draft.name = 'new name'
    }),
    change((draft) => {
      draft.block_uuid = 'sum_up'
    }),
  ])

  expect(model.backfills.findFirst((q) => q.where({ id: 1 }))).toMatchObject({
    name: 'new name',
    block_uuid: 'sum_up',
  })
})

it('shows a run only below the schedule it was moved to', async ({ api }) => {
  const counts = async () => {
    const reply = await api.get('/api/pipelines/daily_sales/pipeline_schedules')
    return [1, 2, 3].map((id) => pick(reply.records, 'id', id)?.pipeline_runs_count)
  }
  expect(await counts()).toEqual([2, 0, 0])

  await api.understudy.model.pipeline_runs.update((q) => q.where({ id: 2 }), {
    data: (run) => {
      run.pipeline_schedule_id = 3
    },
  })

  expect(await counts()).toEqual([1, 0, 1])
})

it('rejects an invalid value with the attribute, and writes nothing', async () => {
  const understudy = createUnderstudy(options)
  const before = stateOf(understudy)
  const { factories, model } = understudy

  await expect(factories.backfill.create({ status: 'done' as never })).rejects.toThrow(
    /Failed to create a backfill: status: expected one of initial, running, completed, failed, cancelled; found "done"/,
  )
  await expect(factories.backfill.create({ pipeline_uuid: 'nowhere' })).rejects.toThrow(
    /pipeline_uuid.*pipelines.*"nowhere"/,
  )
  await expect(factories.backfill.create({ id: 1, pipeline_uuid: 'archive' })).rejects.toThrow(
    /id: expected a value that no other record has; found 1/,
  )
  await expect(factories.pipeline.create({ name: 'archive' })).rejects.toThrow(RecordError)
  const unknownKey = /nme: expected the key "name", or one of id, .*; found an unknown key/
  await expect(factories.backfill.create({ nme: 'x' } as never)).rejects.toThrow(unknownKey)
  await expect(factories.backfill.createMany(2, { nme: 'x' } as never)).rejects.toThrow(unknownKey)
  await expect(model.backfills.create({ pipeline_uuid: 'archive', nme: 'x' } as never)).rejects.toThrow(
    unknownKey,
  )
  await expect(
    model.backfills.update((q) => q.where({ id: 1 }), {
      data: (draft) => {
        draft.id = 99
      },
    }),
  ).rejects.toThrow(/id: expected "1", which cannot change; found "99"/)
  await expect(
    model.backfills.update((q) => q.where({ id: 1 }), {
      data: (draft) => {
        draft.interval_units = 'many' as never
      },
    }),
  ).rejects.toThrow(/interval_units: expected a number; found "many"/)
  await expect(
    model.backfills.update((q) => q.where({ id: 1 }), {
      data: (draft) => void Object.assign(draft, { nme: 'x' }),
    }),
  ).rejects.toThrow(unknownKey)
  expect(stateOf(understudy)).toEqual(before)
})

it('returns a list that cannot bypass the indexes', async ({ api }) => {
  ;(api.understudy.model.backfills.all() as unknown[]).length = 0

  expect(pluckSorted((await api.get('/api/backfills')).records, 'id')).toEqual([1, 2, 3, 4, 5])
})

it('never uses the id of a deleted record again', async ({ api }) => {
  const create = async () =>
    (await api.post('/api/pipelines/archive/backfills', { backfill: { name: 'x' } })).record.id
  expect(await create()).toBe(6)
  await api.delete('/api/backfills/6')
  expect(await create()).toBe(7)
  await api.delete('/api/pipelines/archive')
  await api.post('/api/pipelines', { pipeline: { name: 'archive', type: 'python' } })

  expect(await create()).toBe(8)
})

it('makes the parents of a record where there are none', async () => {
  const { factories, model } = createUnderstudy()
  const run = await factories.pipelineRun.create()
  const log = await factories.log.create()
  const token = await factories.oauthAccessToken.create()
  const block = await factories.block.create()

  expect(model.pipelines.count()).toBe(1)
  expect(model.pipeline_schedules.count()).toBe(1)
  expect(model.users.count()).toBe(1)
  const [{ uuid } = { uuid: '' }] = model.pipelines.findMany()
  expect([run.pipeline_uuid, log.pipeline_uuid, block.pipeline_uuid]).toEqual([uuid, uuid, uuid])
  expect(run.pipeline_schedule_id).toBe(1)
  expect(token.user_id).toBe(1)
})

it('puts a run under the pipeline of its schedule', async () => {
  const { factories } = createUnderstudy(options)

  expect(await factories.pipelineRun.create({ pipeline_schedule_id: 4 })).toMatchObject({
    pipeline_uuid: 'archive',
  })
  expect(await factories.pipelineRun.create({ pipeline_schedule_id: 1 })).toMatchObject({
    pipeline_uuid: 'daily_sales',
  })
})

it('makes records that are not changed with the values they were made from', async () => {
  const { factories, model } = createUnderstudy(options)
  const variables: Record<string, unknown> = { region: 'north' }
  await factories.backfill.create({ name: 'mine', variables })
  variables.region = 'changed later'

  expect(model.backfills.findFirst((q) => q.where({ name: 'mine' }))?.variables).toEqual({ region: 'north' })
})

it('makes a pipeline with blocks, schedule and runs by traits', async () => {
  const api = await openInMemory()
  await api.understudy.factories.pipeline
    .with('integration', 'withBlocks', 'withRuns')
    .create({ name: 'mine' })
  const pipeline = (await api.get('/api/pipelines/mine?include_schedules=1')).record

  expect(pipeline.type).toBe('integration')
  expect(pipeline.blocks).toMatchObject([
    { uuid: 'load', type: 'data_loader', upstream_blocks: [], downstream_blocks: ['transform'] },
    { uuid: 'transform', type: 'transformer', upstream_blocks: ['load'], downstream_blocks: ['export'] },
    { uuid: 'export', type: 'data_exporter', upstream_blocks: ['transform'], downstream_blocks: [] },
  ])
  expect(pipeline.schedules).toMatchObject([
    { id: 1, pipeline_runs_count: 3, last_pipeline_run_status: 'completed' },
  ])
})

it.each([
  ['failing', 'failed'],
  ['endless', 'running'],
] as const)('makes a pipeline by the trait %s whose runs are %s', async (trait, status) => {
  const { factories, ...understudy } = createUnderstudy()
  const pipeline = await factories.pipeline.with(trait).create()
  const schedule = await factories.pipelineSchedule.create({ pipeline_uuid: pipeline.uuid })
  await understudy.dispatch({
    method: 'POST',
    url: `/api/pipeline_schedules/1/pipeline_runs/${schedule.token}`,
  })
  understudy.clock.advance('1d')

  expect(understudy.model.pipeline_runs.findFirst()?.status).toBe(status)
})

it('makes records by every other trait', async () => {
  const { factories } = createUnderstudy(options)

  expect(await factories.pipeline.with('pyspark').create()).toMatchObject({ type: 'pyspark' })
  expect(await factories.pipeline.with('streaming').create()).toMatchObject({ type: 'streaming' })
  expect(await factories.block.with('sql').create({ name: 'a' })).toMatchObject({
    language: 'sql',
    configuration: { use_raw_sql: 'true' },
  })
  expect(await factories.block.with('executed').create({ name: 'b' })).toMatchObject({ status: 'executed' })
  expect(await factories.block.with('failed').create({ name: 'c' })).toMatchObject({ status: 'failed' })
  expect(await factories.pipelineSchedule.with('active', 'hourly', 'api').create()).toMatchObject({
    status: 'active',
    schedule_interval: '@hourly',
    schedule_type: 'api',
  })
  expect(await factories.pipelineSchedule.with('daily', 'event').create()).toMatchObject({
    schedule_interval: '@daily',
    schedule_type: 'event',
  })
  for (const status of ['initial', 'running', 'completed', 'failed', 'cancelled'] as const) {
    expect(await factories.backfill.with(status).create()).toMatchObject({ status })
  }
  for (const status of ['completed', 'failed', 'cancelled'] as const) {
    expect(await factories.pipelineRun.with(status).create()).toMatchObject({
      status,
      completed_at: '2026-03-01 09:00:00.000000+00:00',
    })
  }
  expect(await factories.oauthAccessToken.with('expired').create()).toMatchObject({
    expires: '2020-01-01 00:00:00.000000+00:00',
  })
})

it('makes backfills whose plans the traits promise', async () => {
  const api = await openInMemory({ fixture: { pipelines: [{ name: 'a' }] } })
  const hourly = await api.understudy.factories.backfill.with('hourly').create()
  const daily = await api.understudy.factories.backfill.with('daily').create()
  const withRuns = await api.understudy.factories.backfill.with('withRuns').create()

  const reply = await api.get('/api/backfills?include_run_count=1')
  const count = (id: number) => pick(reply.records, 'id', id)?.total_run_count
  expect([count(hourly.id), count(daily.id), count(withRuns.id)]).toEqual([25, 31, 0])
  expect(withRuns.pipeline_schedule_id).toBe(1)
  expect(pluck((await api.get('/api/pipeline_runs')).records, 'backfill_id')).toEqual([3, 3, 3])
})

async function makeAMess(understudy: Understudy): Promise<void> {
  await dispatch(understudy, 'POST', '/api/pipelines', { pipeline: { name: 'mess', type: 'python' } })
  await dispatch(understudy, 'DELETE', '/api/pipelines/daily_sales')
  await dispatch(understudy, 'PUT', '/api/backfills/3', { backfill: { name: 'mess', status: 'running' } })
  await dispatch(understudy, 'DELETE', '/api/backfills/5')
  await dispatch(understudy, 'POST', '/api/sessions', {
    session: { email: 'mira@example.com', password: 'lantern' },
  })
  await dispatch(understudy, 'POST', '/api/projects', { project: { name: 'mess' } })
  await dispatch(understudy, 'POST', '/api/pipeline_schedules/4/pipeline_runs/week-token', {})
}

it('resets to the fixture, including ids', async () => {
  const understudy = createUnderstudy(options)
  const before = stateOf(understudy)
  await makeAMess(understudy)
  expect(stateOf(understudy)).not.toEqual(before)

  understudy.reset()

  expect(stateOf(understudy)).toEqual(before)
  expect(
    await dispatch(understudy, 'POST', '/api/pipelines/archive/backfills', { backfill: { name: 'x' } }),
  ).toContain('"id":6,')
  understudy.clock.advance('1d')
  expect(understudy.model.pipeline_runs.count()).toBe(3)
})

it('imports an export over other records', async () => {
  const source = createUnderstudy(options)
  await makeAMess(source)
  const target = createUnderstudy({
    fixture: { pipelines: [{ name: 'other' }], custom: { teams: [{ name: 'a' }] } },
  })
  target.clock.freeze('2026-03-01 09:00:00')
  target.import(source.export())

  expect(stateOf(target)).toEqual(stateOf(source))
  expect(target.apiKeys).toEqual(['test-key'])
  expect(await dispatch(target, 'GET', '/api/teams')).toContain('record_not_found')
  expect(await dispatch(target, 'GET', '/api/projects/2')).toBe('{"project":{"id":2,"name":"mess"}}')
})

it('resets to the start after an import, with its resources, keys, clock and snapshots', async () => {
  const understudy = createUnderstudy(options)
  const before = stateOf(understudy)
  const projects = () => dispatch(understudy, 'GET', '/api/projects')
  const atFirst = await projects()
  understudy.snapshot('before')
  const start = understudy.clock.now()
  understudy.import({
    clock: '2031-01-01T00:00:00Z',
    api_keys: ['another'],
    pipelines: [{ name: 'imported' }],
    custom: { teams: [{ name: 'a' }] },
  })
  expect(understudy.clock.now()).toBe(Date.UTC(2031, 0, 1))
  expect(understudy.apiKeys).toEqual(['another'])
  expect(await dispatch(understudy, 'GET', '/api/teams/1')).toBe('{"team":{"id":1,"name":"a"}}')
  understudy.snapshot('imported')

  understudy.restore('before')
  expect(stateOf(understudy)).toEqual(before)
  expect(await projects()).toBe(atFirst)
  understudy.restore('imported')
  expect(await dispatch(understudy, 'GET', '/api/teams/1')).toBe('{"team":{"id":1,"name":"a"}}')
  understudy.reset()
  expect(stateOf(understudy)).toEqual(before)
  expect(understudy.apiKeys).toEqual(['test-key'])
  expect(understudy.clock.now()).toBe(start)
  expect(await dispatch(understudy, 'GET', '/api/teams/1')).toContain('record_not_found')
  expect(understudy.snapshots()).toEqual(['before', 'imported'])
})

it('exports copies', () => {
  const understudy = createUnderstudy(options)
  const before = stateOf(understudy)
  const exported = understudy.export() as unknown as { backfills: { name: string }[]; api_keys: string[] }
  exported.backfills[0]!.name = 'changed'
  exported.backfills.length = 1
  exported.api_keys.push('another')

  expect(stateOf(understudy)).toEqual(before)
})

it('does not change the fixture it was given, nor follow its later changes', async () => {
  const fixture = structuredClone(company) as { pipelines: { name: string }[] }
  const understudy = createUnderstudy({ fixture: fixture as never })
  await makeAMess(understudy)
  expect(fixture).toEqual(company)

  fixture.pipelines[0]!.name = 'changed later'
  understudy.reset()

  expect(understudy.model.pipelines.findFirst((q) => q.where({ uuid: 'daily_sales' }))?.name).toBe(
    'daily-sales',
  )
})

async function play(seed?: number): Promise<string[]> {
  const understudy = createUnderstudy({ ...options, ...(seed !== undefined && { seed }) })
  const replies: string[] = []
  const send = async (method: string, url: string, json?: unknown) => {
    replies.push(await dispatch(understudy, method, url, json))
  }
  await send('POST', '/api/pipelines', {
    pipeline: { name: 'one', type: 'python', clone_pipeline_uuid: 'daily_sales' },
  })
  await send('POST', '/api/pipelines/one/pipeline_schedules', { pipeline_schedule: { name: 'a' } })
  await send('POST', '/api/sessions', { session: { email: 'mira@example.com', password: 'lantern' } })
  await send('PUT', '/api/backfills/1', { backfill: { status: 'initial' } })
  await send('POST', '/api/pipeline_schedules/2/pipeline_runs/hand-token', { a: 1 })
  understudy.clock.advance('30s')
  await send('GET', '/api/pipeline_runs')
  await send('GET', '/api/pipelines/daily_sales/logs')
  await send('GET', '/api/pipelines?include_schedules=1')
  await send('PUT', '/api/backfills/1', { backfill: { status: 'done' } })
  replies.push(JSON.stringify(understudy.export()))
  return replies
}

it('gives the same bytes for the same fixture, seed, clock and requests', async () => {
  expect(await play(7)).toEqual(await play(7))
  expect(await play()).toEqual(await play(1))
})

it('changes only tokens with another seed', async () => {
  const [one, other] = [await play(1), await play(2)]

  expect(other[1]).not.toBe(one[1])
  expect(other[2]).not.toBe(one[2])
  expect(other[5]).toBe(one[5])
  const withoutTokens = (text: string) => text.replaceAll(/"token":"[^"]*"/g, '')
  expect(other.map(withoutTokens)).toEqual(one.map(withoutTokens))
})

it('gives no two schedules the same token', async () => {
  const { factories } = createUnderstudy(options)
  const schedules = await factories.pipelineSchedule.createMany(500)

  expect(new Set(schedules.map(({ token }) => token)).size).toBe(500)
})

it('makes all of several records, or none', async () => {
  const understudy = createUnderstudy()

  await expect(understudy.factories.pipeline.createMany(2, { name: 'twice' })).rejects.toThrow('twice')
  expect(understudy.model.pipelines.count()).toBe(0)
})

it('notes once when a record is due, however often it is written', () => {
  const options = {
    seed: 1,
    clock: { now: () => Date.UTC(2026, 0, 1) },
    switches: readSwitches(),
    signToken: () => '',
  }
  const schedule = { pipeline_uuid: 'p', status: 'active', schedule_interval: '@daily' }
  const fixture = { pipelines: [{ name: 'p' }], pipeline_schedules: [schedule] }
  const { resources, state } = loadFixture(fixture, options)
  const model = new Model({ ...options, resources })
  model.restore(state)
  const table = model.table('pipeline_schedules')
  for (let time = 0; time < 100; time++) table.change(table.get('1')!, { name: `name ${time}` })

  expect(model.state().dueTimes).toEqual([
    { at: '2026-01-01 00:00:00.000000+00:00', plural: 'pipeline_schedules', key: '1' },
  ])
})

it('makes blocks of a pipeline that has room, the full one left as it is', async () => {
  const { factories, model } = createUnderstudy({
    fixture: { pipelines: [{ name: 'first' }, { name: 'last' }] },
  })
  await factories.block.createMany(2_001)

  expect(model.blocks.countBy('pipeline_uuid')).toEqual({ last: 2_000, first: 1 })
  await expect(factories.block.create({ pipeline_uuid: 'last' })).rejects.toThrow(
    'pipeline_uuid: expected the key of one of the pipelines with fewer than 2000 blocks; found "last".',
  )
})

const circle: Record<string, unknown> = {}
circle.again = circle

it.each<[string, unknown, string, string]>([
  ['a BigInt', { rows: [1n] }, 'rows[0]', 'expected data alone, as JSON has it; found a bigint'],
  ['a function', { run() {} }, 'run', 'expected data alone, as JSON has it; found a function'],
  ['a circle', circle, 'again.again', 'expected at most 200 levels; found more'],
])('rejects %s in a record, and continues to answer', async (_, variables, path, expected) => {
  const understudy = createUnderstudy({
    fixture: { pipelines: [{ name: 'sales' }], backfills: [{ pipeline_uuid: 'sales' }] },
  })
  const { factories, model } = understudy
  const values = { pipeline_uuid: 'sales', variables } as { pipeline_uuid: string }
  const errorWith = (detail: string) => expect.objectContaining({ message: expect.stringContaining(detail) })
  const given = { pipelines: [{ name: 'sales' }], backfills: [values] }
  const details = [`variables.${path}`, expected]

  for (const detail of details) {
    await expect(async () => factories.backfill.create(values)).rejects.toEqual(errorWith(detail))
    await expect(model.backfills.create(values)).rejects.toEqual(errorWith(detail))
    await expect(
      model.backfills.update((query) => query.where({ id: 1 }), {
        data: (draft) => void Object.assign(draft, { variables }),
      }),
    ).rejects.toEqual(errorWith(detail))
  }
  // A function cannot even be copied.
  expect(() => createUnderstudy({ fixture: given })).toThrow(/expected (?:data alone, as JSON|at most 200)/)
  const reply = await understudy.dispatch({ method: 'GET', url: '/api/backfills' })
  expect(JSON.parse(reply!.body)).toMatchObject({ backfills: [{ id: 1 }] })
})
