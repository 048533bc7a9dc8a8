import { expect, it, onTestFinished } from 'vitest'
import { type Controls, createClient, type RemoteUnderstudy } from '../src/admin/client/index.ts'
import { adminRoutes } from '../src/admin/index.ts'
import { createUnderstudy, type Understudy, UnderstudyError } from '../src/index.ts'
import { AdminCheck } from './support/admin-check.ts'
import { company } from './support/company.ts'
import { serveMock } from './support/serve-mock.ts'

// The same calls on a mock in this process and on a client of a served one. Other tests state what the calls return.

const options = { fixture: company, seed: 7 }
const admin = new AdminCheck()

type Call = (mock: Controls) => unknown

type BackfillQuery = Parameters<Understudy['model']['backfills']['findMany']>[0]
const byId =
  (id: number): NonNullable<BackfillQuery> =>
  (q) =>
    q.where({ id })
const inArchive = { pipeline_uuid: 'archive' }
const trigger: Call = ({ fetch }) =>
  fetch('/api/pipeline_schedules/2/pipeline_runs/hand-token', { method: 'POST' }).then((reply) =>
    reply.json(),
  )
const statusOf =
  (run: number): Call =>
  async ({ model }) =>
    (await model.pipeline_runs.findFirst((q) => q.where({ id: run })))?.status
const countBackfills: Call = ({ model }) => model.backfills.count()
const now: Call = ({ clock }) => clock.now()
const stored: Call = (mock) => mock.export()

