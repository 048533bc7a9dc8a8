import { attack, codeOf, differs, importBackfills, listOf, type Target } from './target.ts'

const count = async ({ call }: Target, path: string) =>
  (
    (await call('GET', `${path}${path.includes('?') ? '&' : '?'}_limit=1`)).body as {
      metadata: { count: number }
    }
  ).metadata.count

/** Requests that could cause unbounded work. */
export const workAttacks = [
  attack({
    name: 'work: an advance of 52 weeks with 30 schedules that fire each minute',
    isLong: true,
    async send(target) {
      const { admin } = target
      const values = listOf(30, () => ({
        pipeline_uuid: 'archive',
        status: 'active',
        schedule_interval: '* * * * *',
      }))
      await admin('POST', '/worlds/main/factories/pipeline_schedule', { values })
      const before = await count(target, '/api/pipeline_runs')
      const { status } = await admin('POST', '/worlds/main/clock/advance', { duration: '52w' })
      // Events due before and after the advance apply separately.
      const fired = (await count(target, '/api/pipeline_runs')) - before
      return [status, fired >= 2_000 && fired < 2_100]
    },
    problemOf: (found) => differs('the advance, and whether the runs are bounded', [200, true], found),
  }),
  attack({
    name: 'work: a backfill of 10,000 dates on 300 blocks',
    isLong: true,
    async send(target) {
      const { admin, call } = target
      const values = listOf(300, (index) => ({
        pipeline_uuid: 'archive',
        name: `b${index}`,
        type: 'custom',
        priority: index,
      }))
      await admin('POST', '/worlds/main/factories/block', { values })
      const backfill = {
        start_datetime: '2026-01-01 00:00:00',
        end_datetime: '2026-01-07 22:39:00',
        interval_type: 'minute',
        interval_units: 1,
        status: 'initial',
      }
      await call('PUT', '/api/backfills/3', { backfill })
      await admin('POST', '/worlds/main/clock/advance', { duration: '1m' })
      const { body } = await call('GET', '/api/backfills/3')
      const { body: logs } = await call('GET', '/api/pipelines/archive/logs?_limit=1')
      const [entry] = (
        logs as { logs: { total_block_run_log_count: number; total_pipeline_run_log_count: number }[] }
      ).logs
      return [
        (body as { backfill: { status: string } }).backfill.status,
        entry!.total_pipeline_run_log_count,
        entry!.total_block_run_log_count,
      ]
    },
    problemOf: (found) =>
      differs('its end, its runs, and the files of their blocks', ['completed', 1_000, 9_000], found),
  }),
  attack({
    name: 'work: a list of backfills that is longer than a text can be, and a page of it',
    isLong: true,
    setting: { maxMemory: 2 ** 31 },
    async send({ call }) {
      const codes = new Set<number>()
      const variables = { text: 'x'.repeat(9_500_000) }
      for (let count = 0; count < 60; count++) {
        const path = '/api/pipelines/archive/backfills'
        codes.add(codeOf(await call('POST', path, { backfill: { name: `b ${count}`, variables } })))
      }
      const list = await call('GET', '/api/backfills')
      return [[...codes], codeOf(list), list.status, codeOf(await call('GET', '/api/backfills?_limit=3'))]
    },
    problemOf: (found) => differs('writes, the list, its HTTP status, a page', [[200], 413, 200, 200], found),
  }),
  attack({
    name: 'work: more records than the memory has room for, of several worlds',
    setting: { maxMemory: 2 ** 24 },
    async send({ call }) {
      const variables = { text: 'x'.repeat(1_000_000) }
      const worldOf = (index: number) => ({ 'x-understudy-world': `w${index % 3}` })
      const [path, backfill] = ['/api/pipelines/archive/backfills', { name: 'b', variables }]
      const codes: number[] = []
      for (let index = 0; index < 12; index++)
        codes.push(codeOf(await call('POST', path, { backfill }, worldOf(index))))
      const read = codeOf(await call('GET', '/api/backfills?_limit=1', undefined, worldOf(0)))
      const reset = (await call('POST', '/__understudy__/api/worlds/w0/reset', {})).status
      return [codes, read, reset, codeOf(await call('POST', path, { backfill }, worldOf(1)))]
    },
    problemOf: (found) =>
      differs(
        'writes, a read, a reset, a write',
        [[...listOf(9, () => 200), 413, 413, 413], 200, 204, 200],
        found,
      ),
  }),
  attack({
    name: 'work: a list of 2,000 runs that each show 300 blocks, where a profile shows them',
    isCostly: true,
    setting: { profile: 'mage-ai-0.9.79' },
    async send({ admin, call }) {
      await admin('PUT', '/worlds/main/state', {
        pipelines: [{ name: 'a', blocks: listOf(300, (index) => ({ name: `b${index}` })) }],
        pipeline_schedules: [{ pipeline_uuid: 'a' }],
        pipeline_runs: listOf(2_000, () => ({
          pipeline_uuid: 'a',
          pipeline_schedule_id: 1,
          status: 'completed',
        })),
      })
      const list = await call('GET', '/api/pipeline_runs')
      const page = await call('GET', '/api/pipeline_runs?_limit=2')
      return [codeOf(list), codeOf(page)]
    },
    problemOf: (found) => differs('codes of the list and of a page', [413, 200], found),
  }),
  attack({
    name: 'work: ten thousand runs of three hundred blocks, cancelled by one request',
    isLong: true,
    async send(target) {
      const { admin, call } = target
      const blocks = listOf(300, (index) => ({ name: `b${index}` }))
      const runs = listOf(10_000, () => ({
        pipeline_uuid: 'a',
        pipeline_schedule_id: 1,
        backfill_id: 1,
        status: 'running',
      }))
      await admin('PUT', '/worlds/main/state', {
        pipelines: [{ name: 'a', blocks }],
        pipeline_schedules: [{ pipeline_uuid: 'a' }],
        backfills: [{ pipeline_uuid: 'a', status: 'running' }],
        pipeline_runs: runs,
      })
      const answer = await call('PUT', '/api/backfills/1', { backfill: { status: 'cancelled' } })
      const { body: logs } = await call('GET', '/api/pipelines/a/logs?_limit=1')
      const [entry] = (logs as { logs: { total_block_run_log_count: number }[] }).logs
      return [
        codeOf(answer),
        await count(target, '/api/pipeline_runs?status=cancelled'),
        entry!.total_block_run_log_count,
      ]
    },
    problemOf: (found) => differs('code, runs, and the files of their blocks', [200, 10_000, 9_900], found),
  }),
  attack({
    name: 'work: a pipeline of as many blocks as there may be, all below one, and others wherever they come from',
    isCostly: true,
    async send({ call, admin }) {
      const blocksOf = (count: number) =>
        listOf(count, (index) => ({
          name: `b${index}`,
          upstream_blocks: index === 0 ? [] : ['b0'],
        }))
      const put = async (count: number) =>
        (await admin('PUT', '/worlds/main/state', { pipelines: [{ name: 'a', blocks: blocksOf(count) }] }))
          .status
      const refused = await put(2_001)
      const found = [refused, await put(2_000)]
      const block = { name: 'first', type: 'custom', priority: 0 }
      const conditionals = [{ name: 'more' }]
      const copy = { name: 'copy', type: 'python', clone_pipeline_uuid: 'a' }
      for (const [method, path, body] of [
        ['POST', '/api/pipelines/a/blocks', { block }],
        ['POST', '/api/pipelines', { pipeline: { ...copy, conditionals } }],
        ['POST', '/api/pipelines', { pipeline: copy }],
        ['DELETE', '/api/pipelines/a/blocks/b0?force=True', undefined],
        ['POST', '/api/pipelines/a/blocks', { block: { ...block, pipelines: ['copy'] } }],
        ['POST', '/api/pipelines/a/blocks', { block }],
        ['GET', '/api/pipelines/a', undefined],
      ] as const)
        found.push(codeOf(await call(method, path, body)))
      found.push(
        (await admin('POST', '/worlds/main/factories/block', { values: { pipeline_uuid: 'a' } })).status,
      )
      return found
    },
    problemOf: (found) =>
      differs('statuses and codes', [422, 204, 400, 400, 200, 200, 400, 200, 200, 422], found),
  }),
  attack({
    name: 'work: 60,000 backfills imported, listed, exported, and their pipeline deleted',
    isLong: true,
    async send(target) {
      const { admin, call } = target
      const put = await importBackfills(target, 60_000)
      const list = await call('GET', '/api/backfills')
      const state = await admin('GET', '/worlds/main/state')
      const gone = await call('DELETE', '/api/pipelines/a')
      const { length } = (state.body as { backfills: object[] }).backfills
      return [put.status, codeOf(list), length, codeOf(gone), await count(target, '/api/backfills')]
    },
    problemOf: (found) => differs('what came of each', [204, 413, 60_000, 400, 60_000], found),
  }),
]
