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

/** Tells whether every code of a path is one. */
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
  // Any other may be in the names of somebody else's records.
  .refine(({ run, prefix }) => isOwnPrefix(prefix, run), 'the prefix does not end in the number of the run')

/** A record the suite made on the target, and the path that deletes it. */
export interface CleanupEntry {
  readonly kind: CreatedKind
  readonly path: string
  /** The uuid of the pipeline it belongs to, where its own id is a number that another database gives out too. */
  readonly home?: string | undefined
  /** The name that was sent. */
  readonly name?: string | undefined
}

/** Whose cleanupLog it is: the first line of its file. */
export type CleanupHeader = z.infer<typeof headerSchema>

/** A line of a cleanupLog's file that takes back what an earlier one says. */
const deletionSchema = z.strictObject({ deleted: z.string() })

/** How many lines that are taken back a file may hold besides as many as are still true. */
const mostStale = 1_000

/**
 * What the suite has created and not yet deleted; kept in a file as it goes, so that a crash forgets nothing. What is noted
 * costs the same however much stands in it.
 */
export class CleanupLog {
  readonly header: CleanupHeader | undefined
  readonly file: string | undefined
  readonly #entries: Map<string, CleanupEntry>
  /** What the target did not want to delete. */
  readonly #refused = new Set<string>()
  /** The pipelines in which something has stood; undefined where the cleanupLog began in another process, which knew. */
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

  /** Tells whether what a path deletes is still there, as far as is known. */
  has(path: string): boolean {
    return this.#entries.has(path)
  }

  created(kind: CreatedKind, path: string, { home, name }: Pick<CleanupEntry, 'home' | 'name'> = {}): void {
    // A target may answer with any id: what is no path of such a record deletes none, and nobody could read it again.
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
    // A target may give an id again that was free.
    this.#refused.delete(path)
    if (home !== undefined) this.#filled?.add(home)
  }

  /** Tells whether no backfill and no schedule was ever made in a pipeline. */
  leftEmpty(uuid: string): boolean {
    return this.#filled?.has(uuid) === false
  }

  /** Notes that nobody knows what stands in a pipeline. */
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

  /** Notes that a record is gone, and with it what stood below its path. */
  deletedWithin(path: string): void {
    // Nothing stands below other records.
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
      // A cleanupLog that names too much does no harm: a later run sees what is gone. The rest must still be deleted.
    }
  }
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/** Maximum length of a cleanup log; a run would need days to exceed it. */
const mostCharacters = 32 << 20

/** Reads a file as a run writes one: a pipe would keep the reader waiting for ever, and a link may lead to anything. */
function readOwnFile(file: string): string {
  const stats = lstatSync(file)
  if (!stats.isFile()) throw new Error('it is no file')
  if (stats.size > mostCharacters) throw new Error(`it is longer than ${mostCharacters} bytes`)
  if (process.getuid !== undefined && stats.uid !== process.getuid()) throw new Error('it is of another user')
  if (process.getuid !== undefined && (stats.mode & 0o022) !== 0) throw new Error('others may write it')
  return readFileSync(file, 'utf8')
}

/**
 * Reads the cleanupLog of another run.
 *
 * @throws where the file is not what a run writes: it is deleted by, so nothing in it is taken on trust.
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
