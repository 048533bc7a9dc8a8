import type { Slices } from '../../../shared/slices.ts'
import { UnderstudyError } from '../../../shared/understudy-error.ts'
import type { RecordModel, RecordOf, RecordTable } from '../../records.ts'

type StoredLog = RecordOf<'logs'>

/** The line that says why runs of a pipeline failed, and the log file it stands in. */
export interface LastError
  extends Pick<RecordOf<'logs'>, 'pipeline_uuid' | 'pipeline_run_id' | 'block_uuid' | 'path' | 'created_at'> {
  readonly line: string
}

/** A level above warnings, the last line of a traceback, or what is said of a run that has failed. */
const errorLine = /\b(?:ERROR|CRITICAL|FATAL)\b|^(?:\w+\.)*\w*(?:Error|Exception)\b|\bfailed$/

/** What was found in a file, or in those that are kept as one: records never change, so it is looked for once. */
const found = new WeakMap<StoredLog, ErrorIn | null>()

/** The last line of an error, and the file it stands in. */
interface ErrorIn {
  readonly file: StoredLog
  readonly line: string
}

/** Finds the last line of an error in the logs of each pipeline, the newest first. */
export function* findingLastErrors(
  model: RecordModel,
  where: Partial<Pick<LastError, 'pipeline_uuid'>>,
): Slices<LastError[]> {
  const { pipeline_uuid: asked, ...others } = where
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw new UnderstudyError(
      'ARGUMENT_INVALID',
      `Failed to find the last errors: expected a filter by pipeline_uuid; found ${JSON.stringify(unknown)}.`,
    )
  }
  const pipelines =
    asked === undefined
      ? model
          .table('pipelines')
          .records()
          .map(({ uuid }) => uuid)
      : [String(asked)]
  const errors: LastError[] = []
  for (const uuid of pipelines) {
    const error = yield* lastErrorOf(model.table('logs'), uuid)
    if (error !== undefined) errors.push(error)
  }
  return errors.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))
}

/** The last error in the files of a pipeline, whose rows stand oldest first. */
function* lastErrorOf(logs: RecordTable<'logs'>, pipeline: string): Slices<LastError | undefined> {
  const kept = logs.bucket('pipeline_uuid', pipeline).map(({ record }) => record)
  const newest = yield* findLast(kept, (file) => errorIn(logs, file))
  if (newest === undefined) return undefined
  const run = newest.file.pipeline_run_id
  const ofBlock = yield* findLast(kept, (file) => {
    const error = file.pipeline_run_id === run ? errorIn(logs, file) : null
    return error?.file.block_uuid == null ? null : error
  })
  const { file, line } = ofBlock ?? newest
  const { pipeline_uuid, pipeline_run_id, block_uuid, path, created_at } = file
  return { pipeline_uuid, pipeline_run_id, block_uuid, path, created_at, line }
}

function* findLast(
  files: readonly StoredLog[],
  find: (file: StoredLog) => ErrorIn | null,
): Slices<ErrorIn | undefined> {
  for (const file of files.toReversed()) {
    yield
    const error = find(file)
    if (error !== null) return error
  }
  return undefined
}

function errorIn(logs: RecordTable<'logs'>, kept: StoredLog): ErrorIn | null {
  let error = found.get(kept)
  if (error === undefined) {
    error = lastOf(logs.recordsOf?.(kept) ?? [kept])
    found.set(kept, error)
  }
  return error
}

function lastOf(files: readonly StoredLog[]): ErrorIn | null {
  for (const file of files.toReversed()) {
    const line = lineIn(file)
    if (line !== undefined) return { file, line }
  }
  return null
}

function lineIn({ content }: StoredLog): string | undefined {
  return content
    .split('\n')
    .map((text) => text.trimEnd())
    .findLast((text) => errorLine.test(text))
}
