import type { RecordOf } from '../../resources/records.ts'
import { recordInvalid } from '../../shared/errors.ts'
import { countPlannedDates } from '../../shared/intervals.ts'
import type { DeriveOf, RequestedAction, RequestedAttributes } from '../define-profile.ts'

type BackfillRecord = RecordOf<'backfills'>

/** Returns whether a backfill has both dates and an interval. */
function isPlanned(backfill: BackfillRecord): boolean {
  const { start_datetime: start, end_datetime: end, interval_type: type, interval_units: units } = backfill
  return [start, end, type, units].every((value) => value !== null)
}

/** Counts the dates of a planned backfill; a custom interval is in seconds. */
export const countDates: DeriveOf<'backfills'> = (backfill) => {
  if (!isPlanned(backfill)) return undefined
  const { interval_type: type } = backfill
  return String(countPlannedDates(type === 'custom' ? { ...backfill, interval_type: 'second' } : backfill))
}

/** Counts the runs of a planned backfill by status. */
export const countStatuses: DeriveOf<'backfills'> = (backfill, model) => {
  if (!isPlanned(backfill)) return undefined
  const counts: Record<string, number> = {}
  for (const { status } of model.table('pipeline_runs').where('backfill_id', backfill.id))
    counts[status] = (counts[status] ?? 0) + 1
  return JSON.stringify(counts)
}

/**
 * Reads the written attributes: a status that starts or cancels replaces all others. Ignores any other status, and
 * `null` for any attribute.
 */
export function narrowUpdate(
  { status, ...others }: RequestedAttributes<'backfills'>,
  { record, model }: RequestedAction<'backfills'>,
): RequestedAttributes<'backfills'> {
  const startsOrCancels = (status === 'initial' || status === 'cancelled') && status !== record?.status
  if (!startsOrCancels)
    return Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null))
  // The server rejects an unplanned backfill and creates no schedule.
  if (status === 'cancelled' || record === undefined || !isPlanned(record)) return { status }
  return {
    status,
    started_at: model.now(),
    pipeline_schedule_id: record.pipeline_schedule_id ?? createSchedule(record, model),
  }
}

/** Creates the schedule of a backfill, which exists as soon as the backfill starts. */
function createSchedule(
  { name, pipeline_uuid }: BackfillRecord,
  model: RequestedAction<'backfills'>['model'],
): number {
  return model.table('pipeline_schedules').insert({
    name: `Backfill ${name}`,
    pipeline_uuid,
    schedule_type: 'time',
    schedule_interval: '@once',
    status: 'active',
    created_at: model.now(),
  }).id
}

/** Rejects the start of an unplanned backfill with the Python error that counting its dates raises. */
export function refuseStart({ attributes, record }: RequestedAction<'backfills'>) {
  if (attributes.status !== 'initial' || !record || isPlanned(record)) return undefined
  const { start_datetime: start, end_datetime: end, interval_type: type } = record
  const kindOf = (time: unknown) => (time === null ? 'NoneType' : 'datetime.datetime')
  if (start === null || end === null)
    return recordInvalid(`'<=' not supported between instances of '${kindOf(start)}' and '${kindOf(end)}'`)
  return recordInvalid(
    type === null
      ? "'NoneType' object has no attribute 'value'"
      : `unsupported type for timedelta ${type}s component: NoneType`,
  )
}

/** Reports an error for cancelling a backfill that has no schedule yet; the action cancels it all the same. */
export function failCancel({ attributes, record }: RequestedAction<'backfills'>) {
  return attributes.status === 'cancelled' && record?.status === null
    ? recordInvalid("'NoneType' object has no attribute 'update'")
    : undefined
}
