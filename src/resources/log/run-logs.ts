import { type Timestamp, toMilliseconds, toSeconds } from '../../shared/timestamps.ts'
import type { RecordModel, RecordOf, StoredRun } from '../records.ts'

/** Appends the log files of a run that has ended: one of each block, and one of the pipeline run. */
export function appendRunLogs(model: RecordModel, run: StoredRun, now: Timestamp): void {
  const logs = model.table('logs')
  const blocks = model.table('blocks').where('pipeline_uuid', run.pipeline_uuid)
  // Thousands of runs of hundreds of blocks may end at once.
  if (model.mayCreate(blocks.length)) {
    const states = run.status === 'failed' ? statesInFailedRun(blocks) : new Map<string, BlockState>()
    for (const { uuid } of blocks) logs.insert(logOf(model, run, now, uuid, states.get(uuid)))
  }
  logs.insert(logOf(model, run, now, null))
}

/** The state of a block after a run that failed. */
type BlockState = 'completed' | 'failed' | 'skipped'

/** Returns the states of the blocks in a failed run: one fails, and its dependents do not run. */
function statesInFailedRun(blocks: readonly RecordOf<'blocks'>[]): Map<string, BlockState> {
  // A note does not run.
  const last = blocks.findLast(({ type }) => type !== 'markdown') ?? blocks.at(-1)
  const failing = blocks.find(({ status }) => status === 'failed') ?? last
  const skipped = new Set<string | undefined>([failing?.uuid])
  // Iterating over a set includes elements that the loop adds.
  for (const above of skipped) {
    for (const { uuid, upstream_blocks } of blocks) {
      if (above !== undefined && upstream_blocks.includes(above)) skipped.add(uuid)
    }
  }
  return new Map(
    blocks.map(({ uuid }) => {
      const state = uuid === failing?.uuid ? 'failed' : skipped.has(uuid) ? 'skipped' : 'completed'
      return [uuid, state]
    }),
  )
}

/** The log file of a block of a run, or of the run itself. */
function logOf(
  model: RecordModel,
  run: StoredRun,
  now: Timestamp,
  block: string | null,
  state: BlockState | StoredRun['status'] = run.status,
) {
  const message =
    state === 'failed'
      ? `ERROR ${block} failed: RuntimeError: simulated failure in pipeline run ${run.id}`
      : `block ${block} of pipeline run ${run.id} ${state}`
  return {
    pipeline_uuid: run.pipeline_uuid,
    pipeline_run_id: run.id,
    block_uuid: block,
    path: `/pipelines/${run.pipeline_uuid}/.logs/${run.pipeline_schedule_id}/${partition(run)}/${block ?? 'pipeline'}.log`,
    content:
      block === null
        ? lineOf(model, run, run.created_at, `pipeline run ${run.id} running`) +
          lineOf(model, run, now, `pipeline run ${run.id} ${run.status}`)
        : lineOf(model, run, now, message, block, state),
    created_at: now,
  }
}

/** Creates a line of a log file: a sentence, or an object that contains it (`log-lines`). */
function lineOf(
  model: RecordModel,
  run: StoredRun,
  at: Timestamp,
  message: string,
  block?: string,
  state: string = run.status,
): string {
  if (model.switches['log-lines'] === 'plain') return `${toSeconds(at)} ${message}\n`
  const line = {
    ...(block !== undefined && { block_uuid: block }),
    pipeline_run_id: run.id,
    pipeline_schedule_id: run.pipeline_schedule_id,
    pipeline_uuid: run.pipeline_uuid,
    level: state === 'failed' ? 'ERROR' : 'INFO',
    message,
    timestamp: toMilliseconds(at) / 1_000,
  }
  return `${toSeconds(at).replace(' ', 'T')} ${JSON.stringify(line)}\n`
}

/** The folder of a run's logs, from its execution date: `20260131T120000`. */
function partition(run: StoredRun): string {
  return toSeconds(run.execution_date).replaceAll(/[-:]/g, '').replace(' ', 'T')
}
