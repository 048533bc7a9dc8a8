import { useRef } from 'preact/hooks'
import type { PagedRecords } from '../../../src/factories/collection-types.ts'
import type { AnyRecord } from '../store/any-table.ts'
import { type MeantRows, usePage } from '../store/use-rows.ts'

export const rowHeight = 32
/** MeantRows that are drawn above and below what is seen. */
const beyond = 12
/** Where a part that is asked for begins and ends: not with each row that is scrolled. */
const step = 100

/** The rows that are seen of a table of any length. */
export interface RowWindow {
  /** How many there are in all; `undefined` until that is known. */
  readonly count: number | undefined
  /** The first that is drawn. */
  readonly first: number
  /** Those that are drawn; `undefined` where one has not come yet. */
  readonly rows: readonly (AnyRecord | undefined)[]
  /** Whether what is shown is of the question before. */
  readonly isSearching: boolean
}

/** Asks for the part of the records that is seen; until it is there, what is known of it is shown. */
export function useRowWindow(
  plural: string,
  rows: MeantRows,
  view: { top: number; height: number },
): RowWindow {
  const before = useRef<KnownPage | undefined>(undefined)
  const from = Math.max(0, Math.floor(view.top / rowHeight) - beyond)
  const to = Math.ceil((view.top + view.height) / rowHeight) + beyond
  const offset = Math.floor(from / step) * step
  const limit = Math.ceil((to - offset) / step) * step
  const question = JSON.stringify([plural, rows])
  const page = usePage(plural, { ...rows, offset, limit })
  if (page !== undefined) before.current = { question, offset, page }
  const known = before.current
  if (known === undefined) return { count: undefined, first: 0, rows: [], isSearching: true }
  const { count, records } = known.page
  const first = Math.min(from, count)
  const shown = Array.from({ length: Math.max(0, Math.min(to, count) - first) }, (_, index) => {
    const record = records[first + index - known.offset]
    return first + index < known.offset ? undefined : record
  })
  return { count, first, rows: shown, isSearching: known.question !== question }
}

interface KnownPage {
  readonly question: string
  readonly offset: number
  readonly page: PagedRecords<AnyRecord>
}
