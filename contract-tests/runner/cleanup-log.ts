import { appendFileSync, existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { parseJson } from '../../src/shared/json.ts'
import { isOwnPrefix } from './run-id.ts'

/** A segment of a path that was encoded by us: no slash, no query, no dots alone. */
const segment = "(?!\\.{1,2}(?:/|$|\\?))[\\w~!.*'()%-]+"

/** Patterns of the paths that delete a record; other paths in a cleanup log are rejected. */
const shapes = {
  pipeline: new RegExp(`^/api/pipelines/${segment}$`),
  block: new RegExp(`^/api/pipelines/${segment}/blocks/${segment}\\?force=True$`),
  backfill: /^\/api\/backfills\/\d{1,16}$/,
  schedule: /^\/api\/pipeline_schedules\/\d{1,16}$/,
  run: /^\/api\/pipeline_runs\/\d{1,16}$/,
} as const

/** Kinds of records that the verifier creates on a target. */
export type CreatedKind = keyof typeof shapes

/** Returns whether the percent codes of a path are valid. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const entrySchema = z
  .strictObject({
    kind: z.enum(['pipeline', 'block', 'backfill', 'schedule', 'run']),
    path: z.string(),
    home: z.string().optional(),
    name: z.string().optional(),
  })
  .refine(
    ({ kind, path }) => shapes[kind].test(path) && isDecodable(path),
    'the path is none that deletes such a record',
  )

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

/** A record that the verifier created, and the path that deletes it. */
export interface CleanupEntry {
  readonly kind: CreatedKind
  readonly path: string
  /** The uuid of its pipeline, if its own id is a number that another database may use too. */
  readonly home?: string | undefined
  /** The name that was sent. */
  readonly name?: string | undefined
}

/** The run of the cleanup log: the first line of its file. */
export type CleanupHeader = z.infer<typeof headerSchema>

/** A line of the file that cancels an earlier one. */
const deletionSchema = z.strictObject({ deleted: z.string() })

/** Maximum number of cancelled lines in a file, besides as many as are valid. */
const mostStale = 1_000

/**
 * The created records that are not deleted yet. A file stores each at once, so that a crash loses nothing. A note takes the
 * same time for any length.
 */
export class CleanupLog {
  readonly header: CleanupHeader | undefined
  readonly file: string | undefined
  readonly #entries: Map<string, CleanupEntry>
  /** The paths whose deletion the target refused. */
  readonly #refused = new Set<string>()
  /** The pipelines that have contained records; undefined for the cleanup log of another process. */
  readonly #filled: Set<string> | undefined
  #stale = 0

  constructor(header?: CleanupHeader, file?: string, entries: readonly CleanupEntry[] = []) {
    this.header = header
    this.file = file
    this.#entries = new Map(entries.map((entry) => [entry.path, entry]))
    this.#filled = entries.length === 0 ? new Set() : undefined
  }

  get entries(): readonly CleanupEntry[] {
    return [...this.#entries.values()]
  }

  /** Returns whether the record of a path exists, as far as is known. */
  has(path: string): boolean {
    return this.#entries.has(path)
  }

  created(kind: CreatedKind, path: string, { home, name }: Pick<CleanupEntry, 'home' | 'name'> = {}): void {
    // A target may return any id: a path of another form deletes no such record.
    if (!shapes[kind].test(path)) return
    const entry = {
      kind,
      path,
      ...(home === undefined ? {} : { home }),
      ...(name === undefined ? {} : { name }),
    }
    if (this.file !== undefined) {
      // The file exists only while something is left.
      const isNew = this.#entries.size === 0 && !existsSync(this.file)
      const first = isNew && this.header ? toLine(this.header) : ''
      appendFileSync(this.file, `${first}${toLine(entry)}`, { mode: 0o600 })
    }
    this.#entries.set(path, entry)
    // A target may use an id again.
    this.#refused.delete(path)
    if (home !== undefined) this.#filled?.add(home)
  }

  /** Returns whether no backfill and no schedule was created in a pipeline. */
  leftEmpty(uuid: string): boolean {
    return this.#filled?.has(uuid) === false
  }

  /** Notes that the contents of a pipeline are unknown. */
  mayHold(uuid: string): void {
    this.#filled?.add(uuid)
  }

  /** Notes that a deletion was refused: a backfill or schedule may outlive its pipeline. */
  refused(path: string): void {
    this.#refused.add(path)
  }

  deleted(path: string): void {
    if (this.#entries.delete(path)) this.#write(path)
  }

  /** Notes that a record is deleted, with the records below its path. */
  deletedWithin(path: string): void {
    // There are no records below others.
    if (shapes.pipeline.test(path)) {
      const uuid = decodeURIComponent(path.split('/')[3] ?? '')
      for (const entry of this.#entries.values())
        if (entry.path.startsWith(`${path}/`) || (entry.home === uuid && !this.#refused.has(entry.path)))
          this.deleted(entry.path)
      this.#filled?.delete(uuid)
    }
    this.deleted(path)
  }

  #write(deleted: string): void {
    if (this.file === undefined) return
    try {
      if (this.#entries.size === 0) {
        rmSync(this.file, { force: true })
        this.#stale = 0
      } else if (++this.#stale > this.#entries.size + mostStale) {
        const lines = [...(this.header ? [this.header] : []), ...this.#entries.values()]
        writeFileSync(this.file, lines.map(toLine).join(''), { mode: 0o600 })
        this.#stale = 0
      } else appendFileSync(this.file, toLine({ deleted }), { mode: 0o600 })
    } catch {
      // A cleanup log with too many records does no harm: a later run sees that they are deleted.
    }
  }
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
 * @throws if the file has another form than a run writes: its records are deleted, so nothing in it is trusted.
 */
export function readCleanupLog(file: string): CleanupLog {
  const [first, ...rest] = readOwnFile(file)
    .split('\n')
    .filter((line) => line !== '')
  const header = headerSchema.parse(parseJson(first ?? ''))
  const entries = new Map<string, CleanupEntry>()
  for (const line of rest) {
    const said = parseJson(line)
    const deletion = deletionSchema.safeParse(said)
    if (deletion.success) entries.delete(deletion.data.deleted)
    else {
      const entry = entrySchema.parse(said)
      entries.set(entry.path, entry)
    }
  }
  return new CleanupLog(header, file, [...entries.values()])
}
