import type { UpcomingEvent } from '../../../src/engine/events/event-types.ts'
import type { LastError } from '../../../src/resources/log/controls/last-errors.ts'
import type { RecordOf } from '../../../src/resources/records.ts'
import type { AnyRecord } from '../store/any-table.ts'
import { momentOf } from '../store/words.ts'

export type Run = RecordOf<'pipeline_runs'>
export type ScheduleRecord = RecordOf<'pipeline_schedules'>
type PipelineRecord = RecordOf<'pipelines'>

/** What is known of a pipeline at a glance. */
export interface PipelineFacts {
  readonly uuid: string
  readonly name: string
  readonly type: string
  /** The newest of them, oldest first. */
  readonly runs: readonly Run[]
  readonly underWay: number
  readonly lastEnded: Run | undefined
  /** What happens to it next by itself. */
  readonly next: UpcomingEvent | undefined
  readonly schedules: readonly ScheduleRecord[]
  readonly error: LastError | undefined
  /** Its blocks that have failed, those of the graph first, then that of the last error. */
  readonly failedBlocks: readonly string[]
  /** A script under which its runs fail. */
  readonly failsByScript: boolean
  readonly rank: number
}

/** How long a run took, or has taken so far, in milliseconds. */
export function lengthOfRun(run: Run, now: number): number {
  const start = momentOf(run.created_at) ?? now
  return Math.max(0, (momentOf(run.completed_at) ?? now) - start)
}

export function isUnderWay({ status }: Pick<Run, 'status'>): boolean {
  return status === 'running' || status === 'initial'
}

/** What is known of each pipeline, failing ones first. */
export function readPipelines(
  pipelines: readonly AnyRecord[],
  newest: Readonly<Record<string, readonly AnyRecord[]>>,
  schedules: readonly AnyRecord[],
  upcoming: readonly UpcomingEvent[],
  errors: readonly LastError[],
  failed: Readonly<Record<string, readonly AnyRecord[]>>,
): PipelineFacts[] {
  const schedulesOf = groupBy(schedules as readonly ScheduleRecord[])
  return (pipelines as readonly PipelineRecord[])
    .map(({ uuid, name, type, run_script: script }) => {
      const own = (newest[uuid] ?? []) as readonly Run[]
      const ended = own.filter((run) => !isUnderWay(run) && run.completed_at !== null)
      const lastEnded = ended.reduce<Run | undefined>(
        (last, run) => (last === undefined || run.completed_at! >= last.completed_at! ? run : last),
        undefined,
      )
      const coming = upcoming.filter(({ belongsTo }) => belongsTo.pipeline_uuid === uuid)
      // A failure is what one wants to know of first.
      const next = coming.find(({ kind }) => kind === 'fails') ?? coming[0]
      const underWay = own.filter(isUnderWay).length
      const hasFailed = lastEnded?.status === 'failed'
      const willFail = coming.some(({ kind }) => kind === 'fails')
      const failsByScript = [script, ...(schedulesOf.get(uuid) ?? []).map((each) => each.run_script)].some(
        (each) => (typeof each === 'string' ? each.includes('failed') : each?.ends_as === 'failed'),
      )
      const rank = hasFailed
        ? 0
        : willFail
          ? 1
          : failsByScript
            ? 2
            : underWay > 0
              ? 3
              : next
                ? 4
                : own.length > 0
                  ? 5
                  : 6
      const error = hasFailed || willFail ? errors.find(({ pipeline_uuid: own }) => own === uuid) : undefined
      const inGraph = (failed[uuid] ?? []).map((block) => String(block.uuid))
      const inLog = error === undefined || wordsOfError(error) === undefined ? null : error.block_uuid
      return {
        uuid,
        name,
        type,
        runs: own,
        underWay,
        lastEnded,
        next,
        schedules: schedulesOf.get(uuid) ?? [],
        error,
        failedBlocks: [...new Set([...inGraph, ...(inLog === null ? [] : [inLog])])],
        failsByScript,
        rank,
      }
    })
    .sort((one, other) => one.rank - other.rank)
}

/**
 * What the last line of an error says, without its time and the name of its block, which stand beside it; nothing where
 * it says of every block alike that its run has failed.
 */
export function wordsOfError({ line, block_uuid: block }: LastError): string | undefined {
  const words = line
    .replace(/^(?:\[[\d:]+\]|\d{4}-\d\d-\d\d[T ][\d:.]+)\s*/, '')
    .replace(/^(?:ERROR|CRITICAL|FATAL):?\s+/, '')
  if (words.startsWith('{') || /^(?:block \S+ of )?pipeline run \d+ failed$/.test(words)) return undefined
  return block !== null && words.startsWith(`${block} `) ? words.slice(block.length + 1) : words
}

/** What a pipeline waits for, in words. */
export function waitingOf({ schedules, underWay }: PipelineFacts): string {
  if (underWay > 0) return underWay === 1 ? 'a run is under way' : `${underWay} runs under way`
  if (schedules.length === 0) return 'no schedule'
  const active = schedules.filter(({ status }) => status === 'active')
  if (active.length === 0) return 'schedule inactive'
  if (active.some(({ schedule_type: type }) => type === 'event')) return 'waits for an event'
  return 'waits for a trigger'
}

function groupBy<Kept extends { readonly pipeline_uuid: string }>(
  records: readonly Kept[],
): Map<string, Kept[]> {
  const groups = new Map<string, Kept[]>()
  for (const record of records) {
    const group = groups.get(record.pipeline_uuid)
    if (group === undefined) groups.set(record.pipeline_uuid, [record])
    else group.push(record)
  }
  return groups
}
