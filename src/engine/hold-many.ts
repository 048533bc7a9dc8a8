import { SharingStore } from '../factories/sharing-store.ts'
import { sortInSlices } from '../factories/sort-in-slices.ts'
import { type Store, ways } from '../factories/store.ts'
import * as limits from '../shared/limits.ts'
import type { Slices } from '../shared/slices.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { weigh } from '../shared/weigh.ts'
import { foldRecords } from './fold-records.ts'

/**
 * From here on there may be many records, as a server is given them by others: nobody waits for all of a table to be copied
 * or sorted, and what worlds begin with is weighed.
 */
export function holdMany(): void {
  foldRecords()
  ways.createStore = (resource) => new SharingStore(resource)
  ways.sort = sortInSlices
  ways.weigh = weighStores
}

/** What a row takes besides its record, in bytes. */
const bytesOfRow = 200

/** @throws UnderstudyError where they take too many, with those of other worlds. */
function* weighStores(stores: ReadonlyMap<string, Store>, others: () => number): Slices<number> {
  let weight = 0
  for (const { rows } of stores.values()) {
    for (const { record } of rows.items) {
      weight += bytesOfRow + weigh(record)
      yield
    }
  }
  if (others() + weight <= limits.worldFixtures) return weight
  throw new UnderstudyError(
    'CONFLICT',
    `The fixtures of worlds may take ${limits.worldFixtures / 1024 / 1024} MB together; delete worlds that have one of their own.`,
  )
}
