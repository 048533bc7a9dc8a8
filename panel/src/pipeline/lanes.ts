import type { RecordOf } from '../../../src/resources/records.ts'
import { isUnderWay, type Run, type ScheduleRecord } from '../now/pipeline-facts.ts'
import { momentOf, spanOf, timeOf } from '../store/words.ts'

type PlannedBackfill = RecordOf<'backfills'>

/** A run on its lane: from when to when, and on which line of it. */
export interface Bar {
  readonly run: Run
  readonly from: number
  readonly to: number
  readonly line: number
}

/** A lane of the time line: what its runs come from. */
export interface Lane {
  readonly key: string
  readonly kind: 'schedule' | 'backfill' | 'hand'
  readonly name: string
  readonly sub: string
  /** What triggers it by hand, where that can be. */
  readonly trigger: string | undefined
  readonly runs: readonly Run[]
}

export function startOf(run: Run): number {
  return momentOf(run.created_at) ?? 0
}

export function endOf(run: Run, now: number): number {
  return isUnderWay(run) ? now : (momentOf(run.completed_at) ?? startOf(run))
}

/** The lanes of a pipeline: its schedules, and its backfills. */
export function readLanes(
  schedules: readonly ScheduleRecord[],
  backfills: readonly PlannedBackfill[],
  runs: readonly Run[],
  now: number,
): Lane[] {
  const madeForBackfills = new Set(backfills.map(({ pipeline_schedule_id: id }) => id))
  return [
    ...schedules
      .filter(({ id }) => !madeForBackfills.has(id))
      .map(
        (schedule): Lane => ({
          key: `schedule ${schedule.id}`,
          kind: schedule.schedule_type === 'time' ? 'schedule' : 'hand',
          name: schedule.name,
          sub: wordsOfSchedule(schedule, now),
          trigger: `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${schedule.token}`,
          runs: runs.filter((run) => run.pipeline_schedule_id === schedule.id && run.backfill_id === null),
        }),
      ),
    ...backfills.map((backfill): Lane => {
      const own = runs.filter(({ backfill_id: id }) => id === backfill.id)
      const { length } = own.filter(({ status }) => status === 'completed')
      const state = backfill.status ?? 'not planned'
      return {
        key: `backfill ${backfill.id}`,
        kind: 'backfill',
        name: backfill.name,
        sub:
          own.length === 0
            ? `backfill, ${state}`
            : `backfill, ${state}: ${length} of ${own.length} runs completed`,
        trigger: undefined,
        runs: own,
      }
    }),
  ]
}

function wordsOfSchedule(
  { schedule_type: type, schedule_interval: interval, status, fires_at: at }: ScheduleRecord,
  now: number,
) {
  if (type === 'api') return 'when triggered'
  if (type === 'event') return 'when an event comes'
  if (status !== 'active') return `${interval}, inactive`
  const next = momentOf(at)
  return next === undefined
    ? interval
    : `${interval}; next ${timeOf(next).slice(0, 5)}, in ${spanOf(Math.max(1e3, next - now))}`
}

/** Puts runs that overlap on lines of their own. */
export function placeBars(runs: readonly Run[], now: number, gap: number): Bar[] {
  const ends: number[] = []
  return [...runs]
    .sort((one, other) => startOf(one) - startOf(other) || one.id - other.id)
    .map((run) => {
      const from = startOf(run)
      const to = endOf(run, now)
      const free = ends.findIndex((end) => end + gap <= from)
      const line = free === -1 ? ends.length : free
      ends[line] = to
      return { run, from, to, line }
    })
}

const hour = 3_600_000
export const windows = [
  ['1 h', hour],
  ['6 h', 6 * hour],
  ['1 d', 24 * hour],
  ['3 d', 72 * hour],
  ['14 d', 14 * 24 * hour],
] as const

/** The smallest window up to now that holds five runs, and that which is opened, where a window reaches back to it. */
export function usualWindow(runs: readonly Run[], opened: Run | undefined, now: number): number {
  const holds = (length: number) => runs.filter((run) => endOf(run, now) > now - length)
  const longest = windows[windows.length - 1]![1]
  const isInReach = opened !== undefined && startOf(opened) > now - longest
  const found = windows.find(
    ([, length]) => holds(length).length >= 5 && (!isInReach || startOf(opened) > now - length),
  )
  return found?.[1] ?? longest
}
