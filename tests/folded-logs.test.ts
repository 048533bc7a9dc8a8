import { beforeEach, expect, it } from 'vitest'
import { foldRecords } from '../src/engine/fold-records.ts'
import { tableKinds } from '../src/factories/model.ts'
import { createUnderstudy, type Understudy, type UnderstudyOptions } from '../src/index.ts'
import { MemoryStorage } from './support/memory-storage.ts'

const fixture = {
  clock: '2026-01-01T00:00:00Z',
  pipelines: [
    { name: 'wide', blocks: [{ name: 'load' }, { name: 'clean' }, { name: 'save' }] },
    { name: 'narrow', blocks: [{ name: 'only' }] },
  ],
  pipeline_schedules: [
    { pipeline_uuid: 'wide', token: 'go' },
    { pipeline_uuid: 'narrow', token: 'go' },
  ],
  logs: [{ id: 7, pipeline_uuid: 'wide', block_uuid: 'load', content: 'by hand\n' }],
}

beforeEach(() => {
  foldRecords()
})

/** What a page has: every log file is a record of its own. */
function createUnfolded(options: UnderstudyOptions = {}): Understudy {
  delete tableKinds.logs
  const understudy = createUnderstudy({ fixture, ...options })
  foldRecords()
  return understudy
}

const ask = async (understudy: Understudy, method: string, url: string, body?: object) =>
  (await understudy.dispatch({ method, url, body }))?.body

/** Runs both pipelines to their ends, in several ways. */
async function runAll(understudy: Understudy): Promise<Understudy> {
  const start = (schedule: number) =>
    ask(understudy, 'POST', `/api/pipeline_schedules/${schedule}/pipeline_runs/go`, {})
  await start(1)
  await start(2)
  await start(1)
  understudy.clock.advance('1h')
  understudy.assumptions.switch({ 'log-lines': 'json' })
  await start(1)
  understudy.runs.finish(4, 'failed')
  return understudy
}

const pages = [
  '',
  '?_limit=2',
  '?_limit=4&_offset=3',
  '?_offset=8',
  '?_limit=0',
  '?start_timestamp=1767229200',
]

/** All that can be seen of the logs. */
async function look(understudy: Understudy) {
  const { logs } = understudy.model
  return {
    lists: await Promise.all(pages.map((page) => ask(understudy, 'GET', `/api/pipelines/wide/logs${page}`))),
    records: JSON.stringify(logs.all()),
    state: JSON.stringify(understudy.export()),
    count: [logs.count(), logs.count({ pipeline_run_id: 3 }), logs.countBy('pipeline_run_id')],
    found: logs.findMany((q) => q.where({ block_uuid: 'clean' }), { take: -2 }),
    newest: await logs.page({ limit: 3, offset: 1, reverse: true }),
    ofRun: await logs.page({ where: { pipeline_run_id: 3 }, search: 'save' }),
    errors: await understudy.logs.lastErrors(),
    journal: understudy.journal.entries().map(({ changes, omittedChanges, followed }) => ({
      changes,
      omittedChanges,
      followed,
    })),
  }
}

it('shows the log files of a run that are kept as one as a page does that keeps each', async () => {
  const [folded, unfolded] = [await runAll(createUnderstudy({ fixture })), await runAll(createUnfolded())]

  expect(await look(folded)).toEqual(await look(unfolded))
  const [all] = JSON.parse((await ask(folded, 'GET', '/api/pipelines/wide/logs'))!).logs
  expect(all).toMatchObject({ total_block_run_log_count: 10, total_pipeline_run_log_count: 3 })
  expect(all.block_run_logs.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    ...Array(3).fill('clean.log'),
    ...Array(4).fill('load.log'),
    ...Array(3).fill('save.log'),
  ])
})

