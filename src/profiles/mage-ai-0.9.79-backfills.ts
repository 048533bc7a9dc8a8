import type { RecordOf } from '../resources/records.ts'
import { recordInvalid } from '../shared/errors.ts'
import { countPlannedDates } from '../shared/intervals.ts'
import type { DeriveOf, RequestedAction, RequestedAttributes } from './define-profile.ts'

type BackfillRecord = RecordOf<'backfills'>

/** Tells whether a backfill has all that its dates are counted from. */
function isPlanned(backfill: BackfillRecord): boolean {
  const { start_datetime: start, end_datetime: end, interval_type: type, interval_units: units } = backfill
  return [start, end, type, units].every((value) => value !== null)
}

/** How many dates it has, where they are known; a custom interval is counted in seconds. */
export const countDates: DeriveOf<'backfills'> = (backfill) => {
  if (!isPlanned(backfill)) return undefined
  const { interval_type: type } = backfill
  return String(countPlannedDates(type === 'custom' ? { ...backfill, interval_type: 'second' } : backfill))
}

/** How many runs it has of each status, where its dates are known. */
export const countStatuses: DeriveOf<'backfills'> = (backfill, model) => {
  if (!isPlanned(backfill)) return undefined
  const counts: Record<string, number> = {}
  for (const { status } of model.table('pipeline_runs').where('backfill_id', backfill.id))
    counts[status] = (counts[status] ?? 0) + 1
  return JSON.stringify(counts)
}

/** A status that starts or cancels is all that is taken; any other is not taken at all, nor is null for anything. */
export function takeUpdate(
  { status, ...others }: RequestedAttributes<'backfills'>,
  { record, model }: RequestedAction<'backfills'>,
): RequestedAttributes<'backfills'> {
  const moves = (status === 'initial' || status === 'cancelled') && status !== record?.status
  if (!moves) return Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null))
  // What lacks something is refused, and has no schedule.
  if (status === 'cancelled' || record === undefined || !isPlanned(record)) return { status }
  return {
    status,
    started_at: model.now(),
    pipeline_schedule_id: record.pipeline_schedule_id ?? schedule(record, model),
  }
}

/** The schedule of a backfill, which is there as soon as it is started. */
function schedule(
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

/** What stops it when it counts the dates of a backfill that lacks something. */
export function refuseStart({ attributes, record }: RequestedAction<'backfills'>) {
  if (attributes.status !== 'initial' || !record || isPlanned(record)) return undefined
  const { start_datetime: start, end_datetime: end, interval_type: type } = record
  const kindOf = (moment: unknown) => (moment === null ? 'NoneType' : 'datetime.datetime')
  if (start === null || end === null)
    return recordInvalid(`'<=' not supported between instances of '${kindOf(start)}' and '${kindOf(end)}'`)
  return recordInvalid(
    type === null
      ? "'NoneType' object has no attribute 'value'"
      : `unsupported type for timedelta ${type}s component: NoneType`,
  )
}

/** A backfill that was never started has no schedule to stop: it is cancelled all the same. */
export function failCancel({ attributes, record }: RequestedAction<'backfills'>) {
  return attributes.status === 'cancelled' && record?.status === null
    ? recordInvalid("'NoneType' object has no attribute 'update'")
    : undefined
}
