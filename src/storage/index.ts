import { openState } from '../engine/state/open-state.ts'
import type { StatePlace } from '../engine/state/state-place.ts'
import type { StateStorage } from '../engine/state/state-storage.ts'

export type { StatePlace } from '../engine/state/state-place.ts'
export { StorageError } from '../engine/state/storage-error.ts'

/**
 * Creates a storage from a place that stores a text.
 *
 * @example
 * const understudy = createUnderstudy({ storage: createStorage({ name: 'memory', read, write }) })
 * await understudy.ready
 */
export function createStorage(place: StatePlace): StateStorage {
  return { connect: (worlds, onStorage) => openState(place, worlds, onStorage) }
}