it.each<[string, (understudy: Understudy) => Promise<unknown>]>([
  [
    'one is changed',
    ({ model }) =>
      model.logs.update((q) => q.where({ id: 9 }), {
        data: (log) => void Object.assign(log, { content: 'other' }),
      }),
  ],
  ['one is deleted', async ({ model }) => model.logs.delete((q) => q.where({ id: 10 }))],
  ['the first of them is deleted', async ({ model }) => model.logs.delete((q) => q.where({ id: 8 }))],
  [
    'one is to have the id of another',
    ({ model }) => model.logs.create({ id: 9, pipeline_uuid: 'wide' }).catch(() => 0),
  ],
  [
    'its pipeline is renamed',
    async (understudy) => {
      understudy.assumptions.switch({ 'pipeline-rename': 'uuid follows' })
      await ask(understudy, 'PUT', '/api/pipelines/wide', { pipeline: { name: 'moved' } })
      await ask(understudy, 'PUT', '/api/pipelines/moved', { pipeline: { name: 'wide' } })
    },
  ],
  ['a run is deleted', async ({ model }) => model.pipeline_runs.delete((q) => q.where({ id: 3 }))],
  [
    'a block is deleted',
    async (understudy) => {
      await ask(understudy, 'DELETE', '/api/pipelines/wide/blocks/save')
      await ask(understudy, 'POST', '/api/pipeline_schedules/1/pipeline_runs/go', {})
      understudy.clock.advance('1h')
    },
  ],
  [
    'it is told what the deletion of the pipeline takes',
    async ({ model }) => model.pipelines.deletion((q) => q.where({ uuid: 'wide' })),
  ],
  [
    'a snapshot is restored',
    async (understudy) => {
      understudy.snapshot('before')
      understudy.model.logs.delete((q) => q.where({ id: 9 }))
      understudy.restore('before')
      understudy.model.logs.delete((q) => q.where({ id: 12 }))
    },
  ],
  [
    'a read lags behind',
    async (understudy) => {
      understudy.faults.add({ operation: 'listLogs', times: 1, stale: '10s' })
      understudy.model.logs.delete((q) => q.where({ id: 9 }))
      understudy.clock.advance('20s')
      return ask(understudy, 'GET', '/api/pipelines/wide/logs')
    },
  ],
])('is the same as a page’s when %s', async (_, act) => {
  const [folded, unfolded] = [await runAll(createUnderstudy({ fixture })), await runAll(createUnfolded())]
  const acts = [await act(folded), await act(unfolded)]

  expect(acts[0]).toEqual(acts[1])
  expect(await look(folded)).toEqual(await look(unfolded))
})

it('keeps in a state what it keeps as one, and refuses what is none', async () => {
  const storage = new MemoryStorage()
  const first = createUnderstudy({ fixture, storage })
  await first.ready
  await runAll(first)
  const before = await look(first)
  await first.close()
  const second = createUnderstudy({ fixture, storage })
  await second.ready

  expect({ ...(await look(second)), journal: [] }).toEqual({ ...before, journal: [] })
  await second.close()
  expect(() =>
    createUnderstudy({ fixture: { ...fixture, logs: [{ id: 7, folded: { blocks: ['a', 'b'] } }] } as never }),
  ).toThrow('$.logs[0].folded: expected what several of a log have in common; found something else')
})

it('gives lists that can be compared and sorted', async () => {
  const { logs } = (await runAll(createUnderstudy({ fixture }))).model
  const sorted = logs.all().sort((one, other) => other.id - one.id)

  expect(logs.all()).toEqual([...logs.all()])
  expect(sorted.map(({ id }) => id)).toEqual([...logs.all().map(({ id }) => id)].reverse())
})

it('finds by each attribute what stands by itself there, too', async () => {
  const [folded, unfolded] = [createUnderstudy({ fixture }), createUnfolded()]
  for (const understudy of [folded, unfolded]) await runAll(understudy)
  const found = ({ model: { logs } }: Understudy) => [
    logs.where('block_uuid', 'clean'),
    logs.where('block_uuid', null),
    logs.where('name', 'save.log'),
    logs.where('id', 9),
    logs.where('pipeline_run_id', 2),
    logs.where('pipeline_uuid', 'wide'),
  ]

  expect(found(folded).map(({ length }) => length)).toEqual([3, 4, 3, 1, 2, 13])
  expect(found(folded)).toEqual(found(unfolded))
})
