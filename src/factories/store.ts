import type { Resource, WireRecord } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import { RowIndexes } from './row-indexes.ts'
import { type Row, Rows } from './rows.ts'

/** The key of a record in its table, as text; `parent/key` where it is unique only within its parent. */
export function keyOf({ key, scope }: Pick<Resource, 'key' | 'scope'>, record: WireRecord): string {
  return scope === undefined ? String(record[key]) : `${record[scope]}/${record[key]}`
}

let lastNumber = 0

/**
 * The rows of a table with their indexes.
 *
 * Worlds and snapshots share a store; the first write to a shared one copies it. A copy shares the rows, and replaces
 * a row by one of its own before it writes to it. A copied row keeps its texts: both stores present it the same way.
 */
export class Store {
  rows: Rows
  byKey = new Map<string, Row>()
  readonly indexes: RowIndexes
  nextId = 1
  isShared = false
  /** Number of changes: equal numbers mean equal contents. */
  revision = 0
  /** Number of records that have a due event. */
  dueCount = 0
  readonly #resource: Resource
  /** Identifies the store among its copies. */
  readonly #number = ++lastNumber
  #sequence = 0
  #highestId = 0

  constructor(resource: Resource) {
    this.#resource = resource
    this.rows = new Rows(resource.order?.by)
    this.indexes = new RowIndexes(Object.keys(resource.references ?? {}), resource.order?.by)
  }

  /** Returns the row of a record with the same key. */
  rowOf(record: WireRecord): Row | undefined {
    return this.byKey.get(keyOf(this.#resource, record))
  }

  /** Returns a store with the same records that can be written independently. */
  copy(): Store {
    const copy = new Store(this.#resource)
    copy.rows = this.rows.copy()
    copy.byKey = new Map(this.byKey)
    copy.indexes.copyFrom(this.indexes)
    copy.nextId = this.nextId
    copy.dueCount = this.dueCount
    copy.#sequence = this.#sequence
    copy.#highestId = this.#highestId
    return copy
  }

  /** Adds a record at its place. */
  add(key: string, record: WireRecord): void {
    this.revision++
    const row = { record, key, sequence: this.#sequence++, texts: undefined, owner: this.#number }
    this.dueCount += this.#isDue(record)
    this.rows.add(row)
    this.byKey.set(key, row)
    this.indexes.add(row)
    this.#count(record.id)
  }

  /** Sets the next id. */
  countFrom(id: number): void {
    this.revision++
    this.nextId = id
    this.#skipTakenIds()
  }

  /** Counts from the highest id. */
  #count(id: unknown): void {
    if (this.#resource.key !== 'id') {
      this.nextId++
      return
    }
    if (typeof id !== 'number') return
    if (id > this.#highestId) this.#highestId = id
    if (id < this.nextId) return
    this.nextId = nextIdAfter(id, this.nextId)
    // A lookup in a long table would take a good part of the request's time.
    if (this.nextId <= this.#highestId) this.#skipTakenIds()
  }

  #skipTakenIds(): void {
    while (this.byKey.has(String(this.nextId))) this.nextId++
  }

  /** Replaces the record of a row, and moves the row where the order or an index requires it. */
  replace(found: Row, next: WireRecord): void {
    this.revision++
    const row = this.#own(found)
    const previous = row.record
    this.dueCount += this.#isDue(next) - this.#isDue(previous)
    const by = this.#resource.order?.by
    const moves = by !== undefined && previous[by] !== next[by]
    if (moves) this.rows.remove(row)
    this.indexes.leave(row, next, moves)
    row.record = next
    row.texts = undefined
    if (moves) this.rows.add(row)
    this.indexes.join(row, previous, moves)
  }

  /** Removes the cached texts of the row with this key, and returns its record; `undefined` where no row has the key. */
  dropTexts(key: string): WireRecord | undefined {
    const found = this.byKey.get(key)
    if (found === undefined) return undefined
    const row = this.#own(found)
    row.texts = undefined
    return row.record
  }

  remove(row: Row): void {
    this.revision++
    this.dueCount -= this.#isDue(row.record)
    this.rows.remove(row)
    this.byKey.delete(row.key)
    this.indexes.remove(row)
  }

  /** Returns the row, or replaces it by a copy where another store may share it. */
  #own(row: Row): Row {
    if (row.owner === this.#number) return row
    const own = { ...row, owner: this.#number }
    this.rows.exchange(own)
    this.byKey.set(own.key, own)
    this.indexes.exchange(own)
    return own
  }

  #isDue(record: WireRecord): number {
    const { due } = this.#resource
    return due !== undefined && typeof record[due.at] === 'string' ? 1 : 0
  }
}

/** Returns the next id when one is taken: the one after it, unless it is so high that counting from it would overflow. */
export function nextIdAfter(taken: number, next: number): number {
  return taken >= next && taken < limits.countedId ? taken + 1 : next
}