/** Calls in their order, by the part of the mock that they use. */
const calls: Readonly<Record<string, readonly Call[]>> = {
  queries: [
    ({ model }) => model.backfills.findMany((q) => q.where(inArchive)),
    ({ model }) => model.backfills.findFirst((q) => q.where({ id: 99 })),
    ({ model }) => model.backfills.findFirst((q) => q.where({ id: 99 }), { strict: true }),
    ({ model }) => model.backfills.findMany((q) => q.where({ id: (id) => id > 3 })),
    ({ model }) => model.backfills.findMany((q) => q.where({ id: 1 }).or({ name: 'nobody' }, { id: 5 })),
    ({ model }) => model.backfills.findMany((q) => q.where({ status: null }), { orderBy: { name: 'desc' } }),
    ({ model }) => model.backfills.findMany((q) => q.where({ status: null }), { skip: 1, take: 1 }),
    ({ model }) => model.blocks.all(),
    ({ model }) => model.backfills.where('pipeline_uuid', 'archive'),
    ({ model }) => model.backfills.where('pipeline_uid' as 'name', 'x'),
  ],
  counts: [
    countBackfills,
    ({ model }) => model.backfills.count({ ...inArchive, status: null }),
    ({ model }) => model.backfills.count({ id: 3, name: undefined }),
    ({ model }) => model.backfills.count((q) => q.where({ id: (id) => id > 3 })),
    ({ model }) => model.pipeline_schedules.count({ tags: ['nightly', 'finance'] }),
    ({ model }) => model.backfills.countBy('status', inArchive),
    ({ model }) => model.backfills.count({ state: 'failed' } as object),
    ({ model }) => model.backfills.countBy('state' as 'status'),
    ({ model }) => model.backfills.spread('pipeline_uuid', { parts: 2, orderBy: { id: 'asc' } }),
    ({ model }) => model.backfills.spread('status', { parts: 9, where: inArchive, reverse: true }),
    ({ model }) => model.backfills.spread('state' as 'status'),
    ({ model }) => model.backfills.newest('pipeline_uuid', { limit: 2 }),
    ({ model }) => model.backfills.newest('state' as 'status'),
  ],
  pages: [
    ({ model }) => model.backfills.page({ offset: 1, limit: 2, reverse: true }),
    ({ model }) => model.backfills.page({ where: { ...inArchive, status: null } }),
    ({ model }) => model.backfills.page({ search: 'pipeline_uuid:archive status:failed' }),
    ({ model }) => model.backfills.page({ orderBy: { status: 'asc', id: 'desc' } }),
    ({ model }) => model.backfills.page({ limit: 1_001 }),
    ({ model }) => model.backfills.page({ orderBy: { state: 'asc' } as object }),
    ({ model }) => model.backfills.page({ search: 'a b c d e f g h i j k l m n o p q r s t u' }),
  ],
  writes: [
    ({ model }) => model.backfills.create({ ...inArchive, name: 'third' } as never),
    ({ model }) =>
      model.backfills.update(byId(6), { data: (draft) => void Object.assign(draft, { status: 'failed' }) }),
    ({ model }) => model.backfills.update(byId(99), { data: () => undefined }),
    ({ model }) =>
      model.backfills.updateMany((q) => q.where(inArchive), {
        data: async (draft) => void Object.assign(draft, { name: `${draft.name}!` }),
        orderBy: { id: 'desc' },
      }),
    async ({ model }) => {
      const block = (await model.blocks.findFirst((q) => q.where({ uuid: 'sum_up' })))!
      await model.blocks.update(block, { data: (draft) => void Object.assign(draft, { status: 'failed' }) })
      return model.blocks.delete(block)
    },
    ({ model }) => model.pipelines.deletion((q) => q.where({ uuid: 'archive' }), { strict: true }),
    ({ model }) => model.pipelines.deletion((q) => q.where({ uuid: 'nobody' })),
    ({ model }) => model.backfills.delete(byId(6)),
    ({ model }) => model.backfills.delete(byId(6)),
    ({ model }) => model.backfills.deleteMany((q) => q.where(inArchive)),
    ({ model }) => model.logs.clear(),
    stored,
  ],
  factories: [
    ({ factories }) => factories.pipeline.with('withBlocks', 'withRuns').create({ name: 'mine' }),
    ({ factories }) => factories.backfill.createMany(2, { pipeline_uuid: 'mine' }),
    ({ factories }) => factories.backfill.createMany(2, (index) => ({ name: `number ${index}` })),
    ({ factories }) => factories.pipelineSchedule.with('hourly').with('active').create(),
    stored,
  ],
  clock: [
    now,
    ({ clock }) => clock.advance('90s'),
    ({ clock }) => clock.advance(500),
    now,
    ({ clock }) => clock.freeze(new Date('2026-01-31T12:00:00Z')),
    ({ clock }) => clock.freeze('2026-01-30 12:00:00'),
    now,
    ({ clock }) => clock.run(60),
    ({ clock }) => clock.speed(),
    ({ clock }) => clock.freeze('tomorrow'),
    ({ clock }) => clock.reset(),
    now,
  ],
  events: [
    ({ factories }) =>
      factories.pipelineRun.create({
        ...inArchive,
        pipeline_schedule_id: 4,
        run_script: 'running for 20s, then failed',
      }),
    ({ clock }) => clock.next({ limit: 1, within: '1m' }),
    ({ clock }) => clock.next({ limit: 0 }),
    ({ clock }) => clock.advanceToNext(),
    ({ logs }) => logs.lastErrors(),
    ({ logs }) => logs.lastErrors({ pipeline_uuid: 'archive' }),
    ({ logs }) => logs.lastErrors({ uuid: 'archive' } as object),
  ],
  runs: [
    ({ runs }) => runs.script({ pipeline_uuid: 'daily_sales' }, { ends_as: 'failed', after: '2s' }),
    ...[trigger, trigger, trigger, trigger],
    ({ runs }) => runs.script({ id: 5 }, { ends_as: 'never' }),
    ({ runs }) => runs.finish(6, 'cancelled'),
    ({ runs }) => runs.advance(7),
    ({ clock }) => clock.advance('2s'),
    ...[4, 5, 6, 7].map(statusOf),
    ({ runs }) => runs.finish(99),
  ],
  faults: [
    ({ faults }) => faults.add({ operation: 'listPipelines', error: { code: 503, message: 'Later.' } }),
    ({ fetch }) => fetch('/api/pipelines').then((reply) => reply.json()),
    ({ faults }) => faults.list(),
    ({ faults }) => faults.remove('fault-1'),
    ({ faults }) => faults.remove('fault-1'),
    ({ faults }) => faults.add({ hang: true }),
    ({ faults }) => faults.clear(),
    ({ faults }) => faults.list(),
    ({ faults }) => faults.add({ hang: 'yes' } as never),
  ],
  journal: [
    ({ fetch }) => fetch('/api/pipelines/nobody').then((reply) => reply.text()),
    ({ fetch }) => fetch('/api/backfills/1', { method: 'DELETE' }).then((reply) => reply.json()),
    async ({ journal }) =>
      (await journal.entries()).map(({ milliseconds: _, request: __, ...entry }) => entry),
    async ({ journal }) => (await journal.entries({ after: 1 })).map(({ path }) => path),
    async ({ journal }) => (await journal.entries({ operation: 'readPipeline', status: 404 })).length,
    async ({ journal }) => (await journal.har()).log.entries.length,
    ({ journal }) => journal.clear(),
    ({ journal }) => journal.entries(),
  ],
  assumptions: [
    ({ assumptions }) => assumptions.switch({ 'list-count': 'items' }),
    ({ assumptions }) => assumptions.list(),
    ({ assumptions }) => assumptions.switch({ 'list-count': 'many' } as never),
    (mock) => mock.resources(),
  ],
  snapshots: [
    (mock) => mock.snapshot('five'),
    ({ model }) => model.backfills.delete(byId(1)),
    (mock) => mock.snapshot('four'),
    (mock) => mock.snapshots(),
    (mock) => mock.diff('five'),
    (mock) => mock.diff(),
    (mock) => mock.diff('after'),
    (mock) => mock.restore('five'),
    countBackfills,
    (mock) => mock.restore('six'),
    (mock) => mock.reset(),
    (mock) => mock.undo(),
    stored,
  ],
  states: [
    (mock) => mock.import({ pipelines: [{ name: 'only' }], api_keys: ['another'] }),
    stored,
    (mock) => mock.apiKeys,
    (mock) => mock.import({ backfills: [{ pipeline_uuid: 'nobody' }] }),
    (mock) => mock.reset(),
    (mock) => mock.import({ pipelines: [{ name: 'only' }] }, { asStart: true }),
    (mock) => mock.reset(),
    ({ model }) => model.pipelines.all(),
    (mock) => mock.world('later').model.pipelines.all(),
    (mock) => mock.import({}, { as_start: true } as never),
  ],
  scenarios: [
    ({ scenarios }) => scenarios.list(),
    ({ scenarios }) =>
      scenarios.start({
        description: 'Another company, and slow.',
        fixture: () => ({ pipelines: [{ name: 'other' }] }),
        faults: [{ latency: '1s' }],
      }),
    ({ model }) => model.pipelines.all(),
    ({ faults }) => faults.list(),
    (mock) => mock.undo(),
    ({ model }) => model.pipelines.all(),
    (mock) => mock.undo(),
    ({ scenarios }) => scenarios.start('slow'),
  ],
  credentials: [
    (mock) => mock.name,
    (mock) => mock.auth,
    async (mock) => JSON.parse(atob((await mock.rawToken('mira-laptop')).split('.')[1]!)),
    (mock) => mock.rawToken('nobodys'),
    (mock) => mock.signOut(),
    (mock) => mock.signOut(),
    ({ model }) => model.oauth_access_tokens.all(),
  ],
  worlds: [
    async ({ worlds }) => (await worlds.create('mine', { fixture: { pipelines: [{ name: 'one' }] } })).name,
    ({ worlds }) => worlds.create('mine'),
    (mock) => mock.world('yours').model.pipelines.clear(),
    (mock) => mock.world('mine').clock.advance('1d'),
    (mock) => mock.world('mine').export(),
    (mock) => mock.world('yours').model.pipelines.count(),
    (mock) => mock.diff({ world: 'yours' }),
    (mock) => mock.diff({ world: 'nobodys' }),
    ({ model }) => model.pipelines.count(),
    now,
    async ({ worlds }) => (await worlds.list()).map(({ name }) => name),
    ({ worlds }) => worlds.profiles(),
    ({ worlds }) => worlds.faultyVariants(),
    ({ worlds }) => worlds.delete('mine'),
    ({ worlds }) => worlds.delete('mine'),
    ({ worlds }) => worlds.delete('main'),
  ],
}

