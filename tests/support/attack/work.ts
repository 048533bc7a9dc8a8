import { attack, codeOf, differs, type Target } from './target.ts'

const count = async ({ ask }: Target, path: string) =>
  ((await ask('GET', `${path}?_limit=1`)).body as { metadata: { count: number } }).metadata.count

/** Work that one request could cause without end. */
export const workAttacks = [
  attack({
    name: 'work: 100,000 conditionals in one body',
    send: ({ ask }) =>
      ask('POST', '/api/pipelines', {
        pipeline: {
          name: 'a',
          type: 'python',
          conditionals: Array.from({ length: 100_000 }, (_, index) => ({ name: `c${index}` })),
        },
      }),
    holds: (answer) => differs('code', 400, codeOf(answer)),
  }),
  attack({
    name: 'work: an advance of 52 weeks with 30 schedules that fire each minute',
    isLong: true,
    async send(target) {
      const { admin } = target
      const values = Array.from({ length: 30 }, () => ({
        pipeline_uuid: 'archive',
        status: 'active',
        schedule_interval: '* * * * *',
      }))
      await admin('POST', '/worlds/main/factories/pipeline_schedule', { values })
      const before = await count(target, '/api/pipeline_runs')
      const { status } = await admin('POST', '/worlds/main/clock/advance', { duration: '52w' })
      // The moments before and after the advance are settled by themselves.
      const fired = (await count(target, '/api/pipeline_runs')) - before
      return [status, fired >= 20_000 && fired < 20_100]
    },
    holds: (found) => differs('the advance, and whether the runs are bounded', [200, true], found),
  }),
  attack({
    name: 'work: a backfill of 10,000 dates on 300 blocks',
    isLong: true,
    async send(target) {
      const { admin, ask } = target
      const values = Array.from({ length: 300 }, (_, index) => ({
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
      await ask('PUT', '/api/backfills/3', { backfill })
      await admin('POST', '/worlds/main/clock/advance', { duration: '1m' })
      const { body } = await ask('GET', '/api/backfills/3')
      const { body: logs } = await ask('GET', '/api/pipelines/archive/logs?_limit=1')
      const [entry] = (
        logs as { logs: { total_block_run_log_count: number; total_pipeline_run_log_count: number }[] }
      ).logs
      return [
        (body as { backfill: { status: string } }).backfill.status,
        entry!.total_pipeline_run_log_count,
        entry!.total_block_run_log_count <= 100_000,
      ]
    },
    holds: (found) =>
      differs('its end, its runs, and whether their files are bounded', ['completed', 10_000, true], found),
  }),
  attack({
    name: 'work: one snapshot more than a world keeps',
    isLong: true,
    async send({ admin }) {
      const statuses = new Map<number, number>()
      for (let index = 0; index < 1_001; index++) {
        const { status } = await admin('PUT', `/worlds/main/snapshots/s${index}`, {})
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      return [...statuses]
    },
    holds: (found) =>
      differs(
        'kept and refused',
        [
          [204, 1_000],
          [409, 1],
        ],
        found,
      ),
  }),
]
