import type { JournalEntry } from '../library.ts'

/** Writes the query of a request, with its `?`. */
export function searchOf({ query }: Pick<JournalEntry, 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
