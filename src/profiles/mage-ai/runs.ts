import type { RecordOf } from '../../resources/records.ts'
import { formatTimestamp, toSeconds } from '../../shared/timestamps.ts'
import type { DeriveOf } from '../define-profile.ts'

/** Shows the creation of a run as its start. */
export const startedAt: DeriveOf<'pipeline_runs'> = (run) => JSON.stringify(startOf(run))

function startOf({ status, created_at: created }: RecordOf<'pipeline_runs'>): string | null {
  return status === 'initial' ? null : formatTimestamp(created, 'without-offset')
}

/** Returns the partition that a run writes to: its schedule and its execution date. */
export function partition(run: RecordOf<'pipeline_runs'>): string {
  const date = formatTimestamp(run.execution_date, 'without-offset')
  const compact = date.replaceAll(/[-:]/g, '').replace(' ', 'T').replace('.', '_')
  return `${run.pipeline_schedule_id}/${compact}`
}

/** Lists a run for each block of the pipeline. */
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
        started_at: startOf(run),
        completed_at: run.completed_at === null ? null : formatTimestamp(run.completed_at, 'without-offset'),
        metrics: null,
      })),
  )

/** Shows an attribute of the schedule of a run. */
export const ofSchedule =
  (attribute: 'name' | 'token' | 'schedule_type'): DeriveOf<'pipeline_runs'> =>
  (run, model) =>
    JSON.stringify(
      model.table('pipeline_schedules').get(String(run.pipeline_schedule_id))?.[attribute] ?? null,
    )

export const countBlocks: DeriveOf<'pipeline_runs'> = (run, model) =>
  String(model.table('blocks').countWhere('pipeline_uuid', run.pipeline_uuid))

/** Counts the matching runs of a schedule; `null` if it has no runs. */
export const countRuns =
  (matches: (run: RecordOf<'pipeline_runs'>) => boolean): DeriveOf<'pipeline_schedules'> =>
  ({ id }, model) => {
    const runs = model.table('pipeline_runs').where('pipeline_schedule_id', id)
    return JSON.stringify(runs.length === 0 ? null : runs.filter(matches).length)
  }

/** Lists the schedules of a pipeline, newest first; their timestamps have a T between date and time here. */
export const triggers: DeriveOf<'pipelines'> = ({ uuid }, model, present) => {
  const schedules = model.table('pipeline_schedules').where('pipeline_uuid', uuid)
  const shown = schedules.map((schedule) =>
    present('pipeline_schedules', schedule).replaceAll(/(_(?:at|time)":"\d{4}-\d\d-\d\d) /g, '$1T'),
  )
  return `[${shown.reverse().join(',')}]`
}
