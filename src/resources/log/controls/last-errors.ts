import { checkOptions } from '../../../shared/check-options.ts'
import type { RecordModel, RecordOf, RecordTable } from '../../records.ts'

type StoredLog = RecordOf<'logs'>

/** Access to the logs of a mock server. */
export interface Logs {
  /**
   * Returns the last error in the logs of each pipeline that has one, newest first. If both a block's file
   * and its run's file contain it, it is the one in the block's file.
   *
   * @throws UnderstudyError where the filter names something else than a pipeline.
   * @example
   * const [{ line }] = await understudy.logs.lastErrors({ pipeline_uuid: 'daily_sales' })
   */
  lastErrors(where?: Partial<Pick<LastError, 'pipeline_uuid'>>): Promise<LastError[]>
}

/** Line with the cause of a pipeline's failed runs, and its log file. */
export interface LastError
  extends Pick<RecordOf<'logs'>, 'pipeline_uuid' | 'pipeline_run_id' | 'block_uuid' | 'path' | 'created_at'> {
  readonly line: string
}

/** A level above warnings, the last line of a traceback, or the message of a failed run. */
const errorLine = /\b(?:ERROR|CRITICAL|FATAL)\b|^(?:\w+\.)*\w*(?:Error|Exception)\b|\bfailed$/

/** The last error line of each file, or null. Records are immutable, so one search of each is enough. */
const errorLines = new WeakMap<StoredLog, string | null>()

/** Last line of an error, and its log file. */
interface ErrorIn {
  readonly file: StoredLog
  readonly line: string
}

/** Finds the last line of an error in the logs of each pipeline, the newest first. */
export function findLastErrors(
  model: RecordModel,
  where: Partial<Pick<LastError, 'pipeline_uuid'>> = {},
): LastError[] {
  checkOptions('logs.lastErrors', where, { pipeline_uuid: true })
  const { pipeline_uuid: pipelineUuid } = where
  const pipelines =
    pipelineUuid === undefined
      ? model
          .table('pipelines')
          .records()
          .map(({ uuid }) => uuid)
      : [String(pipelineUuid)]
  const errors: LastError[] = []
  for (const uuid of pipelines) {
    const error = lastErrorOf(model.table('logs'), uuid)
    if (error !== undefined) errors.push(error)
  }
  return errors.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))
}

/**
 * Returns the last error in the log files of a pipeline, in the order of time; the file of a block
 * precedes that of its run.
 */
function lastErrorOf(logs: RecordTable<'logs'>, pipeline: string): LastError | undefined {
  const files = logs.where('pipeline_uuid', pipeline)
  const newest = findLast(files, () => true)
  if (newest === undefined) return undefined
  const run = newest.file.pipeline_run_id
  const ofBlock = findLast(files, (file) => file.pipeline_run_id === run && file.block_uuid !== null)
  const { file, line } = ofBlock ?? newest
  const { pipeline_uuid, pipeline_run_id, block_uuid, path, created_at } = file
  return { pipeline_uuid, pipeline_run_id, block_uuid, path, created_at, line }
}

/** Returns the last of these files with an error, and its last error line. */
function findLast(files: readonly StoredLog[], isMeant: (file: StoredLog) => boolean): ErrorIn | undefined {
  for (const file of files.toReversed()) {
    const line = isMeant(file) ? errorLineOf(file) : null
    if (line !== null) return { file, line }
  }
  return undefined
}

function errorLineOf(file: StoredLog): string | null {
  let line = errorLines.get(file)
  if (line === undefined) {
    line = lineIn(file) ?? null
    errorLines.set(file, line)
  }
  return line
}

function lineIn({ content }: StoredLog): string | undefined {
  return content
    .split('\n')
    .map((text) => text.trimEnd())
    .findLast((text) => errorLine.test(text))
}
