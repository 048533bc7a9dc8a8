import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod'

/** A segment of a path that was encoded by us: no slash, no query, no dots alone. */
const segment = "(?!\\.{1,2}(?:/|$|\\?))[\\w~!.*'()%-]+"

/** What a path that deletes a record of each kind looks like: nothing else in a ledger is believed. */
const shapes = {
  pipeline: new RegExp(`^/api/pipelines/${segment}$`),
  block: new RegExp(`^/api/pipelines/${segment}/blocks/${segment}\\?force=True$`),
  backfill: /^\/api\/backfills\/\d{1,16}$/,
  schedule: /^\/api\/pipeline_schedules\/\d{1,16}$/,
  run: /^\/api\/pipeline_runs\/\d{1,16}$/,
} as const

/** What the judge makes on a target. */
export type Kind = keyof typeof shapes

const entrySchema = z
  .strictObject({
    kind: z.enum(['pipeline', 'block', 'backfill', 'schedule', 'run']),
    path: z.string(),
    home: z.string().optional(),
    name: z.string().optional(),
  })
  .refine(({ kind, path }) => shapes[kind].test(path), 'the path is none that deletes such a record')

const headerSchema = z.strictObject({
  run: z.string(),
  target: z.string(),
  prefix: z.string().min(3),
  pid: z.number().int(),
  started: z.string(),
})

/** A record the suite made on the target, and the path that deletes it. */
export interface Entry {
  readonly kind: Kind
  readonly path: string
  /** The uuid of the pipeline it belongs to, where its own id is a number that another database gives out too. */
  readonly home?: string | undefined
  /** The name that was sent. */
  readonly name?: string | undefined
}

/** Whose ledger it is: the first line of its file. */
export type LedgerHeader = z.infer<typeof headerSchema>

/** What the suite has created and not yet deleted; kept in a file as it goes, so that a crash forgets nothing. */
export class Ledger {
  readonly header: LedgerHeader | undefined
  readonly file: string | undefined
  readonly #entries: Entry[]
  /** The pipelines in which something has stood; undefined where the ledger began in another process, which knew. */
  readonly #filled: Set<string> | undefined

  constructor(header?: LedgerHeader, file?: string, entries: readonly Entry[] = []) {
    this.header = header
    this.file = file
    this.#entries = [...entries]
    this.#filled = entries.length === 0 ? new Set() : undefined
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  created(kind: Kind, path: string, { home, name }: Pick<Entry, 'home' | 'name'> = {}): void {
    const entry = {
      kind,
      path,
      ...(home === undefined ? {} : { home }),
      ...(name === undefined ? {} : { name }),
    }
    if (this.file !== undefined) {
      // The file exists only while something is left.
      const isNew = this.#entries.length === 0 && !existsSync(this.file)
      const first = isNew && this.header ? `${JSON.stringify(this.header)}\n` : ''
      appendFileSync(this.file, `${first}${JSON.stringify(entry)}\n`, { mode: 0o600 })
    }
    this.#entries.push(entry)
    if (home !== undefined) this.#filled?.add(home)
  }

  /** Tells whether no backfill and no schedule was ever made in a pipeline. */
  leftEmpty(uuid: string): boolean {
    return this.#filled?.has(uuid) === false
  }

  deleted(path: string): void {
    const index = this.#entries.findIndex((entry) => entry.path === path)
    if (index === -1) return
    this.#entries.splice(index, 1)
    this.#write()
  }

  /** Notes that a record is gone, and with it what stood below its path. */
  deletedWithin(path: string): void {
    const uuid = path.startsWith('/api/pipelines/') ? decodeURIComponent(path.split('/')[3] ?? '') : undefined
    const isPipeline = shapes.pipeline.test(path)
    for (const entry of this.#entries.filter(
      (candidate) => candidate.path.startsWith(`${path}/`) || (isPipeline && candidate.home === uuid),
    )) {
      this.deleted(entry.path)
    }
    this.deleted(path)
  }

  #write(): void {
    if (this.file === undefined) return
    const lines = [...(this.header ? [this.header] : []), ...this.#entries]
    try {
      if (this.#entries.length === 0) rmSync(this.file, { force: true })
      else
        writeFileSync(this.file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
    } catch {
      // A ledger that names too much does no harm: a later run sees what is gone. The rest must still be deleted.
    }
  }
}

/**
 * Reads the ledger of another run.
 *
 * @throws where the file is not what a run writes: it is deleted by, so nothing in it is taken on trust.
 */
export function readLedger(file: string): Ledger {
  const [first, ...rest] = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const header = headerSchema.parse(JSON.parse(first ?? ''))
  return new Ledger(
    header,
    file,
    rest.map((line) => entrySchema.parse(JSON.parse(line))),
  )
}
