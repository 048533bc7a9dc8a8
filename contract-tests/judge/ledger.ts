import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/** A record the suite made on the target, and the path that deletes it. */
export interface Entry {
  readonly kind: 'pipeline' | 'block' | 'backfill' | 'schedule'
  readonly path: string
  /** The uuid of the pipeline it belongs to, where its own id is a number that another database gives out too. */
  readonly home?: string
}

/** What the suite has created and not yet deleted; kept in a file as it goes, so that a crash forgets nothing. */
export class Ledger {
  readonly #entries: Entry[]
  readonly #file: string | undefined

  constructor(file?: string) {
    this.#file = file
    this.#entries = file === undefined ? [] : readLedger(file)
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  created(kind: Entry['kind'], path: string, home?: string): void {
    const entry = { kind, path, ...(home === undefined ? {} : { home }) }
    this.#entries.push(entry)
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }

  deleted(path: string): void {
    const index = this.#entries.findIndex((entry) => entry.path === path)
    if (index === -1) return
    this.#entries.splice(index, 1)
    this.#write()
  }

  /** Notes that a record is gone, and with it what stood below its path. */
  deletedWithin(path: string): void {
    for (const entry of this.#entries.filter((candidate) => candidate.path.startsWith(`${path}/`))) {
      this.deleted(entry.path)
    }
    this.deleted(path)
  }

  #write(): void {
    if (this.#file === undefined) return
    if (this.#entries.length === 0) rmSync(this.#file, { force: true })
    else writeFileSync(this.#file, this.#entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  }
}

function readLedger(file: string): Entry[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)
}
