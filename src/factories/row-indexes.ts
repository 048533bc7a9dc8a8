import type { WireRecord } from '../resources/resource.ts'
import { type Row, Rows } from './rows.ts'

/** The rows of a table by the value of an attribute, for each attribute that refers to another table. */
export class RowIndexes {
  /** By attribute, the rows by its value. */
  readonly byAttribute = new Map<string, Map<unknown, Rows>>()
  readonly #by: string | undefined

  constructor(attributes: readonly string[], by: string | undefined) {
    this.#by = by
    for (const attribute of attributes) this.byAttribute.set(attribute, new Map())
  }

  /** The rows with a value, in order; `undefined` where the attribute has no index. */
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

  add(row: Row): void {
    for (const [attribute, index] of this.byAttribute) this.#put(row, index, row.record[attribute])
  }

  remove(row: Row): void {
    for (const [attribute, index] of this.byAttribute) index.get(row.record[attribute])?.remove(row)
  }

  /** Takes a row out where its next record has another value, or another place in the order. */
  leave(row: Row, next: WireRecord, moves: boolean): void {
    for (const [attribute, index] of this.byAttribute) {
      const value = row.record[attribute]
      if (moves || value !== next[attribute]) index.get(value)?.remove(row)
    }
  }

  /** Puts a row back where it has left before its record was replaced. */
  join(row: Row, previous: WireRecord, moves: boolean): void {
    for (const [attribute, index] of this.byAttribute) {
      const value = row.record[attribute]
      if (moves || value !== previous[attribute]) this.#put(row, index, value)
    }
  }

  #put(row: Row, index: Map<unknown, Rows>, value: unknown): void {
    const rows = index.get(value)
    // Begun with a row, so that the list is not enlarged with the same record as the table's: for a million, each takes long.
    if (rows === undefined) index.set(value, new Rows(this.#by, [row]))
    else rows.add(row)
  }
}
