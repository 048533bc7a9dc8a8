import { isObject, ownValue } from '../../shared/values.ts'
import type { DeriveOf } from '../define-profile.ts'

interface LogFile {
  readonly name: string
  readonly path: string
  readonly content: string
}

/** A line of a log file: a timestamp and a JSON object. */
interface LogLine {
  readonly at: string
  readonly entry: Readonly<Record<string, unknown>>
}

const timestampLength = '2026-01-31T12:00:00'.length

function isLogFile(value: unknown): value is LogFile {
  return isObject(value) && typeof value.path === 'string' && typeof value.content === 'string'
}

function linesOf({ content }: LogFile): LogLine[] {
  return content.split('\n').flatMap((text) => {
    const json = text.slice(timestampLength + 1)
    if (!json.startsWith('{')) return []
    const entry: unknown = JSON.parse(json)
    return isObject(entry) ? [{ at: text.slice(0, timestampLength), entry }] : []
  })
}

function writeLines(lines: readonly LogLine[]): string {
  return lines.map(({ at, entry }) => `${at} ${JSON.stringify(entry)}\n`).join('')
}

/** Adds the size of a file and the time of its last line. */
function withSize(file: LogFile) {
  const last = linesOf(file).at(-1)?.entry.timestamp
  return {
    ...file,
    size: new TextEncoder().encode(file.content).length,
    modified_timestamp: typeof last === 'number' ? last : 0,
  }
}

/** Adds the lines of the executor before and after those of a block; after a failed block it writes none. */
function withExecutorLines(file: LogFile): LogFile {
  const lines = linesOf(file)
  const [first] = lines
  if (first === undefined) return file
  const info = (message: string) => ({ ...first, entry: { ...first.entry, level: 'INFO', message } })
  const hasSucceeded = lines.every(({ entry }) => entry.level === 'INFO')
  const rest = hasSucceeded ? [info('Finish executing block with BlockExecutor.')] : lines
  return { ...file, content: writeLines([info('Start executing block with BlockExecutor.'), ...rest]) }
}

/** Load of the server's machine, which the scheduler logs. */
const load = {
  cpu: 0.25,
  cpu_total: 2,
  cpu_usage: 0.125,
  memory: 1024,
  memory_total: 4096,
  memory_usage: 0.25,
}

function schedulerFile(file: LogFile): LogFile {
  const alive = linesOf(file)
    .slice(0, 1)
    .map(({ at, entry }) => {
      const { pipeline_uuid: pipeline, pipeline_run_id: run, pipeline_schedule_id: schedule } = entry
      const message = `Pipeline ${pipeline} for run ${run} in schedule ${schedule} is alive.`
      return { at, entry: { ...load, ...entry, message } }
    })
  return {
    name: 'scheduler.log',
    path: file.path.replace(/(?<![^/])[^/]*$/, 'scheduler.log'),
    content: writeLines(alive),
  }
}

export const blockFiles = (file: LogFile) => [withSize(withExecutorLines(file))]

export const runFiles = (file: LogFile) => [file, schedulerFile(file)].map(withSize)

/** Lists the files that the server has for each log file of the specification. */
export const listFiles =
  (list: 'block_run_logs' | 'pipeline_run_logs', filesOf: (file: LogFile) => object[]): DeriveOf<'logs'> =>
  (entry) => {
    const files = ownValue(entry, list)
    return JSON.stringify(Array.isArray(files) ? files.filter(isLogFile).flatMap(filesOf) : [])
  }
