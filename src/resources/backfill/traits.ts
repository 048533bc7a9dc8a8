import type { Traits } from '../names.ts'
import { addRuns, addSchedule } from '../pipeline-schedule/traits.ts'
import type { ValuesOf } from '../records.ts'

const hour = { interval_type: 'hour', interval_units: 1 } as const satisfies ValuesOf<'backfills'>
const range = {
  start_datetime: '2026-01-01 00:00:00.000000+00:00',
  end_datetime: '2026-01-02 00:00:00.000000+00:00',
} satisfies ValuesOf<'backfills'>

/** Named sets of values for the factory. */
export const traits = {
  initial: { values: { status: 'initial' } },
  running: { values: { status: 'running' } },
  completed: { values: { status: 'completed' } },
  failed: { values: { status: 'failed' } },
  cancelled: { values: { status: 'cancelled' } },
  /** One day by the hour: 25 planned dates. */
  hourly: { values: { ...range, ...hour } },
  /** One month by the day: 31 planned dates. */
  daily: {
    values: {
      ...range,
      end_datetime: '2026-01-31 00:00:00.000000+00:00',
      interval_type: 'day',
      interval_units: 1,
    },
  },
  /** A schedule with three runs that belong to the backfill. */
  withRuns: {
    after(record, model) {
      const schedule = addSchedule(record.pipeline_uuid, model)
      model.table('backfills').change(record, { pipeline_schedule_id: schedule.id })
      addRuns(schedule, model, { backfill_id: record.id })
    },
  },
} as const satisfies Traits<'backfills'>
