import type { RecordModel, RecordOf } from '../../resources/records.ts'
import { formatTimestamp } from '../../shared/timestamps.ts'
import type { DeriveOf } from '../define-profile.ts'

/** Returns whether a schedule belongs to a backfill: such a schedule has an interval and a start time, and no type. */
function isOfBackfill({ id }: RecordOf<'pipeline_schedules'>, model: RecordModel): boolean {
  return model.table('backfills').where('pipeline_schedule_id', id).length > 0
}

/** Shows no interval for `@once`. */
export const interval: DeriveOf<'pipeline_schedules'> = (schedule, model) => {
  const isUnset = schedule.schedule_interval === '@once' && !isOfBackfill(schedule, model)
  return JSON.stringify(isUnset ? null : schedule.schedule_interval)
}

/** Shows no type for the schedule of a backfill. */
export const type: DeriveOf<'pipeline_schedules'> = (schedule, model) =>
  JSON.stringify(isOfBackfill(schedule, model) ? null : schedule.schedule_type)

/** Shows no start time unless a client has set one. */
export const startTime: DeriveOf<'pipeline_schedules'> = (schedule, model) => {
  const { start_time: start, created_at: created } = schedule
  const isUnset = start === created && !isOfBackfill(schedule, model)
  return JSON.stringify(isUnset ? null : formatTimestamp(start, 'shortest'))
}

/** Shows the creation time of an active schedule. */
export const enabledAt: DeriveOf<'pipeline_schedules'> = (schedule, model) => {
  const isEnabled = schedule.status === 'active' && !isOfBackfill(schedule, model)
  return JSON.stringify(isEnabled ? formatTimestamp(schedule.created_at, 'without-offset') : null)
}
