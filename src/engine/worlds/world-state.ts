import type { Switches } from '../../assumptions/switches.ts'
import type { ModelState } from '../../factories/model.ts'
import type { ClockState } from '../clock.ts'
import type { FaultsState } from '../faults/faults.ts'
import type { WorldSettings } from './world-settings.ts'
import type { WorldStart } from './world-start.ts'

export interface Snapshot {
  /** The start or the import that the records come from. */
  readonly origin: WorldStart
  readonly state: ModelState
  /** The time of a frozen clock. */
  readonly frozenAt: number | undefined
}

/** Everything of a world that a storage or `undo` restores. */
export interface WorldState {
  readonly start: WorldStart
  /** The start or the import that the present records come from. */
  readonly origin: WorldStart
  readonly records: ModelState
  readonly clock: ClockState
  readonly switches: Switches
  readonly faults: FaultsState
  readonly snapshots: ReadonlyMap<string, Snapshot>
}

export interface StoredWorld {
  readonly name: string
  readonly requests: number
  readonly settings: WorldSettings
  readonly state: WorldState
}

/** Acts that replace everything in a world. */
export type ReplacingAct = 'reset' | 'restore' | 'import' | 'scenario'
