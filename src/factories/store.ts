import type { Resource, WireRecord } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import type { Slices } from '../shared/slices.ts'
import { RowIndexes } from './row-indexes.ts'
import { type Row, Rows } from './rows.ts'

/** What identifies a record in its table, as text; `parent/key` where it is unique only within its parent. */
export function keyOf({ key, scope }: Pick<Resource, 'key' | 'scope'>, record: WireRecord): string {
  return scope === undefined ? String(record[key]) : `${record[scope]}/${record[key]}`
}

/** Rows by their keys. */
export interface KeyedRows {
  get(key: string): Row | undefined
  has(key: string): boolean
  set(key: string, row: Row): unknown
  delete(key: string): unknown
}

/**
 * The rows of a table with their indexes.
 *
 * Worlds and snapshots hand the same store on: who writes to a shared one makes a copy first. A copied row keeps its
 * texts: as long as neither copy drops them, both present the same.
 */
export class Store {
  rows: Rows
  byKey: KeyedRows = new Map<string, Row>()
  readonly indexes: RowIndexes
  nextId = 1
  isShared = false
  /** How many records there are beside one of each row: a row may stand for several. */
  folded = 0
  /** How often it has changed: who has seen it at the same number has seen what it holds. */
  revision = 0
  /** How many of its records have something before them that happens by itself. */
  dueCount = 0
  protected readonly resource: Resource
  /** What identifies it among those whose copies have the same rows. */
  declare protected readonly number: number | undefined
  #sequence = 0
  /** No record has, or had, an id above it. */
  #highestId = 0

  constructor(resource: Resource) {
    this.resource = resource
    this.rows = new Rows(resource.order?.by)
    this.indexes = new RowIndexes(Object.keys(resource.references ?? {}), resource.order?.by)
  }

  /** The row of a record, by what identifies that. */
  rowOf(record: WireRecord): Row | undefined {
    return this.byKey.get(keyOf(this.resource, record))
  }

  /** A store of its own with the same records. */
  copy(): Store {
    const copy = ways.createStore(this.resource)
    copy.take(this)
    copy.nextId = this.nextId
    copy.folded = this.folded
    copy.#sequence = this.#sequence
    copy.#highestId = this.#highestId
    return copy
  }

  /** Takes the rows of another one. */
  protected take({ rows }: Store): void {
    for (const { key, record, sequence, texts } of rows.items) this.put(key, record, sequence, texts)
  }

  /** Adds a record at its place. */
  add(key: string, record: WireRecord): void {
    this.revision++
    this.put(key, record, this.#sequence++)
    this.#count(record.id)
  }

  /** Counts ids on from here. */
  countFrom(id: number): void {
    this.revision++
    this.nextId = id
    this.#passOver()
  }

  /** Counts ids on: from the highest, unless somebody gave one so high that counting from there would come to an end. */
  #count(id: unknown): void {
    if (this.resource.key !== 'id') {
      this.nextId++
      return
    }
    if (typeof id !== 'number') return
    if (id > this.#highestId) this.#highestId = id
    if (id < this.nextId) return
    if (id < limits.countedId) this.nextId = id + 1
    // In a long table each look costs as much as a good part of the request.
    if (this.nextId <= this.#highestId) this.#passOver()
  }

  /** Ids that were given by hand are passed over. */
  #passOver(): void {
    while (this.byKey.has(String(this.nextId))) this.nextId++
  }

  /** Puts another record in a row, and moves the row where the order or an index says so. */
  replace(found: Row, next: WireRecord): void {
    this.revision++
    const row = this.own(found)
    const previous = row.record
    this.dueCount += this.#isDue(next) - this.#isDue(previous)
    const by = this.resource.order?.by
    const moves = by !== undefined && previous[by] !== next[by]
    if (moves) this.rows.remove(row)
    this.indexes.leave(row, next, moves)
    row.record = next
    row.texts = undefined
    if (moves) this.rows.add(row)
    this.indexes.join(row, previous, moves)
  }

  /** Drops the texts of the row of a key, and gives its record. */
  forgetTexts(key: string): WireRecord {
    const row = this.own(this.byKey.get(key)!)
    row.texts = undefined
    return row.record
  }

  /** The row, as one that no other store has. */
  protected own(row: Row): Row {
    return row
  }

  remove(row: Row): void {
    this.revision++
    this.dueCount -= this.#isDue(row.record)
    this.rows.remove(row)
    this.byKey.delete(row.key)
    this.indexes.remove(row)
  }

  #isDue(record: WireRecord): number {
    const { due } = this.resource
    return due !== undefined && typeof record[due.at] === 'string' ? 1 : 0
  }

  /** Puts a record at its place. */
  put(key: string, record: WireRecord, sequence: number, texts?: Row['texts']): void {
    const row = { record, key, sequence, texts, owner: this.number }
    this.dueCount += this.#isDue(record)
    this.rows.add(row)
    this.byKey.set(key, row)
    this.indexes.add(row)
  }
}

/** What is done in another way where there may be many records: a server does, and a page does not carry the code. */
export const ways = {
  createStore: (resource: Resource): Store => new Store(resource),
  *sort<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Slices<Item[]> {
    yield
    return items.toSorted(compare)
  },
  /** About how many bytes the records take that a world begins with, beside others: those may fill the memory of a server. */
  *weigh(_: ReadonlyMap<string, Store>, __: () => number): Slices<number> {
    yield
    return 0
  },
}
