export { type Assumption, type AssumptionId, assumptions } from './assumptions/index.ts'
export type { AssumptionSwitches } from './assumptions/switches.ts'
export type { AuthMode } from './engine/authorize.ts'
export type { Clock, ClockOption } from './engine/clock.ts'
export {
  createUnderstudy,
  type Understudy,
  type UnderstudyOptions,
} from './engine/create-understudy.ts'
export type { UnderstudyReply, UnderstudyRequest } from './engine/messages.ts'
export type { RunScript, Runs, RunTarget } from './engine/runs.ts'
export type { Factories, Tables } from './engine/types.ts'
export type { Factory } from './factories/factory.ts'
export { type Fixture, FixtureError } from './factories/fixture.ts'
export { RecordError } from './factories/record-error.ts'
