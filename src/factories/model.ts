import type { Switches } from '../assumptions/switches.ts'
import type { LeftOut, RecordModel, RecordTable, StoredPlural } from '../resources/records.ts'
import type { Resource, WireRecord } from '../resources/resource.ts'
import { quote } from '../shared/errors.ts'
import { noSuch } from '../shared/suggest.ts'
import { type Timestamp, toTimestamp } from '../shared/timestamps.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import type { ChangedBytes, NotedChanges } from './change.ts'
import { DueEvents, type DueTime, DueTimes } from './due-events.ts'
import { countBytes, type Store } from './store.ts'
import { Table } from './table.ts'
import type { Dependant, TableHost } from './table-types.ts'
import { refuseRecord } from './validate.ts'

/** The state of a model. Models share it, so copying costs nothing. */
export interface ModelState {
  readonly stores: ReadonlyMap<string, Store>
  readonly dueTimes: readonly DueTime[]
  readonly counting: readonly string[]
  /** Estimated bytes of the records that no other world shares. */
  readonly size: number
}

/** Estimated bytes of the records of several models together, and their limit. */
export interface MemoryUse {
  used: number
  readonly limit: number
  /** Counts the bytes of all models anew, from time to time. */
  recount?: () => void
}

export interface ModelOptions {
  readonly resources: readonly Resource[]
  readonly seed: number
  /** Returns milliseconds since the epoch. */
  readonly clock: { now(): number }
  /** Implementation choices where the specification is silent. */
  readonly switches: Switches
  /** Signs the payload of a token as a raw token. */
  readonly signToken: (payload: { token: string; expires: number }) => string
  /** Default: memory of its own, without a limit. */
  readonly memory?: MemoryUse
}

const nothingLeftOut: LeftOut = {}

const ownMemory = (): MemoryUse => ({ used: 0, limit: Number.POSITIVE_INFINITY })

/** A table for code that names its resource: `Table` with the typed methods of `RecordTable`. */
type TypedTable<P extends StoredPlural> = RecordTable<P> & Omit<Table, keyof RecordTable<P>>

/** The in-memory model: one table per resource, joined by plain ids. */
export class Model implements TableHost, RecordModel {
  readonly seed: number
  readonly resources: readonly Resource[]
  switches: Switches
  readonly signToken: ModelOptions['signToken']
  /** Records that count their reads; usually none. */
  readonly counting = new Set<string>()
  readonly #clock: ModelOptions['clock']
  readonly #tables = new Map<string, Table>()
  /** Due times of scheduled events. */
  readonly dueTimes: DueTimes
  readonly #dueEvents: DueEvents
  memory: MemoryUse
  /** Estimated bytes of its own records. */
  size = 0
  changes: NotedChanges | undefined
  /** Called on each change of a table, with its plural. */
  changed: (plural: string) => void = () => undefined

  constructor(options: ModelOptions) {
    const { resources, seed, clock, switches, signToken } = options
    this.memory = options.memory ?? ownMemory()
    this.resources = resources
    this.seed = seed
    this.switches = switches
    this.signToken = signToken
    this.#clock = clock
    this.dueTimes = new DueTimes(resources.map(({ plural }) => plural))
    this.#dueEvents = new DueEvents(this, this.dueTimes, (plural) => this.table(plural))
    for (const resource of resources) {
      const { plural, stored } = resource
      if (stored !== false) this.#tables.set(plural, new Table(resource, this))
    }
  }

  /** Calls a function with the events that a step of the clock omitted, if there are any. */
  onLimited(limited: (leftOut: LeftOut) => void): void {
    this.#dueEvents.limited = limited
  }

  /** The present time, `YYYY-MM-DD HH:MM:SS.ffffff+00:00`. */
  now(): Timestamp {
    return this.#dueEvents.current?.at ?? toTimestamp(this.#clock.now())
  }

