import { countPlannedDates } from '../../shared/intervals.ts'
import { count } from '../attributes.ts'
import type { DerivedAttributes } from '../names.ts'

/** Attributes of replies, in the documented order (spec, "Backfill"). */
export const presents = [
  'id', 'name', 'pipeline_uuid', 'pipeline_schedule_id', 'block_uuid', 'start_datetime', 'end_datetime',
  'interval_type', 'interval_units', 'status', 'variables', 'metrics', 'created_at', 'updated_at', 'started_at',
  'completed_at', 'failed_at',
] as const // biome-ignore format: one list

export const derived = {
  total_run_count: { is: count, derive: (record) => String(countPlannedDates(record)) },
} as const satisfies DerivedAttributes<'backfills'>
