import type { Row } from './rows.ts'
import type { KeyedRows } from './store.ts'

type Layer = ReadonlyMap<string, Row | undefined>

/** Up to how many rows a copy has its own: looking for a key in two places costs more than copying so few. */
const few = 1_000

/**
 * The same rows by their keys, to be changed by themselves. A copy of many is no copy of all: what is written from now on
 * lies over what was, which nobody writes any more.
 */
export function copyInLayers(rows: KeyedRows): KeyedRows {
  if (rows instanceof LayeredRows) return rows.copy()
  const all = rows as Map<string, Row>
  return all.size <= few ? new Map(all) : new LayeredRows([all], new Map())
}

/** Rows in layers: what has been written last lies uppermost. */
class LayeredRows implements KeyedRows {
  /** What lies below, the lowest first; a key without a row has been taken out of what is below it. */
  readonly #below: readonly Layer[]
  readonly #top: Map<string, Row | undefined>

  constructor(below: readonly Layer[], top: Map<string, Row | undefined>) {
    this.#below = below
    this.#top = top
  }

  get(key: string): Row | undefined {
    const row = this.#top.get(key)
    if (row !== undefined || this.#top.has(key)) return row
    return this.#findBelow(key)
  }

  #findBelow(key: string): Row | undefined {
    return this.#below.findLast((layer) => layer.has(key))?.get(key)
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  set(key: string, row: Row): void {
    this.#top.set(key, row)
  }

  delete(key: string): void {
    // Only what is below has to be said to be gone: of what came and went, nothing is to stay.
    if (this.#findBelow(key) === undefined) this.#top.delete(key)
    else this.#top.set(key, undefined)
  }

  copy(): LayeredRows {
    if (this.#top.size <= few) return new LayeredRows(this.#below, new Map(this.#top))
    const below = [...this.#below]
    let top: Layer = this.#top
    // Each at least twice as long as the one above it: a key is looked for in few of them.
    while (below.length > 0 && below.at(-1)!.size < top.size * 2) {
      const merged = new Map(below.pop())
      for (const [key, row] of top) {
        if (row === undefined && below.length === 0) merged.delete(key)
        else merged.set(key, row)
      }
      top = merged
    }
    return new LayeredRows([...below, top], new Map())
  }
}
