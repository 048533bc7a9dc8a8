import type { AssumptionSwitches } from '../assumptions/switches.ts'
import type { FixtureInput } from '../factories/fixture-contents.ts'
import type { Profile } from '../profiles/define-profile.ts'
import { duration, type OptionCheck, type OptionChecks, wholeNumber } from '../shared/check-options.ts'
import { isNested, isObject } from '../shared/values.ts'
import { type ClockOption, isRate } from './clock.ts'
import type { Fault } from './faults/fault.ts'
import type { FaultyVariant } from './faulty-variant.ts'
import type { JournalOptions } from './journal/journal.ts'
import type { Scenarios } from './scenarios/scenario.ts'
import type { StateStorage, StorageListener } from './state/state-storage.ts'
import { type AuthMode, authModeNames } from './worlds/world-settings.ts'
import type { WorldsOptions } from './worlds/worlds.ts'

export interface UnderstudyOptions {
  /** Initial state of each world. Default: `{}`. */
  readonly fixture?: FixtureInput
  /** Seed of ids and tokens. Default 1. */
  readonly seed?: number
  /**
   * Clock: `frozen` (default: at the fixture's `clock`, else 2026-01-01), `system`, a custom `{ now() }` in
   * milliseconds, or a multiple of the system's speed: `{ speed: 60, start: '2026-01-31 20:00:00' }`, by
   * default from now.
   */
  readonly clock?: ClockOption
  /** Credentials that requests need. Default: `open`, none. */
  readonly auth?: AuthMode
  /** Emulates a specific real server: `mageAi0979` from `pipeline-understudy/profiles`. */
  readonly profile?: Profile
  /** Defect of the mock, such as one of `serve --broken`. Default: none. */
  readonly faultyVariant?: FaultyVariant
  /**
   * Profiles by name, for `worlds.create`. The built-in ones are `profiles` of
   * `pipeline-understudy/profiles`.
   */
  readonly profiles?: Readonly<Record<string, Profile>>
  /** Faulty variants by name, for `worlds.create`. */
  readonly faultyVariants?: Readonly<Record<string, FaultyVariant>>
  /** Choices where the specification is silent, by assumption id. */
  readonly assumptions?: AssumptionSwitches
  /** Initial faults of each world. */
  readonly faults?: readonly Fault[]
  /**
   * Scenarios by name, for `scenarios.start`. The built-in ones are `scenarios` of
   * `pipeline-understudy/scenarios`.
   */
  readonly scenarios?: Scenarios
  /** Limits of the request log; `false` stores no requests, at no cost. */
  readonly journal?: JournalOptions | false
  /**
   * Maximum memory for the records of all worlds, in estimated bytes. Beyond it, the API rejects requests that create or
   * update records. Default: half of the heap limit in Node.js, 512 MB in a page.
   */
  readonly maxMemory?: number
  /** Maximum number and lifetime of worlds. */
  readonly worlds?: WorldsOptions
  /** Stores the state of all worlds beyond the process or page: `fileStorage('state.json')`. Default: none. */
  readonly storage?: StateStorage
  /** Receives the events of the storage. Default: problems go to `console.warn`. */
  readonly onStorage?: StorageListener
}

const anyObject: OptionCheck = { expected: 'an object', accepts: isNested }
const listener: OptionCheck = { expected: 'a function', accepts: (value) => typeof value === 'function' }

const journalChecks: OptionChecks<JournalOptions> = {
  entries: wholeNumber(0),
  bytes: wholeNumber(0),
  dropped: listener,
}
const worldsChecks: OptionChecks<WorldsOptions> = {
  most: wholeNumber(1),
  idle: duration,
  evicted: listener,
  limited: listener,
}

/** The check of each option. Other modules validate the contents of fixture, assumptions and faults. */
export const understudyChecks: OptionChecks<UnderstudyOptions> = {
  // The reader of fixtures reports other wrong values with their path.
  fixture: {
    expected: "an object, such as demo from 'pipeline-understudy/fixtures'",
    accepts: (value) => typeof value === 'object',
  },
  seed: { expected: 'an integer', accepts: Number.isSafeInteger },
  clock: {
    expected:
      "frozen, system, an object with now(), or { speed: 60 }; a frozen clock starts at the fixture's clock",
    accepts: isClockOption,
  },
  auth: {
    expected: `one of ${authModeNames.join(', ')}`,
    accepts: (value) => authModeNames.some((name) => name === value),
  },
  profile: {
    expected: "a profile, such as mageAi0979 from 'pipeline-understudy/profiles'",
    accepts: isNested,
  },
  faultyVariant: anyObject,
  profiles: anyObject,
  faultyVariants: anyObject,
  assumptions: anyObject,
  faults: { expected: 'a list', accepts: Array.isArray },
  scenarios: anyObject,
  journal: {
    expected: 'false or an object',
    accepts: (value) => value === false || isObject(value),
    members: journalChecks,
  },
  maxMemory: wholeNumber(1),
  worlds: { expected: 'an object', accepts: isObject, members: worldsChecks },
  storage: {
    expected: "a storage, such as fileStorage('state.json') from 'pipeline-understudy/storage/file'",
    accepts: (value) => isNested(value) && typeof value.connect === 'function',
  },
  onStorage: listener,
}

function isClockOption(value: unknown): boolean {
  if (value === 'frozen' || value === 'system') return true
  return isRate(value) || (isNested(value) && typeof value.now === 'function')
}
