import { Collection } from '@msw/data'
import type { WireRecord } from '../resources/resource.ts'

type Loose = Collection<typeof anything>
/** A query, as the library's collections take it. */
export type Predicate = Parameters<Loose['findMany']>[0]
/** Paging, order and strictness, as the library's collections take them. */
export type SelectionOptions = Parameters<Loose['findMany']>[1]

/** The schema of records that have been checked elsewhere. */
const anything = {
  '~standard': {
    version: 1,
    vendor: 'pipeline-understudy',
    validate: (value: unknown) => ({ value: value as Record<string, unknown> }),
  },
} as const

/** Finds among records by the library's own queries, where the table itself is elsewhere. */
export function selectRecords(
  records: readonly WireRecord[],
  predicate?: Predicate,
  options?: SelectionOptions,
): WireRecord[] {
  const collection = new Collection({ schema: anything })
  // The library hands out its own list.
  const list = collection.all() as WireRecord[]
  for (const record of records) list.push(record)
  return collection.findMany(predicate, options)
}
