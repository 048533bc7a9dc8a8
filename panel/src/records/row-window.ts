import type { AnyRecord } from '../store/table.ts'
import { type MeantRows, useScrolledPage } from '../store/use-query.ts'

export const rowHeight = 32
/** Rows that are drawn above and below what is seen. */
const beyond = 12
/** A part that is read begins and ends at a multiple of this: not with each row that is scrolled. */
const step = 100

/** The position and the height of what is seen, in pixels. */
export interface ScrollView {
  readonly top: number
  readonly height: number
}

/** The rows that are seen of a table of any length. */
export interface RowWindow {
  /** The number of all; `undefined` until it is known. */
  readonly count: number | undefined
  /** The first that is drawn. */
  readonly first: number
  /** Those that are drawn; `undefined` where one has not come yet. */
  readonly rows: readonly (AnyRecord | undefined)[]
  /** True as long as the rows answer the question before. */
  readonly isSearching: boolean
}

/** Reads the part of the records that is seen; until it is there, the part before is shown. */
export function useRowWindow(plural: string, meant: MeantRows, { top, height }: ScrollView): RowWindow {
  const from = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const to = Math.ceil((top + height) / rowHeight) + beyond
  const offset = Math.floor(from / step) * step
  const limit = Math.ceil((to - offset) / step) * step
  const found = useScrolledPage(plural, meant, offset, limit)
  if (found === undefined) return { count: undefined, first: 0, rows: [], isSearching: true }
  const { records, count } = found.page
  const first = Math.min(from, count)
  const rows = Array.from(
    { length: Math.max(0, Math.min(to, count) - first) },
    (_, index) => records[first + index - found.offset],
  )
  return { count, first, rows, isSearching: JSON.stringify(found.meant) !== JSON.stringify(meant) }
}