  /** The table of a resource, by its plural. */
  table<P extends StoredPlural>(plural: P): TypedTable<P>
  table(plural: string): Table
  table(plural: string): Table {
    const table = this.#tables.get(plural)
    if (table) return table
    throw new UnderstudyError('NOT_FOUND', noSuch('resource', plural, [...this.#tables.keys()]))
  }

  mayCreate(count: number): boolean {
    return this.#dueEvents.mayCreate(count)
  }

  /** Applies all events that are due by now, in order, each at its own due time. */
  applyDueEvents(): LeftOut {
    const events = this.#dueEvents
    if (events.current !== undefined) return nothingLeftOut
    events.created = 0
    const now = this.#clock.now()
    return now < this.dueTimes.nextAt ? nothingLeftOut : events.apply(toTimestamp(now))
  }

  /** Returns the current rows of each table. Read them at once, because the next write changes them. */
  stores(): ReadonlyMap<string, Store> {
    return new Map([...this.#tables].map(([plural, table]) => [plural, table.store]))
  }

  /** Returns the present state, to restore later, in this model or in another one. */
  state(): ModelState {
    return {
      stores: new Map([...this.#tables].map(([plural, table]) => [plural, table.state()])),
      dueTimes: this.dueTimes.list(),
      counting: [...this.counting],
      size: this.size,
    }
  }

  /** Replaces all records by those of an earlier state, or removes all records. */
  restore(state?: ModelState): void {
    this.dueTimes.replace(state?.dueTimes ?? [])
    this.counting.clear()
    for (const name of state?.counting ?? []) this.counting.add(name)
    for (const [plural, table] of this.#tables) {
      const { store } = table
      table.restore(state?.stores.get(plural))
      if (table.store !== store) this.changed(plural)
    }
    const { size = 0 } = state ?? {}
    this.memory.used += size - this.size
    this.size = size
  }

  /**
   * Ends counting its records in the memory of all worlds. A factory call that began before may still write to it, and
   * no world has these records.
   */
  retire(): void {
    this.memory.used -= this.size
    this.memory = ownMemory()
  }

  /**
   * Counts its own records again. Deleting a record that a snapshot shares does not reduce the count, and the
   * snapshot may be gone.
   */
  recount({ stores, size }: ModelState): void {
    let counted = size
    for (const [plural, table] of this.#tables) counted += countBytes(table.store, stores.get(plural))
    this.memory.used += counted - this.size
    this.size = counted
  }

  /** Runs a function and records the changes it makes, also in the list of an outer call. */
  noting<Result>(changes: NotedChanges, run: () => Result): Result {
    const outer = this.changes
    const { length } = changes
    this.changes = changes
    try {
      return run()
    } finally {
      this.changes = outer
      outer?.push(...changes.slice(length))
    }
  }

  /** Reports whether the maximum number of records refers to a record. */
  isFull({ plural, references }: Resource, attribute: string, value: unknown): boolean {
    const most = references?.[attribute]?.most
    return most !== undefined && this.table(plural).countWhere(attribute, value) >= most
  }

  checkReferences(resource: Resource, record: WireRecord, previous: WireRecord | undefined): void {
    const { references = {} } = resource
    for (const [attribute, { plural, most }] of Object.entries(references)) {
      const value = record[attribute]
      // A previous reference still exists: a deletion would have released it.
      if (value === null || value === previous?.[attribute]) continue
      const isFull = most !== undefined && this.isFull(resource, attribute, value)
      if (!isFull && this.table(plural).row(String(value)) !== undefined) continue
      const room = isFull ? ` with fewer than ${most} ${resource.plural}` : ''
      const expected = `the key of one of the ${plural}${room}`
      refuseRecord(resource, 'write', [{ path: attribute, expected, found: quote(value) }])
    }
  }

  wrote(
    resource: Resource,
    key: string,
    previous: WireRecord | undefined,
    next: WireRecord | undefined,
    bytes: ChangedBytes,
  ): void {
    const { freed, taken } = bytes
    this.size += taken - freed
    this.memory.used += taken - freed
    const { plural, due, counts } = resource
    this.changed(plural)
    const { changes } = this
    changes?.push({ table: plural, key, previous, next, weight: freed + taken })
    const before = due && previous?.[due.at]
    const at = due && next?.[due.at]
    // An unchanged due time is in the queue already, except while due events apply.
    if (typeof at === 'string' && (at !== before || this.#dueEvents.current !== undefined)) {
      if (changes !== undefined) changes.following ??= { count: 0, stored: [] }
      this.dueTimes.add(at, plural, key, changes?.following)
    }
    if (counts !== undefined && (next?.[counts] ?? null) !== null) this.counting.add(`${plural}/${key}`)
    else if (counts !== undefined) this.counting.delete(`${plural}/${key}`)
    if (previous !== undefined) this.#dropTexts(resource, previous)
    if (next !== undefined) this.#dropTexts(resource, next)
  }

  /** Drops the texts of the record that contains this one in replies, and of those that contain that record. */
  #dropTexts(resource: Resource, record: WireRecord): void {
    const { shownIn, references } = resource
    const reference = shownIn === undefined ? undefined : references?.[shownIn]
    if (shownIn === undefined || reference === undefined) return
    const table = this.table(reference.plural)
    const shower = table.dropTexts(String(record[shownIn]))
    if (shower !== undefined) this.#dropTexts(table.resource, shower)
  }

  /** Yields the records that refer to a record, with the effect that its deletion has on each. */
  *dependants(gone: Resource, record: WireRecord): Iterable<Dependant> {
    for (const resource of this.resources) {
      for (const [attribute, { plural, whenDeleted }] of Object.entries(resource.references ?? {})) {
        if (plural !== gone.plural) continue
        const table = this.table(resource.plural)
        for (const { key, record: dependant } of table.bucket(attribute, record[gone.key]).toReversed()) {
          yield { resource, key, record: dependant, attribute, whenDeleted }
        }
      }
    }
  }

  *concernedBy(resource: Resource, record: WireRecord): Iterable<Dependant> {
    const deleted = new Set([record])
    const pending = [{ resource, record }]
    for (const each of pending) {
      for (const dependant of this.dependants(each.resource, each.record)) {
        if (dependant.whenDeleted === 'delete') {
          if (deleted.has(dependant.record)) continue
          deleted.add(dependant.record)
          pending.push(dependant)
        }
        yield dependant
      }
    }
  }

  /** Counts the records that a deletion removes, including the record itself; stops above `most`. */
  countDeleted(resource: Resource, record: WireRecord, most: number): number {
    let count = 1
    for (const { whenDeleted } of this.concernedBy(resource, record)) {
      if (whenDeleted === 'delete') count++
      if (count > most) break
    }
    return count
  }

  release(gone: Resource, record: WireRecord): void {
    for (const { resource, record: dependant, attribute, whenDeleted } of this.dependants(gone, record)) {
      const table = this.table(resource.plural)
      if (whenDeleted === 'delete') table.remove(dependant)
      else table.change(dependant, { [attribute]: null })
    }
  }
}
