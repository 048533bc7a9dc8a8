import { type Timestamp, toSeconds } from '../../wire/timestamps.ts'
import type { RecordModel, StoredRun } from '../records.ts'

/** Appends the log files of a run that has ended: one of each block, and one of the pipeline run. */
export function appendRunLogs(model: RecordModel, run: StoredRun, now: Timestamp): void {
  const write = (block: string | null, content: string) =>
    model.table('logs').insert({
      pipeline_uuid: run.pipeline_uuid,
      pipeline_run_id: run.id,
      block_uuid: block,
      path: `/pipelines/${run.pipeline_uuid}/.logs/${run.pipeline_schedule_id}/${partition(run)}/${block ?? 'pipeline'}.log`,
      content,
      created_at: now,
    })
  for (const { uuid } of model.table('blocks').where('pipeline_uuid', run.pipeline_uuid)) {
    write(uuid, `${toSeconds(now)} block ${uuid} of pipeline run ${run.id} ${run.status}\n`)
  }
  write(
    null,
    `${toSeconds(run.created_at)} pipeline run ${run.id} running\n` +
      `${toSeconds(now)} pipeline run ${run.id} ${run.status}\n`,
  )
}

/** The folder of a run's logs, from its execution date: `20260131T120000`. */
function partition(run: StoredRun): string {
  return toSeconds(run.execution_date).replaceAll(/[-:]/g, '').replace(' ', 'T')
}
