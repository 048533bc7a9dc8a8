import type { RecordOf, ScheduledEvent } from '../library.ts'
import { endOf, type Run, type ScheduleRecord, startOf } from '../overview/pipeline-facts.ts'
import { day, hour, parseTimestamp, spanOf, timeOf } from '../store/words.ts'

type PlannedBackfill = RecordOf<'backfills'>

/** A run on its lane: its start, its end, and its line in the lane. */
export interface Bar {
  readonly run: Run
  readonly from: number
  readonly to: number
  readonly line: number
}

export interface Lane {
  readonly key: string
  readonly kind: 'schedule' | 'backfill' | 'manual'
  readonly name: string
  readonly sub: string
  /** The schedule that triggers it, if there is one. */
  readonly schedule: ScheduleRecord | undefined
  readonly runs: readonly Run[]
}

/** Returns a predicate for the events of a run. */
export function isOfRun({ id }: Run): (event: ScheduledEvent) => boolean {
  return ({ plural, key }) => plural === 'pipeline_runs' && key === String(id)
}

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
      .map((schedule): Lane => {
        const { id, name, schedule_type: type } = schedule
        return {
          key: `schedule ${id}`,
          kind: type === 'time' ? 'schedule' : 'manual',
          name,
          sub: scheduleWords(schedule, now),
          schedule,
          runs: runs.filter((run) => run.pipeline_schedule_id === id && run.backfill_id === null),
        }
      }),
    ...backfills.map(({ id, name, status }): Lane => {
      const own = runs.filter((run) => run.backfill_id === id)
      const { length } = own.filter((run) => run.status === 'completed')
      const completed = own.length === 0 ? '' : `: ${length} of ${own.length} runs completed`
      const sub = `backfill, ${status ?? 'not planned'}${completed}`
      return { key: `backfill ${id}`, kind: 'backfill', name, sub, schedule: undefined, runs: own }
    }),
  ]
}

function scheduleWords(schedule: ScheduleRecord, now: number): string {
  const { schedule_type: type, schedule_interval: interval, status, fires_at: at } = schedule
  if (type === 'api') return 'when triggered'
  if (type === 'event') return 'when an event comes'
  if (status !== 'active') return `${interval}, inactive`
  const next = parseTimestamp(at)
  if (next === undefined) return String(interval)
  return `${interval}; next ${timeOf(next).slice(0, 5)}, in ${spanOf(Math.max(1e3, next - now))}`
}

/** Puts overlapping runs on separate lines. */
export function placeBars(runs: readonly Run[], endOf: (run: Run) => number, gap: number): Bar[] {
  const ends: number[] = []
  return runs
    .toSorted((one, other) => startOf(one) - startOf(other) || one.id - other.id)
    .map((run) => {
      const from = startOf(run)
      const to = endOf(run)
      const free = ends.findIndex((end) => end + gap <= from)
      const line = free === -1 ? ends.length : free
      ends[line] = to
      return { run, from, to, line }
    })
}

export const windows = [
  { words: '1 h', length: hour },
  { words: '6 h', length: 6 * hour },
  { words: '1 d', length: day },
  { words: '3 d', length: 3 * day },
  { words: '14 d', length: 14 * day },
]
const longest = 14 * day

/** Returns the shortest window up to now with five runs, and with the opened run if a window is long enough. */
export function usualWindow(runs: readonly Run[], opened: Run | undefined, now: number): number {
  const isInReach = opened !== undefined && startOf(opened) > now - longest
  const found = windows.find(({ length }) => {
    const held = runs.filter((run) => endOf(run, now) > now - length)
    return held.length >= 5 && (!isInReach || startOf(opened) > now - length)
  })
  return found?.length ?? longest
}
