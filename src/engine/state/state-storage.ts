import type { WorldMap } from '../worlds/worlds.ts'

/** Reports what happens to a stored state. */
export interface StorageEvent {
  /**
   * `loaded`: read. `created`: there was no state. `waiting`: another process may use it. `set aside`: damaged or
   * of another version, and renamed. `left out`: a fault of it is no longer possible. `failed`: saving failed; the mock
   * reports it once and retries. `recovered`: saving works again.
   */
  readonly kind: 'loaded' | 'created' | 'waiting' | 'set aside' | 'left out' | 'failed' | 'recovered'
  readonly text: string
  /** Time of a loaded state, such as `2026-01-31T12:00:00.000Z`. */
  readonly savedAt?: string
  /** The number of worlds in a loaded state. */
  readonly worlds?: number
}

/** Kinds of events that are not problems. */
export const routineKinds: readonly StorageEvent['kind'][] = ['loaded', 'created', 'recovered']

/** Receives the events of a storage. */
export type StorageListener = (event: StorageEvent) => void

/** Saves the state of a mock until it closes. */
export interface StateSession {
  /** Saves the last changes and releases the storage; rejects if saving fails. */
  close(): Promise<void>
  /** Releases the storage without saving. */
  abandon(): Promise<void>
}

/**
 * Stores the state of a mock beyond its process or page: `fileStorage('state.json')`,
 * `indexedDbStorage('my-app')`, or `createStorage` for a place of your own. It contains the code that reads
 * and writes states, so that a page without a storage does not load it.
 */
export interface StateStorage {
  /** Loads the stored state into the worlds, then saves their changes. */
  connect(worlds: WorldMap, onStorage: StorageListener | undefined): Promise<StateSession>
}
