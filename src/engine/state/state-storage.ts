import type { Fixture } from '../../factories/fixture-type.ts'
import type { WorldSettings } from '../worlds/world-start.ts'
import type { WorldMap } from '../worlds/worlds.ts'

/** What happens to a state that is kept; what is a problem goes to the console unless somebody asks to be told. */
export interface StorageEvent {
  /**
   * `loaded`: there is a state. `begun`: there is none yet. `another fixture`, `another clock`: the state was made with one.
   * `earlier`: it is of a moment that this machine's clock has yet to reach. `linked`: its file has other names, too.
   * `left out`: faults or worlds that no longer can be. `set aside`: it was broken, or not ours.
   * `waiting`: somebody else may use it. `failed`: it cannot be kept, which is said once
   * and tried again. `recovered`: it can be kept again.
   */
  readonly kind:
    | 'loaded'
    | 'begun'
    | 'another fixture'
    | 'another clock'
    | 'earlier'
    | 'linked'
    | 'left out'
    | 'waiting'
    | 'set aside'
    | 'failed'
    | 'recovered'
  readonly text: string
  /** Of what is loaded: when it was kept, as `2026-01-31T12:00:00.000Z`, and how many worlds there are. */
  readonly savedAt?: string
  readonly worlds?: number
}

/** Told of what happens to the state that is kept. */
export type StorageListener = (event: StorageEvent) => void

/** What is kept of an understudy, and who is told of it. */
export interface StateHost {
  readonly worlds: WorldMap
  readonly settings: WorldSettings
  readonly fixture: Fixture
  readonly told: StorageListener | undefined
}

/** Whoever keeps a state. */
export interface StateKeeping {
  /** Keeps what has changed since; throws where it cannot be kept. */
  close(): Promise<void>
  /** Keeps nothing more. */
  leave(): Promise<void>
}

/**
 * Where the state of an understudy outlives its process or page: `fileStorage('state.json')`,
 * `indexedDbStorage('my-app')`, or `createStorage` for a place of one's own. It brings with it what reads and writes
 * states, so that who has none does not load that.
 */
export interface StateStorage {
  readonly name: string
  /** Takes up what is kept, then keeps what there is. Throws where what is kept is not to be touched. */
  keep(host: StateHost): Promise<StateKeeping>
}
