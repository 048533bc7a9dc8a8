import { type Timestamp, toMilliseconds, toSeconds } from '../../wire/timestamps.ts'
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
  const blocks = model.table('blocks').where('pipeline_uuid', run.pipeline_uuid)
  // Thousands of runs of hundreds of blocks may end at once.
  for (const { uuid } of model.mayMake(blocks.length) ? blocks : []) {
    write(uuid, lineOf(model, run, now, `block ${uuid} of pipeline run ${run.id} ${run.status}`, uuid))
  }
  write(
    null,
    lineOf(model, run, run.created_at, `pipeline run ${run.id} running`) +
      lineOf(model, run, now, `pipeline run ${run.id} ${run.status}`),
  )
}

/** A line of a log file: a sentence, or an object that says it (`log-lines`). */
function lineOf(model: RecordModel, run: StoredRun, at: Timestamp, message: string, block?: string): string {
  if (model.switches['log-lines'] === 'plain') return `${toSeconds(at)} ${message}\n`
  const line = {
    ...(block !== undefined && { block_uuid: block }),
    pipeline_run_id: run.id,
    pipeline_schedule_id: run.pipeline_schedule_id,
    pipeline_uuid: run.pipeline_uuid,
    level: run.status === 'failed' ? 'ERROR' : 'INFO',
    message,
    timestamp: toMilliseconds(at) / 1_000,
  }
  return `${toSeconds(at).replace(' ', 'T')} ${JSON.stringify(line)}\n`
}

/** The folder of a run's logs, from its execution date: `20260131T120000`. */
function partition(run: StoredRun): string {
  return toSeconds(run.execution_date).replaceAll(/[-:]/g, '').replace(' ', 'T')
}
