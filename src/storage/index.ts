import { openState } from '../engine/state/open-state.ts'
import type { StatePlace } from '../engine/state/state-place.ts'
import type { StateStorage } from '../engine/state/state-storage.ts'

export type { StatePlace } from '../engine/state/state-place.ts'
export { StorageError } from '../engine/state/storage-error.ts'

/**
 * Makes a storage of a place that keeps bytes.
 *
 * @example
 * const understudy = createUnderstudy({ storage: createStorage({ name: 'memory', read, write }) })
 * await understudy.ready
 */
export function createStorage(place: StatePlace): StateStorage {
  return { name: place.name, keep: (host) => openState(place, host) }
}
