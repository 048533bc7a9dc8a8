import { nextTime } from '../../shared/schedule-times.ts'
import { latestTime, type Timestamp, toMilliseconds, toTimestamp } from '../../shared/timestamps.ts'
import type { ChangesOf, RecordModel, RecordOf, ValuesOf } from '../records.ts'
import type { PlanContext } from '../resource.ts'

type Schedule = RecordOf<'pipeline_schedules'>

/** Minimum interval of `@always_on`. Without it, a step of the clock would never end if runs take no time. */
const shortestPause = 1_000

const decisive = ['status', 'schedule_type', 'schedule_interval', 'start_time'] as const

/** Plans the first time of a schedule, if the schedule or an attribute that determines the time is new. */
export function planFiring(
  next: Schedule,
  previous: Schedule | undefined,
  context: PlanContext,
): ChangesOf<'pipeline_schedules'> | undefined {
  const isPlanned =
    previous === undefined
      ? next.fires_at !== undefined
      : decisive.every((attribute) => next[attribute] === previous[attribute])
  return isPlanned ? undefined : { fires_at: firstFiring(next, toMilliseconds(context.now())) }
}

/** Returns the first time of a schedule: not before its start, and not before its activation. */
function firstFiring(schedule: Schedule, now: number): Timestamp | null {
  if (!isArmed(schedule)) return null
  const start = toMilliseconds(schedule.start_time)
  const from = Math.max(start, now)
  if (schedule.schedule_interval === '@once') return start > lastFiring(schedule) ? toDueTime(from) : null
  if (isAlwaysOn(schedule)) return toDueTime(Math.max(from, lastFiring(schedule) + shortestPause))
  return timeAfter(schedule, Math.max(start >= now ? start - 1 : now, lastFiring(schedule)))
}

/** Returns the next time of the interval or cron line of a schedule. */
export function timeAfter(schedule: Schedule, after: number): Timestamp | null {
  return toDueTime(nextTime(schedule.schedule_interval, after))
}

/** Returns the time at which a schedule continues after it fired too often at once. */
export function resumeAfter(schedule: Schedule, until: Timestamp): Timestamp | null {
  const after = toMilliseconds(until)
  return isAlwaysOn(schedule) ? toDueTime(after + 1) : timeAfter(schedule, after)
}

/** Lets an `@always_on` schedule fire again after the end or deletion of its run. */
export function wakeSchedule(model: RecordModel, run: RecordOf<'pipeline_runs'>, now: Timestamp): void {
  const schedules = model.table('pipeline_schedules')
  const schedule = schedules.get(String(run.pipeline_schedule_id))
  if (schedule === undefined || schedule.fires_at !== null || !isAlwaysOn(schedule)) return
  const earliest = lastFiring(schedule) + shortestPause
  schedules.change(schedule, { fires_at: toDueTime(Math.max(toMilliseconds(now), earliest)) })
}

/**
 * Adds the past firing that a fixture implies: an active `@once` schedule fired if its start is in the past.
 */
export function implyFiring(
  values: ValuesOf<'pipeline_schedules'>,
  now: Timestamp,
): ValuesOf<'pipeline_schedules'> {
  const { status, schedule_type: type = 'time', schedule_interval: interval = '@once' } = values
  const start = values.start_time ?? values.created_at ?? now
  const isOnce = status === 'active' && type === 'time' && interval === '@once'
  if (!isOnce || values.fires_at !== undefined || start > now) return values
  return { fired_at: start, ...values }
}

/** Reports whether a schedule fires at all. */
export function isArmed({ status, schedule_type: type }: Schedule): boolean {
  return status === 'active' && type === 'time'
}

/** Reports whether a schedule fires each time its run ends. */
export function isAlwaysOn(schedule: Schedule): boolean {
  return schedule.schedule_interval === '@always_on' && isArmed(schedule)
}

function lastFiring({ fired_at: at }: Schedule): number {
  return at === null ? Number.NEGATIVE_INFINITY : toMilliseconds(at)
}

function toDueTime(milliseconds: number | undefined): Timestamp | null {
  return milliseconds === undefined || milliseconds > latestTime ? null : toTimestamp(milliseconds)
}
