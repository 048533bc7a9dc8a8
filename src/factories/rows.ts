import type { WireRecord } from '../resources/resource.ts'

/** A place in a table: its record is replaced by each change; the texts are those of the present record. */
export interface Row {
  record: WireRecord
  /** What identifies the record in its table. */
  readonly key: string
  readonly sequence: number
  /** The presented texts of the record, the newest first. */
  texts: PresentedText | undefined
  /** Number of the store that may write to the row; other stores that share it copy it first. */
  readonly owner: number
}

/** The text of a record in one view, and its texts in others: they are few, and a map for each row would be dear. */
interface PresentedText {
  /** Which attributes are presented, and how. */
  readonly view: object
  readonly text: string
  readonly next: PresentedText | undefined
}

/** Rows in order: by an attribute where one is given, then by the sequence in which they came. */
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

  /** The first place whose row does not come before the given one. */
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
