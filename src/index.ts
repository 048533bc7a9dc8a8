export type { Assumption, AssumptionId } from './assumptions/index.ts'
export type { AssumptionSwitches } from './assumptions/switches.ts'
export type { Clock, ClockOption, ClockStep } from './engine/clock.ts'
export { createUnderstudy, type Understudy } from './engine/create-understudy.ts'
export type {
  Advanced,
  NextOptions,
  ScheduledEvent,
  ScheduledEvents,
  WorldEvent,
} from './engine/events/event-types.ts'
export type { Delivery, Waits } from './engine/faults/delivery.ts'
export { type Fault, FaultError } from './engine/faults/fault.ts'
export type { FaultEffect, Latency } from './engine/faults/fault-kinds.ts'
export type { ActiveFault, Adapter, Faults } from './engine/faults/faults.ts'
export type { FaultyVariant } from './engine/faulty-variant.ts'
export type { Har } from './engine/journal/har.ts'
export type { Journal, JournalFilter, JournalOptions } from './engine/journal/journal.ts'
export type { JournalChange, JournalEntry, JournalMessage } from './engine/journal/journal-entry.ts'
export type { UnderstudyReply, UnderstudyRequest } from './engine/messages.ts'
export type { RequestInput } from './engine/normalize-request.ts'
export type { UnderstudyOptions } from './engine/read-options.ts'
export type {
  Scenario,
  ScenarioClock,
  ScenarioControls,
  ScenarioScript,
  ScenarioSummary,
  Scenarios,
  ScenarioTarget,
} from './engine/scenarios/scenario.ts'
export type { StateStorage, StorageEvent, StorageListener } from './engine/state/state-storage.ts'
export type { ChangedPart, ChangeFeed, WorldChange } from './engine/worlds/change-stream.ts'
export type { ActiveAssumption, Assumptions, DifferenceFrom, World } from './engine/worlds/world.ts'
export type { AuthMode, WorldOptions } from './engine/worlds/world-settings.ts'
export type { ReplacingAct } from './engine/worlds/world-state.ts'
export type {
  FaultyVariantSummary,
  ProfileSummary,
  WorldSummary,
  Worlds,
  WorldsOptions,
} from './engine/worlds/worlds.ts'
export type { ResourceDifference, StateDifference, UpdatedRecord } from './factories/difference.ts'
export type { Factory } from './factories/factory.ts'
export type { FixtureContents, FixtureInput, FixtureRecord } from './factories/fixture-contents.ts'
export { FixtureError } from './factories/fixture-error.ts'
export type { Fixture } from './factories/fixture-type.ts'
export type { Factories, Tables } from './factories/tables.ts'
export type { EventKind } from './resources/event-words.ts'
export type { LastError, Logs } from './resources/log/controls/last-errors.ts'
export type { Runs, RunTarget } from './resources/pipeline-run/controls/runs.ts'
export type { RunScript } from './resources/pipeline-run/script.ts'
export type { CustomOperations, OperationId, OperationName } from './resources/table-types.ts'
export type { ImportOptions } from './shared/import-options.ts'
export type { Flaw } from './shared/issues.ts'
export { RecordError } from './shared/record-error.ts'
export { UnderstudyError, type UnderstudyErrorCode } from './shared/understudy-error.ts'
