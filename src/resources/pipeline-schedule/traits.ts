import type { Traits } from '../names.ts'
import type { RecordModel, RecordOf, ValuesOf } from '../records.ts'

/** Named sets of values for the factory. */
export const traits = {
  active: { values: { status: 'active' } },
  hourly: { values: { schedule_interval: '@hourly' } },
  daily: { values: { schedule_interval: '@daily' } },
  api: { values: { schedule_type: 'api' } },
  event: { values: { schedule_type: 'event' } },
  withRuns: { after: addRuns },
} as const satisfies Traits<'pipeline_schedules'>

/** Adds a schedule to a pipeline. */
export function addSchedule(pipelineUuid: string, model: RecordModel): RecordOf<'pipeline_schedules'> {
  return model.table('pipeline_schedules').insert({ pipeline_uuid: pipelineUuid })
}

/** Adds three runs of a schedule: completed, failed, completed. */
export function addRuns(
  schedule: RecordOf<'pipeline_schedules'>,
  model: RecordModel,
  values: ValuesOf<'pipeline_runs'> = {},
): void {
  for (const status of ['completed', 'failed', 'completed'] as const) {
    model.table('pipeline_runs').insert({
      pipeline_schedule_id: schedule.id,
      pipeline_uuid: schedule.pipeline_uuid,
      status,
      completed_at: model.now(),
      ...values,
    })
  }
}
