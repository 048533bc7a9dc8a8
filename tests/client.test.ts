import { describe, expect, it, onTestFinished } from 'vitest'
import { ClientError, type Controls, createClient, type RemoteUnderstudy } from '../src/admin/client/index.ts'
import { adminRoutes } from '../src/admin/index.ts'
import { createUnderstudy, type JournalEntry, type Understudy } from '../src/index.ts'
import type { ServeOptions } from '../src/server/serve.ts'
import '../src/integrations/matchers/vitest.ts'
import { AdminCheck } from './support/admin-check.ts'
import { company } from './support/company.ts'
import { serveMock } from './support/serve-mock.ts'
import { listen } from './support/temporary.ts'

const options = { fixture: company, seed: 7 }
const admin = new AdminCheck()

const serveCompany = (serveOptions: ServeOptions = {}) => serveMock(createUnderstudy(options), serveOptions)

/** The two that every body below runs with: the understudy in this process, and a client of one that is served. */
const kinds: readonly (readonly [string, () => Promise<Controls>])[] = [
  ['in this process', async () => createUnderstudy(options) satisfies Understudy],
  [
    'elsewhere',
    async () => createClient((await serveCompany()).url, { fetch: admin.fetch }) satisfies RemoteUnderstudy,
  ],
]

/** Members that a client lacks; any other name does not compile. */
const here: Record<Exclude<keyof Understudy, keyof RemoteUnderstudy>, string> = {
  endpoints: 'holds functions',
  dispatch: 'fetch does that',
  attach: 'for adapters',
  ready: 'one that is served is ready',
  close: 'the server does that',
}

it('has every member of the mock that makes sense in another process', async () => {
  const client = createClient('http://127.0.0.1:1')

  expect(
    Object.keys(createUnderstudy())
      .filter((name) => !(name in client))
      .sort(),
  ).toEqual(Object.keys(here).sort())
})

/** Asks the API itself. */
async function api(understudy: Controls, path: string, init?: RequestInit, world?: string) {
  const headers = world === undefined ? {} : { 'x-understudy-world': world }
  const request = new Request(`http://understudy.invalid/api${path}`, { ...init, headers })
  return (await (await understudy.fetch(request)).json()) as Record<string, Record<string, unknown>>
}

const names = (records: readonly { readonly name?: unknown }[]) => records.map(({ name }) => name)

