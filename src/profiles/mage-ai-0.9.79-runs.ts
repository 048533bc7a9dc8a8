import type { RecordOf } from '../resources/records.ts'
import { formatTimestamp, toSeconds } from '../shared/timestamps.ts'
import type { DeriveOf } from './define-profile.ts'

/** The moment a run left `initial`; null before that. */
export const startedAt: DeriveOf<'pipeline_runs'> = (run) =>
  JSON.stringify(run.status === 'initial' ? null : formatTimestamp(run.created_at, 'without-offset'))

export const partition = (run: RecordOf<'pipeline_runs'>) =>
  `${run.pipeline_schedule_id}/${formatTimestamp(run.execution_date, 'without-offset').replaceAll(/[-:]/g, '').replace(' ', 'T').replace('.', '_')}`

export const blockRuns: DeriveOf<'pipeline_runs'> = (run, model) =>
  JSON.stringify(
    model
      .table('blocks')
      .where('pipeline_uuid', run.pipeline_uuid)
      .map((block, index) => ({
        id: Number(run.id) * 1_000 + index,
        created_at: toSeconds(run.created_at),
        updated_at: toSeconds(run.updated_at),
        pipeline_run_id: run.id,
        block_uuid: block.uuid,
        status: run.status,
        started_at: run.status === 'initial' ? null : formatTimestamp(run.created_at, 'without-offset'),
        completed_at: run.completed_at === null ? null : formatTimestamp(run.completed_at, 'without-offset'),
        metrics: null,
      })),
  )

export const ofSchedule =
  (attribute: 'name' | 'token' | 'schedule_type'): DeriveOf<'pipeline_runs'> =>
  (run, model) =>
    JSON.stringify(
      model.table('pipeline_schedules').get(String(run.pipeline_schedule_id))?.[attribute] ?? null,
    )

export const countBlocks: DeriveOf<'pipeline_runs'> = (run, model) =>
  String(model.table('blocks').countWhere('pipeline_uuid', run.pipeline_uuid))

/** Counts the runs of a schedule that fit; null where it has none at all. */
export const countRuns =
  (fits: (run: RecordOf<'pipeline_runs'>) => boolean): DeriveOf<'pipeline_schedules'> =>
  ({ id }, model) => {
    const runs = model.table('pipeline_runs').where('pipeline_schedule_id', id)
    return JSON.stringify(runs.length === 0 ? null : runs.filter(fits).length)
  }

/** The triggers of a pipeline, the newest first; there their moments have a T between date and time. */
export const triggers: DeriveOf<'pipelines'> = ({ uuid }, model, present) => {
  const schedules = model.table('pipeline_schedules').where('pipeline_uuid', uuid)
  const shown = schedules.map((schedule) =>
    present('pipeline_schedules', schedule).replaceAll(/(_(?:at|time)":"\d{4}-\d\d-\d\d) /g, '$1T'),
  )
  return `[${shown.reverse().join(',')}]`
}
