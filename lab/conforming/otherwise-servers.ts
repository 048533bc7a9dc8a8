import { type BreakableOperation, onBody, reaches } from '../../contract-tests/mutants/changes.ts'
import type { BrokenServer, Json, Passing } from '../../contract-tests/mutants/define-mutant.ts'
import type { LogEntry } from '../mutants/operators/schedules-and-logs.ts'

/** Asks the good server for the whole list, so that the reply can be paged in another way. */
function withoutPages(operation: BreakableOperation): NonNullable<BrokenServer['request']> {
  return (passing) => {
    if (!reaches(operation, passing)) return undefined
    const query = new URLSearchParams(passing.query)
    for (const name of ['_limit', '_offset']) query.delete(name)
    return { path: `${passing.path}?${query}` }
  }
}

function pageOf<Item>(items: readonly Item[], { query }: Passing): Item[] {
  const offset = Number(query.get('_offset') ?? 0)
  return items.slice(offset, offset + Number(query.get('_limit') ?? Number.POSITIVE_INFINITY))
}

/** Renames the key under which a pipeline carries its triggers, which the document does not show. */
function renamed(record: Json): Json {
  const { schedules, ...rest } = record
  return schedules === undefined ? rest : { ...rest, associated_triggers: schedules }
}

/** Servers that keep to the document and choose otherwise than the understudy where it is silent: nothing is broken. */
export const otherwiseServers: readonly Omit<BrokenServer, 'breaks'>[] = [
  {
    name: 'triggers-under-another-key',
    reply: (reply, passing) =>
      onBody('readPipeline', (body) => ({ pipeline: renamed(body.pipeline as Json) }))(reply, passing) ??
      onBody('listPipelines', (body) => ({ ...body, pipelines: (body.pipelines as Json[]).map(renamed) }))(
        reply,
        passing,
      ),
  },
  {
    name: 'backfills-newest-first',
    request: withoutPages('listBackfills'),
    reply: onBody('listBackfills', (body, passing) => {
      const all = [...(body.backfills as Json[])].reverse()
      const backfills = pageOf(all, passing)
      const end = Number(passing.query.get('_offset') ?? 0) + backfills.length
      return { backfills, metadata: { count: all.length, next: end < all.length } }
    }),
  },
  {
    name: 'schedules-in-another-order',
    reply: onBody('listPipelineSchedules', (body) => ({
      ...body,
      pipeline_schedules: [...(body.pipeline_schedules as Json[])].reverse(),
    })),
  },
  {
    name: 'log-limit-over-both-kinds',
    request: withoutPages('listLogs'),
    reply: onBody('listLogs', (body, passing) => {
      const logs = (body.logs as LogEntry[]).map((entry) => {
        const page = pageOf([...entry.pipeline_run_logs, ...entry.block_run_logs], passing)
        const of = (kind: readonly Json[]) => kind.filter((file) => page.includes(file))
        return {
          ...entry,
          pipeline_run_logs: of(entry.pipeline_run_logs),
          block_run_logs: of(entry.block_run_logs),
        }
      })
      return { ...body, logs }
    }),
  },
  {
    name: 'log-times-in-milliseconds',
    request: (passing) => {
      const start = passing.query.get('start_timestamp')
      if (!reaches('listLogs', passing) || start === null) return undefined
      const query = new URLSearchParams(passing.query)
      query.set('start_timestamp', String(Math.floor(Number(start) / 1_000)))
      return { path: `${passing.path}?${query}` }
    },
  },
  {
    name: 'no-entry-without-logs',
    reply: onBody('listLogs', (body) => ({
      ...body,
      logs: (body.logs as LogEntry[]).filter(
        (entry) => entry.block_run_logs.length + entry.pipeline_run_logs.length > 0,
      ),
    })),
  },
]
