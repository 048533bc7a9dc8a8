import { type AnyRecord, tableOf } from '../store/table.ts'
import { type MeantRows, useQuery } from '../store/use-query.ts'

export const rowHeight = 32
/** Extra rows above and below the visible ones. */
const beyond = 12
/** Pages begin and end at a multiple of this, so that not every scrolled row needs a request. */
const step = 100

/** The position and the height of the visible part, in pixels. */
export interface ScrollView {
  readonly top: number
  readonly height: number
}

/** The visible rows of a table of any length. */
export interface RowWindow {
  /** The number of all rows; `undefined` while it loads. */
  readonly count: number | undefined
  /** The index of the first rendered row. */
  readonly first: number
  /** The rendered rows; `undefined` for one that is loading. */
  readonly rows: readonly (AnyRecord | undefined)[]
  /** True while the rows are those of the previous query. */
  readonly isSearching: boolean
}

/** Reads the visible part of the records; returns the previous part while it loads. */
export function useRowWindow(plural: string, meant: MeantRows, { top, height }: ScrollView): RowWindow {
  const from = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const to = Math.ceil((top + height) / rowHeight) + beyond
  const offset = Math.floor(from / step) * step
  const limit = Math.ceil((to - offset) / step) * step
  const found = useQuery(`records/${plural}`, ['scrolled', meant, offset, limit], async (of) => {
    return { meant, offset, ...(await tableOf(of, plural).page({ ...meant, offset, limit })) }
  })
  if (found === undefined) return { count: undefined, first: 0, rows: [], isSearching: true }
  const { records, count } = found
  const first = Math.min(from, count)
  const length = Math.max(0, Math.min(to, count) - first)
  const rows = Array.from({ length }, (_, index) => records[first + index - found.offset])
  return { count, first, rows, isSearching: JSON.stringify(found.meant) !== JSON.stringify(meant) }
}