describe.each(kinds)('a mock %s', (_, create) => {
  async function open(): Promise<Controls> {
    const understudy = await create()
    onTestFinished(() => understudy.dispose())
    return understudy
  }

  it('describes what each resource is', async () => {
    const understudy = await open()
    const resources = await understudy.resources()
    const logs = resources.find(({ plural }) => plural === 'logs')

    expect(logs).toMatchObject({ singular: 'log', key: 'id', attributes: { content: { type: 'string' } } })
    expect(logs?.operations).toEqual([
      expect.objectContaining({
        id: 'listLogs',
        method: 'GET',
        path: '/api/pipelines/:pipeline_uuid/logs',
      }),
    ])
  })

  it('returns the speed of the clock', async () => {
    const { clock } = await open()
    expect(await clock.speed()).toBe(0)
    await clock.run(60)
    expect(await clock.speed()).toBe(60)
    await clock.freeze()
    expect(await clock.speed()).toBe(0)
  })

  it('counts records by their values', async () => {
    const { model } = await open()
    expect(await model.backfills.count()).toBe(5)
    expect(await model.backfills.count({ pipeline_uuid: 'archive' })).toBe(2)
    expect(await model.backfills.count({ pipeline_uuid: 'archive', status: null })).toBe(1)
    expect(await model.backfills.count({ id: 3, name: undefined })).toBe(1)
    expect(await model.backfills.count((q) => q.where({ id: (id) => id > 3 }))).toBe(2)
    expect(await model.pipeline_schedules.count({ tags: ['nightly', 'finance'] })).toBe(1)
    expect((await model.backfills.where('pipeline_uuid', 'archive')).map(({ id }) => id)).toEqual([3, 5])
    await expect(async () => model.backfills.where('pipeline_uid' as 'name', 'x')).rejects.toThrow(
      'in where; found "pipeline_uid". Did you mean pipeline_uuid?',
    )
    expect(await model.backfills.countBy('pipeline_uuid')).toEqual({ daily_sales: 3, archive: 2 })
    expect(await model.backfills.countBy('status')).toEqual({ completed: 1, failed: 1, null: 3 })
    expect(await model.backfills.countBy('status', { pipeline_uuid: 'archive' })).toEqual({
      failed: 1,
      null: 1,
    })
    for (const count of [
      async () => model.backfills.count({ state: 'failed' } as object),
      async () => model.backfills.countBy('state' as 'status'),
    ]) {
      await expect(count()).rejects.toMatchObject({
        code: 'ARGUMENT_INVALID',
        message: expect.stringContaining('state'),
      })
    }
  })

  it('gives a part of the records, searched and sorted where they are', async () => {
    const { model } = await open()
    const ids = async (options: Parameters<typeof model.backfills.page>[0]) => {
      const { records, count } = await model.backfills.page(options)
      return [count, ...records.map(({ id }) => id)]
    }
    expect(await ids({})).toEqual([5, 1, 2, 3, 4, 5])
    expect(await ids({ offset: 1, limit: 2 })).toEqual([5, 2, 3])
    expect(await ids({ offset: 1, limit: 2, reverse: true })).toEqual([5, 4, 3])
    expect(await ids({ where: { pipeline_uuid: 'archive', status: null } })).toEqual([1, 5])
    expect(await ids({ search: 'pipeline_uuid:archive status:failed' })).toEqual([1, 3])
    expect(await ids({ search: 'OLD' })).toEqual([1, 3])
    expect(await ids({ search: 'name:"old files"' })).toEqual([1, 3])
    expect(await ids({ search: '"old f"' })).toEqual([1, 3])
    expect(await ids({ search: 'https://nothing' })).toEqual([0])
    // Records without a value are last in both directions.
    expect(await ids({ orderBy: { status: 'asc', id: 'desc' } })).toEqual([5, 1, 3, 5, 4, 2])
    expect(await ids({ orderBy: { status: 'desc' } })).toEqual([5, 3, 1, 2, 4, 5])
    expect(await ids({ offset: 9 })).toEqual([5])
    await model.backfills.update((q) => q.where({ id: 4 }), {
      data: (draft) => void Object.assign(draft, { status: 'failed' }),
    })
    expect(await ids({ orderBy: { status: 'desc' }, limit: 2 })).toEqual([5, 3, 4])
    await expect(model.backfills.page({ limit: 1_001 })).rejects.toMatchObject({
      message: expect.stringContaining('limit: expected a whole number from 0 to 1000; found 1001'),
    })
    await expect(model.backfills.page({ orderBy: { state: 'asc' } as object })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining('in orderBy; found "state"'),
    })
  })

  it('reports every kind of change', async () => {
    const understudy = await open()
    const { changes, clock, faults, factories, journal, model, assumptions } = understudy
    const changedParts = new Set<string>()
    const parts = async (change: () => unknown, ...expected: readonly string[]) => {
      changedParts.clear()
      await change()
      await expect.poll(() => [...changedParts].sort()).toEqual(expected)
    }
    const stop = await changes.subscribe(({ parts }) => {
      for (const part of parts) changedParts.add(part)
    })
    const id = { id: 4 }
    await parts(() => factories.backfill.create({ pipeline_uuid: 'archive' }), 'records/backfills')
    await parts(
      () =>
        model.backfills.update((q) => q.where(id), {
          data: (draft) => void Object.assign(draft, { name: 'x' }),
        }),
      'records/backfills',
    )
    await parts(() => clock.advance('1ms'), 'clock')
    await parts(() => faults.add({ operation: 'listPipelines', times: 1, latency: 1 }), 'faults')
    await parts(() => assumptions.switch({ 'list-count': 'items' }), 'assumptions')
    await parts(() => understudy.snapshot('before'), 'snapshots')
    await parts(() => understudy.fetch('/api/backfills/4'), 'requests')
    await parts(() => journal.clear(), 'journal')
    await parts(() => understudy.worlds.create('another'), 'worlds')
    await parts(
      () => understudy.import({ pipelines: [{ name: 'other' }] }),
      ...['clock', 'records/backfills', 'records/blocks', 'records/logs', 'records/oauth_access_tokens'],
      ...['records/pipeline_runs', 'records/pipeline_schedules', 'records/pipelines', 'records/plugins'],
      ...['records/projects', 'records/statuses', 'records/users', 'resources'],
    )
    stop()
    changedParts.clear()
    await faults.clear()
    await clock.now()
    expect([...changedParts]).toEqual([])
  })

  it('returns the journal entries after a sequence number', async () => {
    const { fetch, journal } = await open()
    for (const path of ['/api/pipelines', '/api/backfills/1', '/api/backfills/2']) await fetch(path)
    const [first] = await journal.entries()

    expect((await journal.entries({ after: first!.sequence })).map(({ path }) => path)).toEqual([
      '/api/backfills/1',
      '/api/backfills/2',
    ])
    expect(await journal.entries({ after: first!.sequence + 2 })).toEqual([])
  })

  it('finds runs by how long they took', async () => {
    const { factories, model } = await open()
    for (const [pipeline_uuid, completed_at] of [
      ['archive', '2026-01-01 00:20:00.000000+00:00'],
      ['daily_sales', '2026-01-01 03:00:00.000000+00:00'],
    ] as const) {
      const created_at = '2026-01-01 00:00:00.000000+00:00'
      await factories.pipelineRun.create({ pipeline_uuid, status: 'completed', created_at, completed_at })
    }
    const pipelines = async (search: string) =>
      (await model.pipeline_runs.page({ search })).records.map((run) => run.pipeline_uuid)

    expect(await pipelines('took:>1h')).toEqual(['daily_sales'])
    expect(await pipelines('took:<21m took:>19m')).toEqual(['archive'])
  })

  it('refuses a search of many terms', async () => {
    const { model } = await open()
    const terms = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`).join(' ')

    expect(await model.backfills.page({ search: terms(20) })).toMatchObject({ count: 0 })
    expect(await model.backfills.page({ search: 'archive '.repeat(50) })).toMatchObject({ count: 2 })
    await expect(async () => model.backfills.page({ search: terms(21) })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining('Expected a search of at most 20 terms; found 21.'),
    })
  })

  it('returns the distribution of values, and the newest records of each', async () => {
    const { model } = await open()
    expect(await model.backfills.spread('pipeline_uuid', { parts: 2, orderBy: { id: 'asc' } })).toEqual([
      { daily_sales: 2, archive: 1 },
      { daily_sales: 1, archive: 1 },
    ])
    expect(
      await model.backfills.spread('status', {
        parts: 9,
        where: { pipeline_uuid: 'archive' },
        reverse: true,
      }),
    ).toEqual([{ null: 1 }, { failed: 1 }])
    const newest = await model.backfills.newest('pipeline_uuid', { limit: 2 })
    expect(
      Object.fromEntries(Object.entries(newest).map(([uuid, of]) => [uuid, of.map(({ id }) => id)])),
    ).toEqual({
      daily_sales: [2, 4],
      archive: [3, 5],
    })
    for (const send of [
      async () => model.backfills.spread('state' as 'status'),
      async () => model.backfills.newest('state' as 'status'),
    ]) {
      await expect(send()).rejects.toMatchObject({
        code: 'ARGUMENT_INVALID',
        message: expect.stringContaining('state'),
      })
    }
  })

  it('finds the last line of an error in the logs of each pipeline', async () => {
    const { factories, logs, runs } = await open()
    expect(await logs.lastErrors()).toEqual([])
    const write = (
      pipeline_uuid: string,
      minute: number,
      content: string,
      block_uuid: string | null = null,
    ) => {
      const created_at = `2026-03-01 08:0${minute}:00.000000+00:00`
      return factories.log.create({ pipeline_uuid, content, block_uuid, created_at, path: '/a.log' })
    }
    await write('daily_sales', 1, '[00:01] ERROR old\n')
    await write(
      'daily_sales',
      3,
      '[00:03] ERROR sum_up failed\nTraceback\n  File "x"\nKeyError: region\n',
      'sum_up',
    )
    await write('daily_sales', 3, '[00:03] ERROR run failed\n')
    await write('daily_sales', 4, '[00:04] INFO done, no error\n')
    await write('archive', 2, '2026-03-01T08:02:00 {"level": "ERROR", "message": "no space"}\n')

    expect(await logs.lastErrors()).toEqual([
      {
        pipeline_uuid: 'daily_sales',
        pipeline_run_id: null,
        block_uuid: 'sum_up',
        path: '/a.log',
        created_at: '2026-03-01 08:03:00.000000+00:00',
        line: 'KeyError: region',
      },
      expect.objectContaining({
        pipeline_uuid: 'archive',
        line: '2026-03-01T08:02:00 {"level": "ERROR", "message": "no space"}',
      }),
    ])
    const run = await factories.pipelineRun.create({ pipeline_uuid: 'archive', pipeline_schedule_id: 4 })
    await runs.finish(run.id, 'failed')
    expect((await logs.lastErrors({ pipeline_uuid: 'archive' })).map(({ line }) => line)).toEqual([
      `2026-03-01 09:00:00 pipeline run ${run.id} failed`,
    ])
    expect(await logs.lastErrors({ pipeline_uuid: 'nobody' })).toEqual([])
    await expect(async () => logs.lastErrors({ uuid: 'archive' } as object)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    })
  })

  it('returns the next events, and advances to the first', async () => {
    const { clock, factories } = await open()
    await factories.pipelineRun.create({
      pipeline_uuid: 'archive',
      pipeline_schedule_id: 4,
      run_script: 'running for 20s, then failed',
    })
    const { events, count } = await clock.next({ limit: 1, within: '1m' })

    expect(count).toBe(4)
    expect(events).toMatchObject([{ wait: 20_000, kind: 'fails', text: 'Run 4 of archive fails.' }])
    expect(await clock.advanceToNext()).toMatchObject({
      at: '2026-03-01T09:00:20.000Z',
      events: [{ kind: 'fails', belongsTo: { pipeline_uuid: 'archive' } }],
    })
    expect(await clock.now()).toBe(Date.UTC(2026, 2, 1, 9, 0, 20))
    await expect(async () => clock.next({ limit: 0 })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    })
  })

  it('starts a scenario, and takes it back', async () => {
    const { model, scenarios, faults, ...understudy } = await open()
    expect(await scenarios.list()).toEqual([])
    await scenarios.start({
      description: 'Another company, and slow.',
      fixture: () => ({ pipelines: [{ name: 'other' }] }),
      faults: [{ latency: '1s' }],
    })
    expect(names(await model.pipelines.all())).toEqual(['other'])
    expect(await faults.list()).toMatchObject([{ latency: '1s' }])
    expect(await understudy.undo()).toBe('scenario')
    expect(names(await model.pipelines.all())).toEqual(['archive', 'daily-sales'])
    await understudy.reset()
    expect(await understudy.undo()).toBe('reset')
    await expect(async () => understudy.undo()).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(async () => scenarios.start('slow')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('returns the effect of a deletion without deleting', async () => {
    const { model } = await open()
    const deletion = await model.pipelines.deletion((q) => q.where({ uuid: 'archive' }), { strict: true })

    expect(deletion).toEqual({
      plural: 'pipelines',
      key: 'archive',
      along: [
        { plural: 'pipeline_schedules', count: 1, keys: ['4'] },
        { plural: 'backfills', count: 2, keys: ['5', '3'] },
        { plural: 'pipeline_runs', count: 1, keys: ['3'] },
      ],
      stays: [],
      text: 'Deleting the pipeline archive takes 1 pipeline schedule, 2 backfills and 1 pipeline run along.',
    })
    expect(await model.pipelines.deletion((q) => q.where({ uuid: 'nobody' }))).toBeUndefined()
    expect(await model.pipelines.count()).toBe(2)
  })

  it('finds records by the same queries', async () => {
    const { model } = await open()
    const inArchive = await model.backfills.findMany((q) => q.where({ pipeline_uuid: 'archive' }))

    expect((await model.backfills.findFirst((q) => q.where({ id: 4 })))?.name).toBe('february')
    expect(await model.backfills.findFirst((q) => q.where({ id: 99 }))).toBeUndefined()
    expect(names(inArchive)).toEqual(['old files', 'new files'])
    expect(names(await model.backfills.findMany((q) => q.where({ id: (id) => id > 3 })))).toEqual([
      'february',
      'new files',
    ])
    expect(
      names(await model.backfills.findMany((q) => q.where({ id: 1 }).or({ name: 'nobody' }, { id: 5 }))),
    ).toEqual(['january', 'new files'])
    expect(
      names(await model.backfills.findMany((q) => q.where({ status: null }), { orderBy: { name: 'desc' } })),
    ).toEqual(['no dates', 'new files', 'february'])
    expect(
      names(await model.backfills.findMany((q) => q.where({ status: null }), { skip: 1, take: 1 })),
    ).toEqual(['february'])
    expect(names(await model.pipelines.findMany())).toEqual(['archive', 'daily-sales'])
    expect(await model.backfills.count()).toBe(5)
    expect(await model.blocks.all()).toHaveLength(6)
    await expect(async () =>
      model.backfills.findFirst((q) => q.where({ id: 99 }), { strict: true }),
    ).rejects.toThrow(/expected to find|matching|strict/i)
  })

  it('gives records that cannot be changed in place', async () => {
    const { model } = await open()
    const before = await model.backfills.findFirst((q) => q.where({ id: 1 }))
    const after = await model.backfills.update((q) => q.where({ id: 1 }), {
      data(draft) {
        draft.variables = { region: 'south' }
      },
    })

    for (const record of [before, after]) {
      expect(() => Object.assign(record ?? {}, { name: 'other' })).toThrow(TypeError)
      expect(() => Object.assign(record?.variables ?? {}, { region: 'other' })).toThrow(TypeError)
    }
    expect([before?.variables, after?.variables]).toEqual([{ region: 'north' }, { region: 'south' }])
  })

  it('creates, changes and deletes records', async () => {
    const { model } = await open()
    const created = await model.backfills.create({ pipeline_uuid: 'archive', name: 'third' } as never)
    const updated = await model.backfills.update((q) => q.where({ name: 'third' }), {
      data(draft) {
        draft.status = 'failed'
        draft.variables = { region: 'south' }
      },
    })
    const missing = await model.backfills.update((q) => q.where({ name: 'nobody' }), { data() {} })

    expect(created).toMatchObject({ id: 6, name: 'third', status: null })
    expect(updated).toMatchObject({ id: 6, status: 'failed', variables: { region: 'south' } })
    expect(missing).toBeUndefined()
    expect(
      names(
        await model.backfills.updateMany((q) => q.where({ pipeline_uuid: 'archive' }), {
          async data(draft) {
            draft.name = `${draft.name}!`
          },
          orderBy: { id: 'desc' },
        }),
      ),
    ).toEqual(['third!', 'new files!', 'old files!'])
    expect((await model.backfills.delete((q) => q.where({ id: 6 })))?.name).toBe('third!')
    expect(await model.backfills.delete((q) => q.where({ id: 6 }))).toBeUndefined()
    expect(names(await model.backfills.deleteMany((q) => q.where({ pipeline_uuid: 'archive' })))).toEqual([
      'old files!',
      'new files!',
    ])
    expect(names(await model.backfills.all())).toEqual(['january', 'no dates', 'february'])
    await model.backfills.clear()
    expect(await model.backfills.count()).toBe(0)
  })

  it('changes and deletes a record that it was given, also one whose key holds its pipeline', async () => {
    const { model } = await open()
    const block = (await model.blocks.findFirst((q) => q.where({ uuid: 'sum_up' })))!
    await model.blocks.update(block, {
      data(draft) {
        draft.status = 'failed'
      },
    })

    expect((await model.blocks.findFirst((q) => q.where({ uuid: 'sum_up' })))?.status).toBe('failed')
    await model.blocks.delete(block)
    expect(await model.blocks.findFirst((q) => q.where({ uuid: 'sum_up' }))).toBeUndefined()
    expect(await model.blocks.count()).toBe(5)
  })

  it('makes records by the factories', async () => {
    const { factories, model } = await open()
    const one = await factories.pipeline.with('withBlocks', 'withRuns').create({ name: 'mine' })
    const same = await factories.backfill.createMany(2, { pipeline_uuid: 'mine' })
    const each = await factories.backfill.createMany(2, (index) => ({ name: `number ${index}` }))
    const hourly = await factories.pipelineSchedule.with('hourly').with('active').create()

    expect(one).toMatchObject({ uuid: 'mine', name: 'mine' })
    expect(names(same)).toEqual(['backfill 6', 'backfill 7'])
    expect(names(each)).toEqual(['number 0', 'number 1'])
    expect(hourly).toMatchObject({ schedule_interval: '@hourly', status: 'active' })
    expect(await model.blocks.findMany((q) => q.where({ pipeline_uuid: 'mine' }))).toHaveLength(3)
  })

  it('moves the clock', async () => {
    const { clock } = await open()
    expect(await clock.now()).toBe(Date.UTC(2026, 2, 1, 9))
    await clock.advance('90s')
    await clock.advance(500)
    expect(await clock.now()).toBe(Date.UTC(2026, 2, 1, 9, 1, 30, 500))
    await clock.freeze(new Date('2026-01-31T12:00:00Z'))
    expect(await clock.now()).toBe(Date.UTC(2026, 0, 31, 12))
    await clock.freeze('2026-01-30 12:00:00')
    expect(await clock.now()).toBe(Date.UTC(2026, 0, 30, 12))
    await clock.run()
    await clock.freeze()
    expect((await clock.now()) - Date.UTC(2026, 0, 30, 12)).toBeLessThan(5_000)
    await clock.reset()
    expect(await clock.now()).toBe(Date.UTC(2026, 2, 1, 9))
    await expect(async () => clock.freeze('tomorrow')).rejects.toThrow(/freeze the clock: expected a Date/)
  })

  it('scripts and ends runs', async () => {
    const understudy = await open()
    const trigger = () =>
      api(understudy, '/pipeline_schedules/2/pipeline_runs/hand-token', { method: 'POST' })
    const statusOf = async (id: number) =>
      (await understudy.model.pipeline_runs.findFirst((q) => q.where({ id })))?.status
    await understudy.runs.script({ pipeline_uuid: 'daily_sales' }, { ends_as: 'failed', after: '2s' })
    for (let count = 0; count < 4; count++) await trigger()
    await understudy.runs.script({ id: 5 }, { ends_as: 'never' })
    await understudy.runs.finish(6, 'cancelled')
    await understudy.runs.advance(7)
    expect(await statusOf(7)).toBe('failed')
    await understudy.clock.advance('2s')

    expect([await statusOf(4), await statusOf(5), await statusOf(6)]).toEqual([
      'failed',
      'running',
      'cancelled',
    ])
    await expect(async () => understudy.runs.finish(99)).rejects.toThrow(
      '[understudy] No pipeline_run has the id 99.',
    )
  })

  it('adds, lists and removes faults', async () => {
    const understudy = await open()
    const { faults } = understudy
    const added = await faults.add({ operation: 'listPipelines', error: { code: 503, message: 'Later.' } })

    expect(added).toEqual({
      id: added.id,
      used: 0,
      operation: 'listPipelines',
      error: { code: 503, message: 'Later.' },
    })
    expect(await api(understudy, '/pipelines')).toMatchObject({ error: { code: 503, message: 'Later.' } })
    expect(await faults.list()).toMatchObject([{ id: added.id, used: 1 }])
    expect(await faults.remove(added.id)).toBe(true)
    expect(await faults.remove(added.id)).toBe(false)
    await faults.add({ hang: true })
    await faults.clear()
    expect(await faults.list()).toEqual([])
    await expect(async () => faults.add({ hang: 'yes' } as never)).rejects.toThrow(
      '[understudy] The fault is broken at $.hang: expected a boolean; found "yes".',
    )
  })

  it('stores requests in a journal', async () => {
    const understudy = await open()
    const { journal } = understudy
    await api(understudy, '/pipelines/archive')
    await api(understudy, '/pipelines/nobody')
    await api(understudy, '/backfills/1', { method: 'DELETE' })
    const [first, second, third] = await journal.entries()

    expect(first).toMatchObject({ sequence: 1, world: 'main', operation: 'readPipeline', status: 200 })
    expect(second).toMatchObject({ params: { uuid: 'nobody' }, status: 404, httpStatus: 200 })
    expect(third!.changes).toMatchObject([
      { op: 'remove', path: '/backfills/1', previous: { name: 'january' } },
    ])
    expect(await journal.entries({ operation: 'readPipeline', status: 404 })).toHaveLength(1)
    expect(await journal.har()).toMatchObject({ log: { version: '1.2', entries: [{}, {}, {}] } })
    await journal.clear()
    expect(await journal.entries()).toEqual([])
  })

  it('answers the matchers', async () => {
    const understudy = await open()
    await api(understudy, '/pipelines/archive')

    await expect(understudy).toHaveReceived('readPipeline', { params: { uuid: 'archive' } })
    await expect(understudy).not.toHaveReceived('deletePipeline')
    await expect(async () => expect(understudy).toHaveReceived('deletePipeline')).rejects.toThrow(
      /deletePipeline/,
    )
  })

  it('reports each new request until the subscription ends', async () => {
    const understudy = await open()
    const received: JournalEntry[] = []
    const end = await understudy.journal.subscribe((entry) => received.push(entry))
    await api(understudy, '/pipelines/archive')
    await api(understudy, '/pipelines/nobody')
    await expect.poll(() => received.length, { interval: 5 }).toBe(2)
    end()
    await new Promise((resolve) => setTimeout(resolve, 30))
    await api(understudy, '/pipelines')

    expect(received).toMatchObject([
      { sequence: 1, operation: 'readPipeline', status: 200 },
      { sequence: 2, operation: 'readPipeline', status: 404 },
    ])
  })

  it('lists and switches assumptions', async () => {
    const understudy = await open()
    const choiceOf = async (id: string) =>
      (await understudy.assumptions.list()).find((assumption) => assumption.id === id)?.value

    expect(await choiceOf('list-count')).toBe('total')
    await understudy.assumptions.switch({ 'list-count': 'items' })
    expect(await choiceOf('list-count')).toBe('items')
    expect(await api(understudy, '/pipelines?_limit=1')).toMatchObject({ metadata: { count: 1 } })
    await expect(async () =>
      understudy.assumptions.switch({ 'list-count': 'many' } as never),
    ).rejects.toThrow('[understudy] list-count: expected one of total, items, unrelated; found "many".')
  })

  it('takes snapshots, and restores and resets the state', async () => {
    const understudy = await open()
    const { model } = understudy
    await understudy.snapshot('five')
    await model.backfills.delete((q) => q.where({ id: 1 }))
    await understudy.snapshot('four')
    expect(await understudy.snapshots()).toEqual(['five', 'four'])
    await understudy.restore('five')
    expect(await model.backfills.count()).toBe(5)
    await understudy.restore('four')
    expect(await model.backfills.count()).toBe(4)
    await understudy.reset()
    expect(await model.backfills.count()).toBe(5)
    await expect(async () => understudy.restore('six')).rejects.toThrow(
      '[understudy] There is no snapshot "six"; there are five, four.',
    )
  })

  it('compares the state with an earlier one and with another world', async () => {
    const understudy = await open()
    await understudy.snapshot('before')
    await understudy.model.backfills.delete((q) => q.where({ id: 1 }))
    const { backfills, pipelines } = await understudy.diff('before')
    expect(backfills.deleted).toMatchObject([{ id: 1 }])
    expect(pipelines).toEqual({ created: [], updated: [], deleted: [] })
    expect(await understudy.diff()).toEqual(await understudy.diff('before'))
    await understudy.world('alice').reset()
    expect(await understudy.diff({ world: 'alice' })).toEqual(await understudy.diff('before'))
    await expect(async () => understudy.diff('after')).rejects.toThrow(
      '[understudy] There is no snapshot "after"; there are before.',
    )
    await expect(async () => understudy.diff({ world: 'bob' })).rejects.toThrow('There is no world "bob".')
    const changed: Promise<void> | void = expect(understudy).toHaveChanged({ backfills: { deleted: 1 } })
    await changed
  })

  it('exports and imports the state', async () => {
    const understudy = await open()
    const exported = await understudy.export()
    await understudy.import({ pipelines: [{ name: 'only' }], api_keys: ['another'] })
    expect(names(await understudy.model.pipelines.all())).toEqual(['only'])
    expect(await understudy.apiKeys).toEqual(['another'])
    await expect(async () => understudy.import({ backfills: [{ pipeline_uuid: 'nobody' }] })).rejects.toThrow(
      '[understudy] The fixture is broken at $.backfills[0].pipeline_uuid: expected the key of one of the pipelines; found "nobody".',
    )
    expect(names(await understudy.model.pipelines.all())).toEqual(['only'])
    await understudy.reset()
    expect(await understudy.export()).toEqual(exported)
    await understudy.import({ pipelines: [{ name: 'only' }] }, { asStart: true })
    await understudy.reset()
    expect(names(await understudy.model.pipelines.all())).toEqual(['only'])
    expect(names(await understudy.world('later').model.pipelines.all())).toEqual(['only'])
    await expect(async () => understudy.import({}, { as_start: true } as never)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    })
    await understudy.import(exported)
    expect(await understudy.export()).toEqual(exported)
  })

  it('returns its name, API keys, authentication mode and raw tokens', async () => {
    const understudy = await open()
    const raw = await understudy.rawToken('mira-laptop')

    expect(understudy.name).toBe('main')
    expect(await understudy.apiKeys).toEqual(['test-key'])
    expect(await understudy.auth).toBe('open')
    expect(JSON.parse(atob(raw.split('.')[1]!))).toMatchObject({ token: 'mira-laptop' })
    await expect(async () => understudy.rawToken('nobodys')).rejects.toThrow(/^\[understudy\] /)
  })

  it('signs everybody out', async () => {
    const understudy = await open()
    const isValid = { token: 'mira-laptop' }
    const { expires } = (await understudy.model.oauth_access_tokens.findFirst((q) => q.where(isValid)))!
    const count = await understudy.signOut()

    expect(count).toBeGreaterThan(0)
    const now = await understudy.model.oauth_access_tokens.findFirst((q) => q.where(isValid))
    expect(now!.expires < expires).toBe(true)
    expect(await understudy.signOut()).toBe(0)
  })

  it('isolates worlds from each other', async () => {
    const understudy = await open()
    const own = await understudy.worlds.create('mine', { fixture: { pipelines: [{ name: 'one' }] } })
    await understudy.world('yours').model.pipelines.clear()
    await own.clock.advance('1d')

    expect(names(await own.model.pipelines.all())).toEqual(['one'])
    expect(await understudy.world('yours').model.pipelines.count()).toBe(0)
    expect(await understudy.model.pipelines.count()).toBe(2)
    expect(await understudy.clock.now()).toBe(Date.UTC(2026, 2, 1, 9))
    expect(await api(understudy, '/pipelines', {}, 'mine')).toMatchObject({ pipelines: [{ uuid: 'one' }] })
    expect(names(await understudy.worlds.list()).sort()).toEqual(['main', 'mine', 'yours'])
    expect(await understudy.worlds.profiles()).toEqual([])
    expect(await understudy.worlds.faultyVariants()).toEqual([])
    expect(await understudy.worlds.delete('mine')).toBe(true)
    expect(await understudy.worlds.delete('mine')).toBe(false)
    await expect(async () => understudy.worlds.create('yours')).rejects.toThrow(
      '[understudy] The world "yours" already exists. Delete it first.',
    )
    await expect(async () => understudy.worlds.delete('main')).rejects.toThrow(
      '[understudy] The world "main" cannot be deleted. Reset it instead.',
    )
  })
})

it('sends only what an update changed, so that no other change is lost', async () => {
  const { understudy, url } = await serveCompany()
  const client = createClient(url)
  await client.model.backfills.update((q) => q.where({ id: 4 }), {
    async data(draft) {
      draft.name = 'changed here'
      await understudy.model.backfills.update((q) => q.where({ id: 4 }), {
        data(other) {
          other.status = 'failed'
        },
      })
    },
  })

  expect(understudy.model.backfills.findFirst((q) => q.where({ id: 4 }))).toMatchObject({
    name: 'changed here',
    status: 'failed',
  })
})

it('is a handle of its world, and sends API requests to it', async () => {
  const { url } = await serveCompany()
  const client = createClient(`${url}/`, { world: 'mine' })
  await client.model.pipelines.clear()
  const listOf = async (world: Pick<typeof client, 'fetch'>) =>
    ((await (await world.fetch('/api/pipelines')).json()) as { pipelines: unknown[] }).pipelines

  expect(client.name).toBe('mine')
  expect(await listOf(client)).toEqual([])
  expect(await listOf(client.world('main'))).toHaveLength(2)
  const created = await client.fetch(
    new Request('https://anywhere.example/api/pipelines', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"pipeline":{"name":"sent","type":"python"}}',
    }),
  )
  expect(await created.json()).toMatchObject({ pipeline: { uuid: 'sent' } })
  expect(await client.model.pipelines.count()).toBe(1)
})

it('reaches resources that a fixture added', async () => {
  const { url } = await serveCompany()
  const { projects } = createClient(url).model as unknown as {
    projects: RemoteUnderstudy['model']['pipelines']
  }

  expect(await projects.findFirst((q) => q.where({ name: 'demo' }))).toEqual({ id: 1, name: 'demo' })
})

it('throws what the server refused, with its status and what was wrong', async () => {
  const { url } = await serveCompany()
  const client = createClient(url)
  const wrong = (await client.factories.backfill
    .create({ status: 'paused' as never })
    .catch((error) => error)) as ClientError
  const missing = (await client.restore('nothing').catch((error) => error)) as ClientError

  expect(wrong).toBeInstanceOf(ClientError)
  expect({ name: wrong.name, status: wrong.status, errors: wrong.flaws }).toEqual({
    name: 'ClientError',
    status: 422,
    errors: [
      {
        path: '$.values.status',
        expected: 'one of initial, running, completed, failed, cancelled',
        found: '"paused"',
      },
    ],
  })
  expect({ status: missing.status, errors: missing.flaws }).toEqual({ status: 404, errors: [] })
})

it('explains a wrong or missing token', async () => {
  const { url } = await serveCompany({ admin: { token: 'let-me-in' } })

  expect(await createClient(url, { adminToken: 'let-me-in' }).auth).toBe('open')
  for (const client of [createClient(url), createClient(url, { adminToken: 'wrong' })]) {
    await expect(client.reset()).rejects.toThrow(
      '[understudy] The admin API needs its token: Authorization: Bearer <token>. Pass it as createClient(url, { adminToken }).',
    )
  }
})

it('explains an address without a server', async () => {
  const { url, close } = await serveCompany()
  await close()
  const client = createClient(url)

  for (const call of [client.reset(), client.journal.subscribe(() => {}), client.fetch('/api/pipelines')]) {
    await expect(call).rejects.toThrow(
      `[understudy] Nothing answers at ${url}. Is \`pipeline-understudy serve\` running there?`,
    )
  }
})

