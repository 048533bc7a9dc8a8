import type { Switches } from '../../assumptions/switches.ts'
import { type Timestamp, toMilliseconds, toSeconds } from '../../shared/timestamps.ts'
import type { RecordModel, StoredRun } from '../records.ts'

/** Attributes of a run that its log files show. */
export type LoggedRun = Pick<
  StoredRun,
  'id' | 'pipeline_uuid' | 'pipeline_schedule_id' | 'execution_date' | 'status' | 'created_at'
>
type Switched = { readonly switches: Pick<Switches, 'log-lines'> }

/** Appends the log files of a run that has ended: one of each block, and one of the pipeline run. */
export function appendRunLogs(model: RecordModel, run: StoredRun, now: Timestamp): void {
  const logs = model.table('logs')
  const blocks = model
    .table('blocks')
    .where('pipeline_uuid', run.pipeline_uuid)
    .map(({ uuid }) => uuid)
  // Thousands of runs of hundreds of blocks may end at once.
  if (model.mayCreate(blocks.length)) {
    for (const block of blocks) logs.insert(logOf(model, run, now, block))
  }
  logs.insert(logOf(model, run, now, null))
}

/** The log file of a block of a run, or of the run itself. */
function logOf(model: Switched, run: LoggedRun, now: Timestamp, block: string | null) {
  return {
    pipeline_uuid: run.pipeline_uuid,
    pipeline_run_id: run.id,
    block_uuid: block,
    path: `/pipelines/${run.pipeline_uuid}/.logs/${run.pipeline_schedule_id}/${partition(run)}/${block ?? 'pipeline'}.log`,
    content:
      block === null
        ? lineOf(model, run, run.created_at, `pipeline run ${run.id} running`) +
          lineOf(model, run, now, `pipeline run ${run.id} ${run.status}`)
        : lineOf(model, run, now, `block ${block} of pipeline run ${run.id} ${run.status}`, block),
    created_at: now,
  }
}

/** A line of a log file: a sentence, or an object that says it (`log-lines`). */
function lineOf(model: Switched, run: LoggedRun, at: Timestamp, message: string, block?: string): string {
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
function partition(run: LoggedRun): string {
  return toSeconds(run.execution_date).replaceAll(/[-:]/g, '').replace(' ', 'T')
}
