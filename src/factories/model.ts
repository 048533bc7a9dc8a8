import type { Switches } from '../assumptions/switches.ts'
import type { Resource, WireRecord } from '../resources/define-resource.ts'
import { quote } from '../wire/errors.ts'
import { type Timestamp, toTimestamp } from '../wire/timestamps.ts'
import { noteCounting } from './counting.ts'
import { DueCounts, DueTimes } from './due-times.ts'
import { RecordError } from './record-error.ts'
import { Table } from './table.ts'
import type { TableHost, TableState } from './table-types.ts'

/** The state of every table, by plural. */
export type ModelState = ReadonlyMap<string, TableState>

export interface ModelOptions {
  readonly resources: readonly Resource[]
  readonly seed: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** What is chosen where the document is silent. */
  readonly switches: Switches
  /** Turns the payload of a token into a raw token. */
  readonly signToken: (payload: { token: string; expires: number }) => Promise<string>
}

/** The in-memory model: one table per resource, joined by plain ids. */
export class Model implements TableHost {
  readonly seed: number
  readonly resources: readonly Resource[]
  readonly switches: Switches
  readonly signToken: ModelOptions['signToken']
  /** The records that count how often they are seen; nearly always there are none. */
  readonly counting = new Set<string>()
  readonly #now: () => number
  readonly #tables = new Map<string, Table>()
  readonly #dueTimes: DueTimes
  /** While what was due is settled, the clock stands at that moment. */
  #settlingAt: Timestamp | undefined

  constructor({ resources, seed, now, switches, signToken }: ModelOptions) {
    this.resources = resources
    this.seed = seed
    this.switches = switches
    this.signToken = signToken
    this.#now = now
    this.#dueTimes = new DueTimes(resources.map(({ plural }) => plural))
    for (const resource of resources) {
      if (resource.stored !== false) this.#tables.set(resource.plural, new Table(resource, this))
    }
  }

  /** The present moment, `YYYY-MM-DD HH:MM:SS.ffffff+00:00`. */
  now(): Timestamp {
    return this.#settlingAt ?? toTimestamp(this.#now())
  }

  /** The table of a resource, by its plural. */
  table(plural: string): Table {
    const table = this.#tables.get(plural)
    if (table) return table
    throw new Error(
      `[understudy] There is no resource ${plural}; there are ${[...this.#tables.keys()].join(', ')}.`,
    )
  }

  /** Lets everything happen that was due by now, in order, each at its own moment. */
  settle(): void {
    if (this.#dueTimes.next === undefined || this.#settlingAt !== undefined) return
    const now = toTimestamp(this.#now())
    const counts = new DueCounts()
    while (this.#dueTimes.next !== undefined && this.#dueTimes.next.at <= now) {
      const { at, plural, key } = this.#dueTimes.take()!
      const { resource, row } = this.#rowOf(plural, key)
      // A record that was changed meanwhile has another moment, or none.
      if (row === undefined || row.record[resource.due!.at] !== at) continue
      this.#settlingAt = at
      try {
        if (counts.isWithin(resource.due!, row)) resource.due!.run(row.record, this)
        else resource.due!.limit!.skip(row.record, this, now)
      } finally {
        this.#settlingAt = undefined
      }
    }
  }

  /** The state of every table; records are shared, since they never change. */
  state(): ModelState {
    return new Map([...this.#tables].map(([plural, table]) => [plural, table.state()]))
  }

  /** Replaces everything by an earlier state. */
  restore(state: ModelState): void {
    this.#dueTimes.clear()
    this.counting.clear()
    for (const [plural, table] of this.#tables) {
      const { records, nextId } = state.get(plural) ?? { records: [], nextId: 1 }
      table.restore({ records, nextId })
      if (table.resource.due) for (const record of records) this.#note(table.resource, record)
      for (const record of table.resource.counts ? records : [])
        noteCounting(this.counting, table.resource, undefined, record)
    }
  }

  checkReferences(resource: Resource, record: WireRecord): void {
    for (const [attribute, { plural }] of Object.entries(resource.references ?? {})) {
      const value = record[attribute]
      if (value === null || this.table(plural).row(String(value)) !== undefined) continue
      throw new RecordError(`Failed to write a ${resource.singular}`, [
        { path: attribute, expected: `the key of one of the ${plural}`, found: quote(value) },
      ])
    }
  }

  wrote(resource: Resource, previous: WireRecord | undefined, next: WireRecord | undefined): void {
    if (next !== undefined && resource.due) this.#note(resource, next)
    if (resource.counts !== undefined) noteCounting(this.counting, resource, previous, next)
    if (resource.shownIn === undefined) return
    if (previous !== undefined) this.#forget(resource, previous)
    if (next !== undefined) this.#forget(resource, next)
  }

  #note(resource: Resource, record: WireRecord): void {
    const at = record[resource.due!.at]
    if (typeof at === 'string')
      this.#dueTimes.add(at, resource.plural, this.table(resource.plural).keyOf(record))
  }

  /** Drops the texts of the record that shows this one, and of those that show that one. */
  #forget(resource: Resource, record: WireRecord): void {
    const { plural } = resource.references![resource.shownIn!]!
    const shower = this.#rowOf(plural, String(record[resource.shownIn!]))
    if (shower.row === undefined) return
    shower.row.texts = undefined
    if (shower.resource.shownIn !== undefined) this.#forget(shower.resource, shower.row.record)
  }

  release(gone: Resource, record: WireRecord): void {
    for (const resource of this.resources) {
      for (const [attribute, { plural, whenDeleted }] of Object.entries(resource.references ?? {})) {
        if (plural !== gone.plural) continue
        const table = this.table(resource.plural)
        for (const dependant of table.where(attribute, record[gone.key]).reverse()) {
          if (whenDeleted === 'delete') table.remove(dependant)
          else table.change(dependant, { [attribute]: null })
        }
      }
    }
  }

  #rowOf(plural: string, key: string) {
    const table = this.table(plural)
    return { resource: table.resource, row: table.row(key) }
  }
}
