import { appendFileSync, existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { parseJson } from '../../src/shared/json.ts'
import { isOwnPrefix } from './run-id.ts'

const headerSchema = z
  .strictObject({
    run: z.string().min(3),
    target: z.string(),
    prefix: z.string(),
    pid: z.number().int().positive(),
    started: z.string(),
  })
  // Another prefix may be in the names of other clients' records.
  .refine(({ run, prefix }) => isOwnPrefix(prefix, run), 'the prefix does not end in the number of the run')

/** The run of the cleanup log: the first line of its file. */
export type CleanupHeader = z.infer<typeof headerSchema>

const uuid = z.string().refine(isEncodable, 'the uuid cannot be part of a path')
/** A line of the file: a created or deleted pipeline. */
const lineSchema = z.union([z.strictObject({ created: uuid }), z.strictObject({ gone: uuid })])

/** Maximum number of lines about deleted pipelines, besides one for each remaining one. */
const mostStale = 1_000

/**
 * The pipelines that a run has created and that are not deleted yet. Everything else that it creates is in one of them. A
 * file stores each at once, so that a crash loses nothing.
 */
export class CleanupLog {
  readonly header: CleanupHeader | undefined
  readonly file: string | undefined
  /** The uuids, each with whether backfills or schedules may be in its pipeline. */
  readonly #pipelines: Map<string, boolean>
  #stale = 0

  constructor(header?: CleanupHeader, file?: string, left: readonly string[] = []) {
    this.header = header
    this.file = file
    this.#pipelines = new Map(left.map((each) => [each, true]))
  }

  /** The uuids, oldest first. */
  get pipelines(): readonly string[] {
    return [...this.#pipelines.keys()]
  }

  has(pipeline: string): boolean {
    return this.#pipelines.has(pipeline)
  }

  created(pipeline: string): void {
    if (this.has(pipeline) || !isEncodable(pipeline)) return
    if (this.file !== undefined) {
      // The file exists only while there are records to delete.
      const isNew = this.#pipelines.size === 0 && !existsSync(this.file)
      const first = isNew && this.header ? toLine(this.header) : ''
      appendFileSync(this.file, `${first}${toLine({ created: pipeline })}`, { mode: 0o600 })
    }
    this.#pipelines.set(pipeline, false)
  }

  /** Notes that a pipeline may contain backfills or schedules. */
  filled(pipeline: string): void {
    if (this.has(pipeline)) this.#pipelines.set(pipeline, true)
  }

  isFilled(pipeline: string): boolean {
    return this.#pipelines.get(pipeline) === true
  }

  gone(pipeline: string): void {
    if (!this.#pipelines.delete(pipeline) || this.file === undefined) return
    try {
      this.#writeGone(this.file, pipeline)
    } catch {
      // A cleanup log with too many pipelines does no harm: a later run sees that they are gone.
    }
  }

  #writeGone(file: string, pipeline: string): void {
    if (this.#pipelines.size === 0) {
      rmSync(file, { force: true })
      this.#stale = 0
    } else if (++this.#stale > this.#pipelines.size + mostStale) {
      const lines = [...(this.header ? [this.header] : []), ...this.pipelines.map((created) => ({ created }))]
      writeFileSync(file, lines.map(toLine).join(''), { mode: 0o600 })
      this.#stale = 0
    } else appendFileSync(file, toLine({ gone: pipeline }), { mode: 0o600 })
  }
}

/** Returns whether a path can name a uuid: a target may return any text. */
function isEncodable(text: string): boolean {
  const isHalfPair = /\p{Surrogate}/u.test(text)
  return !isHalfPair && !/^\.{0,2}$/.test(text)
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/** Maximum length of a cleanup log; a run would need days to exceed it. */
const mostCharacters = 32 << 20

/** Reads a regular file of this user: a pipe would block the reader, and a link may lead to anything. */
function readOwnFile(file: string): string {
  const stats = lstatSync(file)
  if (!stats.isFile()) throw new Error('it is no file')
  if (stats.size > mostCharacters) throw new Error(`it is longer than ${mostCharacters} bytes`)
  if (process.getuid !== undefined && stats.uid !== process.getuid()) throw new Error('it is of another user')
  if (process.getuid !== undefined && (stats.mode & 0o022) !== 0) throw new Error('others may write it')
  return readFileSync(file, 'utf8')
}

/**
 * Reads the cleanup log of another run.
 *
 * @throws if the file has another form than a run writes: the reader deletes its pipelines, so it trusts nothing in it.
 */
export function readCleanupLog(file: string): CleanupLog {
  const [first, ...rest] = readOwnFile(file)
    .split('\n')
    .filter((line) => line !== '')
  const header = headerSchema.parse(parseJson(first ?? ''))
  const left = new Set<string>()
  for (const text of rest) {
    const line = lineSchema.parse(parseJson(text))
    if ('created' in line) left.add(line.created)
    else left.delete(line.gone)
  }
  return new CleanupLog(header, file, [...left])
}
