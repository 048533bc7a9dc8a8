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
export type { Delivery, Waits } from './engine/faults/delivery.ts'
export { type Fault, FaultError } from './engine/faults/fault.ts'
export type { FaultEffect, Latency } from './engine/faults/fault-kinds.ts'
export type { ActiveFault, Faults } from './engine/faults/faults.ts'
export type { Har } from './engine/journal/har.ts'
export type { Journal, JournalFilter, JournalOptions } from './engine/journal/journal.ts'
export type { JournalChange, JournalEntry, JournalMessage } from './engine/journal/journal-entry.ts'
export type { UnderstudyReply, UnderstudyRequest } from './engine/messages.ts'
export type { ActiveAssumption, Assumptions, World } from './engine/worlds/world.ts'
export type { WorldSummary, Worlds, WorldsOptions } from './engine/worlds/worlds.ts'
export type { Factory } from './factories/factory.ts'
export { type Fixture, FixtureError } from './factories/fixture.ts'
export type { Factories, Tables } from './factories/tables.ts'
export type { Runs, RunTarget } from './resources/pipeline-run/controls.ts'
export type { RunScript } from './resources/pipeline-run/script.ts'
export type { Flaw } from './wire/issues.ts'
export { RecordError } from './wire/record-error.ts'
export { UnderstudyError, type UnderstudyErrorCode } from './wire/understudy-error.ts'
