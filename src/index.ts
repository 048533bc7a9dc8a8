export { type Assumption, type AssumptionId, assumptions } from './assumptions/index.ts'
export type { AssumptionSwitches } from './assumptions/switches.ts'
export type { AuthMode } from './engine/authorize.ts'
export type { Clock, ClockOption } from './engine/clock.ts'
export {
  createUnderstudy,
  type Face,
  type Understudy,
  type UnderstudyOptions,
} from './engine/create-understudy.ts'
export type { Delivery, Waits } from './engine/delivery.ts'
export { type Fault, type FaultEffect, FaultError, type Latency } from './engine/fault.ts'
export type { ActiveFault, Faults } from './engine/faults.ts'
export type { Har } from './engine/har.ts'
export type { Journal, JournalFilter, JournalOptions } from './engine/journal.ts'
export type { JournalChange, JournalEntry, JournalMessage } from './engine/journal-entry.ts'
export type { UnderstudyReply, UnderstudyRequest } from './engine/messages.ts'
export type { RunScript, Runs, RunTarget } from './engine/runs.ts'
export type { Factories, Tables } from './engine/types.ts'
export type { ActiveAssumption, Assumptions, World } from './engine/world.ts'
export type { WorldSummary, Worlds, WorldsOptions } from './engine/worlds.ts'
export type { Factory } from './factories/factory.ts'
export { type Fixture, FixtureError } from './factories/fixture.ts'
export { RecordError } from './factories/record-error.ts'
