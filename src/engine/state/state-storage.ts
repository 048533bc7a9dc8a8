import type { WorldSettings } from '../worlds/world-settings.ts'
import type { WorldMap } from '../worlds/worlds.ts'

/** Reports what happens to a stored state. */
export interface StorageEvent {
  /**
   * `loaded`: the state was read. `created`: there was none. `waiting`: another process may use it. `set aside`: it was
   * damaged or has another version, and was renamed. `left out`: a fault of it is no longer possible. `failed`: it cannot
   * be saved, which is reported once and tried again. `recovered`: it is saved again.
   */
  readonly kind: 'loaded' | 'created' | 'waiting' | 'set aside' | 'left out' | 'failed' | 'recovered'
  readonly text: string
  /** When a loaded state was saved, as `2026-01-31T12:00:00.000Z`. */
  readonly savedAt?: string
  /** The number of worlds in a loaded state. */
  readonly worlds?: number
}

/** Kinds of events that are not problems. */
export const routineKinds: readonly StorageEvent['kind'][] = ['loaded', 'created', 'recovered']

/** Receives the events of a storage. */
export type StorageListener = (event: StorageEvent) => void

/** The worlds whose state is stored, and the listener for events. */
export interface StateHost {
  readonly worlds: WorldMap
  readonly settings: WorldSettings
  readonly onStorage: StorageListener | undefined
}

/** Saves the state of an understudy until it is closed. */
export interface StateSession {
  /** Saves the last changes and releases the storage; rejects where they cannot be saved. */
  close(): Promise<void>
  /** Releases the storage without saving. */
  abandon(): Promise<void>
}

/**
 * Stores the state of an understudy beyond its process or page: `fileStorage('state.json')`,
 * `indexedDbStorage('my-app')`, or `createStorage` for a place of your own. It brings the code that reads and writes
 * states, so that a page without a storage does not load it.
 */
export interface StateStorage {
  readonly name: string
  /** Loads the stored state into the worlds, then saves their changes. */
  connect(host: StateHost): Promise<StateSession>
}