async function outcomeOf(call: Call, mock: Controls): Promise<unknown> {
  try {
    return await call(mock)
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error
    return { code: error.code, detail: error.detail }
  }
}

it.each(Object.entries(calls))('answers each call like a mock in this process: %s', async (_, each) => {
  const here = createUnderstudy(options) satisfies Understudy
  const { url } = await serveMock(createUnderstudy(options))
  const there = createClient(url, { fetch: admin.fetch }) satisfies RemoteUnderstudy
  onTestFinished(() => there.dispose())
  for (const [index, call] of each.entries()) {
    const expected = await outcomeOf(call, here)
    expect(await outcomeOf(call, there), `${index}: ${call}`).toEqual(expected)
  }
})

/** Members that a client lacks; any other name does not compile. */
const notRemote: Record<Exclude<keyof Understudy, keyof RemoteUnderstudy>, string> = {
  endpoints: 'holds functions',
  dispatch: 'fetch does that',
  attach: 'for adapters',
  ready: 'one that is served is ready',
  close: 'the server does that',
}

it('has every member of the mock that makes sense in another process', () => {
  const client = createClient('http://127.0.0.1:1')
  const missing = Object.keys(createUnderstudy()).filter((name) => !(name in client))

  expect(missing.sort()).toEqual(Object.keys(notRemote).sort())
})

it('calls every route of the admin API but those for manual requests and streams', () => {
  const others = [
    'readHealth',
    'readDocument',
    'readRecord',
    'startScenario',
    'streamJournal',
    'streamChanges',
  ]
  const reached = [...admin.reached, ...others]

  expect(adminRoutes.map(({ id }) => id).filter((id) => !reached.includes(id))).toEqual([])
})
