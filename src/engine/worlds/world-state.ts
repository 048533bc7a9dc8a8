import type { Switches } from '../../assumptions/switches.ts'
import type { ModelState } from '../../factories/model.ts'
import type { ClockState } from '../clock.ts'
import type { FaultsState } from '../faults/faults.ts'
import type { WorldSettings, WorldStart } from './world-start.ts'

/** The records of a moment, what they came from, and where a frozen clock stood. */
export interface Snapshot {
  readonly origin: WorldStart
  readonly state: ModelState
  readonly frozenAt: number | undefined
}

/** Everything of a world that outlives a process, but for its present records. */
export interface WorldState {
  readonly start: WorldStart
  /** What the present records come from: the start, or what was imported since. */
  readonly origin: WorldStart
  readonly clock: ClockState
  readonly switches: Switches
  readonly faults: FaultsState
  readonly snapshots: ReadonlyMap<string, Snapshot>
}

/** A world as it was kept, ready to be taken up. */
export interface KeptWorld {
  readonly name: string
  readonly requests: number
  readonly settings: WorldSettings
  readonly state: WorldState & { readonly state: ModelState }
}

/** What replaces everything there is in a world. */
export type ReplacingAct = 'reset' | 'restore' | 'import' | 'scenario'