it('explains a server without the admin API, and another server', async () => {
  const { url: off } = await serveCompany({ admin: false })
  const elsewhere = await listen((_, response) => void response.end('<html>'))

  for (const url of [off, elsewhere]) {
    await expect(createClient(url).clock.now()).rejects.toThrow(
      `[understudy] ${url} answers, but not as the admin API of the mock server. Is it \`pipeline-understudy serve\` without --no-admin, or createApp(understudy, { admin: true })?`,
    )
  }
})

it('reports the end of the server to subscribers', async () => {
  const { url, close } = await serveCompany()
  const client = createClient(url)
  const gone = new Promise<void>((resolve) => {
    void client.journal.subscribe(() => undefined, resolve)
  })
  await client.journal.entries()
  await close()

  await expect(gone).resolves.toBeUndefined()
})

it('stops following when it is disposed of, and when the server closes', async () => {
  const { understudy, url, close } = await serveCompany()
  const client = createClient(url)
  const received: string[] = []
  await client.journal.subscribe(() => received.push('main'))
  await client.world('mine').journal.subscribe(() => received.push('mine'))
  await client.dispose()
  await new Promise((resolve) => setTimeout(resolve, 30))
  await understudy.fetch(new Request('http://understudy.invalid/api/pipelines'))
  await createClient(url).journal.subscribe(() => received.push('other'))
  await close()

  expect(received).toEqual([])
})

it('creates no world with `makesWorlds: false`', async () => {
  const { url } = await serveCompany()
  const readOnly = createClient(url, { makesWorlds: false })
  await readOnly.worlds.create('mine')
  const own = readOnly.world('mine')
  expect(await own.model.pipelines.count()).toBe(2)
  await createClient(url).worlds.delete('mine')

  await expect(own.model.pipelines.count()).rejects.toThrow('There is no world "mine".')
  expect((await readOnly.worlds.list()).map(({ name }) => name)).toEqual(['main'])
})

it('calls every route of the admin API but those for manual requests', () => {
  const manual = ['readHealth', 'readDocument', 'readRecord', 'startScenario']
  const reached = [...admin.reached, ...manual]

  expect(adminRoutes.map(({ id }) => id).filter((id) => !reached.includes(id))).toEqual([])
})
