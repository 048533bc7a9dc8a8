import { UnderstudyError } from '../../wire/understudy-error.ts'
import type { RecordModel, RecordOf } from '../records.ts'

type StoredLog = RecordOf<'logs'>

/** The line that says why runs of a pipeline failed, and the log file it stands in. */
export interface LastError
  extends Pick<RecordOf<'logs'>, 'pipeline_uuid' | 'pipeline_run_id' | 'block_uuid' | 'path' | 'created_at'> {
  readonly line: string
}

/** A level above warnings, the last line of a traceback, or what is said of a run that has failed. */
const errorLine = /\b(?:ERROR|CRITICAL|FATAL)\b|^(?:\w+\.)*\w*(?:Error|Exception)\b|\bfailed$/

/** What was found in a file: records never change, so it is looked for once. */
const found = new WeakMap<StoredLog, string | null>()

/** Finds the last line of an error in the logs of each pipeline, the newest first. */
export function findLastErrors(model: RecordModel, where: Readonly<Record<string, unknown>>): LastError[] {
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
  return pipelines
    .flatMap((uuid) => lastErrorOf(model.table('logs').where('pipeline_uuid', uuid)) ?? [])
    .toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))
}

/** The last error in the files of a pipeline, which are given oldest first. */
function lastErrorOf(files: readonly StoredLog[]): LastError | undefined {
  const newest = files.findLast((file) => errorIn(file) !== null)
  if (newest === undefined) return undefined
  const ofBlock = files.findLast(
    (file) =>
      file.block_uuid !== null && file.pipeline_run_id === newest.pipeline_run_id && errorIn(file) !== null,
  )
  const file = ofBlock ?? newest
  const { pipeline_uuid, pipeline_run_id, block_uuid, path, created_at } = file
  return { pipeline_uuid, pipeline_run_id, block_uuid, path, created_at, line: errorIn(file)! }
}

function errorIn(file: StoredLog): string | null {
  let line = found.get(file)
  if (line === undefined) {
    line =
      file.content
        .split('\n')
        .map((text) => text.trimEnd())
        .findLast((text) => errorLine.test(text)) ?? null
    found.set(file, line)
  }
  return line
}
