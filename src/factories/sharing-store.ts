import { copyInLayers } from './layered-rows.ts'
import { type Row, Rows } from './rows.ts'
import { Store } from './store.ts'

let lastNumber = 0

/**
 * A store whose copies have the same rows, and make one their own when it is written: a copy of each would stop the loop
 * where they are many.
 */
export class SharingStore extends Store {
  protected override readonly number = ++lastNumber

  protected override take({ rows, byKey, indexes, dueCount }: Store): void {
    const by = this.resource.order?.by
    this.rows = copyOf(rows, by)
    this.dueCount = dueCount
    this.byKey = copyInLayers(byKey)
    for (const [attribute, index] of indexes.byAttribute) {
      const copied = new Map<unknown, Rows>()
      for (const [value, found] of index) copied.set(value, copyOf(found, by))
      this.indexes.byAttribute.set(attribute, copied)
    }
  }

  protected override own(row: Row): Row {
    if (row.owner === this.number) return row
    const own = { ...row, owner: this.number }
    exchange(this.rows, own)
    this.byKey.set(own.key, own)
    for (const [attribute, index] of this.indexes.byAttribute) {
      const rows = index.get(own.record[attribute])
      if (rows !== undefined) exchange(rows, own)
    }
    return own
  }
}

function copyOf({ items }: Rows, by: string | undefined): Rows {
  return new Rows(by, items.slice())
}

/** Puts a row in the place of the one that holds the same. */
function exchange(rows: Rows, row: Row): void {
  rows.items[rows.placeOf(row)] = row
}
