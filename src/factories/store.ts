import type { Resource, WireRecord } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import { estimateSize } from '../shared/values.ts'
import type { ChangedBytes } from './change.ts'

/** Returns the key of a record in its table, as text; `parent/key` if it is unique only within its parent. */
export function keyOf({ key, scope }: Pick<Resource, 'key' | 'scope'>, record: WireRecord): string {
  return scope === undefined ? String(record[key]) : `${record[scope]}/${record[key]}`
}

let lastNumber = 0

/**
 * The rows of a table with their indexes.
 *
 * Worlds and snapshots share a store; the first write to a shared one copies it. The copy shares the rows,
 * and copies each row before it writes to it. A copied row has the same texts.
 */
export class Store {
  rows: Rows
  byKey = new Map<string, Row>()
  readonly indexes: RowIndexes
  nextId = 1
  isShared = false
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

  /** Returns an independent copy that shares the rows. */
  copy(): Store {
    const copy = new Store(this.#resource)
    copy.rows = this.rows.copy()
    copy.byKey = new Map(this.byKey)
    copy.indexes.copyFrom(this.indexes)
    copy.nextId = this.nextId
    copy.#sequence = this.#sequence
    copy.#highestId = this.#highestId
    return copy
  }

  /** Adds a record at its place. */
  add(key: string, record: WireRecord): ChangedBytes {
    const size = bytesOfRow + estimateSize(record)
    const row = { record, key, sequence: this.#sequence++, texts: undefined, owner: this.#number, size }
    this.rows.add(row)
    this.byKey.set(key, row)
    this.indexes.add(row)
    if (this.#resource.key !== 'id') this.nextId++
    else if (typeof record.id === 'number') this.#skipId(record.id)
    return { freed: 0, taken: size }
  }

  /** Sets the next id. */
  countFrom(id: number): void {
    this.nextId = id
    this.#skipTakenIds()
  }

  /** Continues after an id that a record has. */
  #skipId(id: number): void {
    if (id > this.#highestId) this.#highestId = id
    if (id < this.nextId) return
    this.nextId = nextIdAfter(id, this.nextId)
    // A lookup in a long table would take much of the request's time.
    if (this.nextId <= this.#highestId) this.#skipTakenIds()
  }

  #skipTakenIds(): void {
    while (this.byKey.has(String(this.nextId))) this.nextId++
  }

  /** Replaces the record of a row, and moves the row if the order or an index requires it. */
  replace(found: Row, next: WireRecord): ChangedBytes {
    const row = this.own(found)
    const previous = row.record
    const by = this.#resource.order?.by
    const moves = by !== undefined && previous[by] !== next[by]
    if (moves) this.rows.remove(row)
    this.indexes.remove(row, next, moves)
    row.record = next
    row.texts = undefined
    if (moves) this.rows.add(row)
    this.indexes.add(row, previous, moves)
    const freed = row.size
    row.size = bytesOfRow + estimateSize(next)
    return { freed, taken: row.size }
  }

  /** Removes a row. */
  remove(row: Row): ChangedBytes {
    this.rows.remove(row)
    this.byKey.delete(row.key)
    this.indexes.remove(row)
    return { freed: row.owner === this.#number ? row.size : 0, taken: 0 }
  }

  /** Returns the row, or a copy in its place if another store may share it. */
  own(row: Row): Row {
    if (row.owner === this.#number) return row
    // The other store counts the record.
    const own = { ...row, owner: this.#number, size: 0 }
    this.rows.exchange(own)
    this.byKey.set(own.key, own)
    this.indexes.exchange(own)
    return own
  }
}

/** Returns the next id after one that a record has, unless counting from it would overflow. */
export function nextIdAfter(taken: number, next: number): number {
  return taken >= next && taken < limits.countedId ? taken + 1 : next
}

/** Row of a table. Each change replaces its record; the texts are those of the present record. */
export interface Row {
  record: WireRecord
  /** Key of the record in its table. */
  readonly key: string
  readonly sequence: number
  /** The presented texts of the record, the newest first. */
  texts: PresentedText | undefined
  /** Number of the store that may write to the row; other stores that share it copy it first. */
  readonly owner: number
  /** Estimated bytes that the record takes in the memory of its world. */
  size: number
}

/** Size of a row without its record, in bytes. */
const bytesOfRow = 200

/** Returns the estimated bytes of the records of a store, without those that another store shares. */
export function countBytes(store: Store, shared?: Store): number {
  let bytes = 0
  for (const { key, record } of store.rows.items) {
    if (shared?.byKey.get(key)?.record !== record) bytes += bytesOfRow + estimateSize(record)
  }
  return bytes
}

/** The text of a record in one view, linked to its texts in other views. They are few: a map for each row takes more memory. */
interface PresentedText {
  /** Identity of the view. */
  readonly view: object
  readonly text: string
  readonly next: PresentedText | undefined
}

/** Rows in order: by an attribute, if any, then by sequence. */
export class Rows {
  readonly items: Row[]
  readonly #by: string | undefined

  constructor(by?: string, items: Row[] = []) {
    this.#by = by
    this.items = items
  }

  /** Adds a row at its place. */
  add(row: Row): void {
    const place = this.placeOf(row)
    if (place === this.items.length) this.items.push(row)
    else this.items.splice(place, 0, row)
  }

  remove(row: Row): void {
    this.items.splice(this.placeOf(row), 1)
  }

  /** Puts a row in the place of the one with the same position. */
  exchange(row: Row): void {
    this.items[this.placeOf(row)] = row
  }

  copy(): Rows {
    return new Rows(this.#by, this.items.slice())
  }

  /** Returns the first place whose row does not precede the given one. */
  placeOf(row: Row): number {
    let low = 0
    let high = this.items.length
    if (high === 0 || this.#compare(this.items[high - 1]!, row) < 0) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(this.items[middle]!, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(one: Row, other: Row): number {
    if (this.#by !== undefined) {
      const left = one.record[this.#by] as string | number
      const right = other.record[this.#by] as string | number
      if (left < right) return -1
      if (left > right) return 1
    }
    return one.sequence - other.sequence
  }
}

/** The rows of a table by the value of an attribute, for each attribute that refers to another table. */
export class RowIndexes {
  /** By attribute, the rows by its value. */
  readonly byAttribute = new Map<string, Map<unknown, Rows>>()
  readonly #by: string | undefined

  constructor(attributes: readonly string[], by: string | undefined) {
    this.#by = by
    for (const attribute of attributes) this.byAttribute.set(attribute, new Map())
  }

  /** Returns the rows with a value, in order; `undefined` if the attribute has no index. */
  rows(attribute: string, value: unknown): readonly Row[] | undefined {
    const index = this.byAttribute.get(attribute)
    return index && (index.get(value)?.items ?? [])
  }

  copyFrom({ byAttribute }: RowIndexes): void {
    for (const [attribute, index] of byAttribute) {
      this.byAttribute.set(attribute, new Map(Array.from(index, ([value, rows]) => [value, rows.copy()])))
    }
  }

  /** Puts a row in the place of the one with the same position. */
  exchange(row: Row): void {
    for (const [attribute, index] of this.byAttribute) index.get(row.record[attribute])?.exchange(row)
  }

  /** Adds a row; after a change, only to lists where its previous record had another value or place. */
  add(row: Row, previous?: WireRecord, moves = true): void {
    for (const [attribute, index] of this.byAttribute) {
      const value = row.record[attribute]
      if (!moves && value === previous?.[attribute]) continue
      const rows = index.get(value)
      if (rows === undefined) index.set(value, new Rows(this.#by, [row]))
      else rows.add(row)
    }
  }

  /** Removes a row; before a change, only from lists where its next record has another value or place. */
  remove(row: Row, next?: WireRecord, moves = true): void {
    for (const [attribute, index] of this.byAttribute) {
      const value = row.record[attribute]
      if (moves || value !== next?.[attribute]) index.get(value)?.remove(row)
    }
  }
}
