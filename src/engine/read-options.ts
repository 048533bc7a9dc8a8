import * as z from 'zod/mini'
import type { AssumptionSwitches } from '../assumptions/switches.ts'
import type { FixtureInput } from '../factories/fixture-contents.ts'
import type { Profile } from '../profiles/define-profile.ts'
import { count, duration, positiveInteger } from '../resources/attributes.ts'
import { firstFlaw } from '../shared/issues.ts'
import { unknownKey } from '../shared/suggest.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { isNested } from '../shared/values.ts'
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
  /** Credentials that requests need. Default `open`: none. */
  readonly auth?: AuthMode
  /** Emulates a specific real server: `mageAi0979` from `pipeline-understudy/profiles`. */
  readonly profile?: Profile
  /** Server-wide bug: `serve --broken` has some. Default: none. */
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

const instance = z.custom<object>(isNested, 'an object')
const listener = z.custom<() => void>((value) => typeof value === 'function', 'a function')

/** A schema for each option: an option without one does not compile. */
type SchemaOfEach<Options> = Readonly<Record<keyof Options, z.ZodMiniType>>

/**
 * Schema of the options of `createUnderstudy`. Other modules validate the contents of fixture, assumptions
 * and faults.
 */
const schema = z.strictObject({
  // The reader of fixtures reports other wrong values with their path.
  fixture: z.optional(z.custom((value) => typeof value === 'object')),
  seed: z.optional(z.int()),
  clock: z.optional(
    z.union([
      z.enum(['frozen', 'system']),
      z.custom<object>((value) => isNested(value) && typeof value.now === 'function'),
      z.custom<object>(isRate),
    ]),
  ),
  auth: z.optional(z.enum(authModeNames)),
  profile: z.optional(
    z.custom<object>(isNested, "a profile, such as mageAi0979 from 'pipeline-understudy/profiles'"),
  ),
  faultyVariant: z.optional(instance),
  profiles: z.optional(instance),
  faultyVariants: z.optional(instance),
  assumptions: z.optional(instance),
  faults: z.optional(z.array(z.unknown())),
  scenarios: z.optional(instance),
  journal: z.optional(
    z.union([
      // A page would load `z.literal` for this alone.
      z.custom<false>((value) => value === false, 'false'),
      z.strictObject({
        entries: z.optional(count),
        bytes: z.optional(count),
        dropped: z.optional(listener),
      } satisfies SchemaOfEach<JournalOptions>),
    ]),
  ),
  maxMemory: z.optional(positiveInteger),
  worlds: z.optional(
    z.strictObject({
      most: z.optional(positiveInteger),
      idle: z.optional(duration),
      forgotten: z.optional(listener),
      limited: z.optional(listener),
    } satisfies SchemaOfEach<WorldsOptions>),
  ),
  storage: z.optional(
    z.custom<object>(
      (value) => isNested(value) && typeof value.connect === 'function',
      "a storage, such as fileStorage('state.json') from 'pipeline-understudy/storage/file'",
    ),
  ),
  onStorage: z.optional(listener),
} satisfies SchemaOfEach<UnderstudyOptions>)

export function optionNames(): string[] {
  return Object.keys(schema.shape)
}

export function checkOptions(options: UnderstudyOptions): void {
  const parsed = schema.safeParse(options)
  if (parsed.success) return
  const [flaw, isUnknownName] = firstFlaw(parsed.error, options, '')
  const { path } = flaw
  const { expected, found } = isUnknownName ? unknownKey(path, optionNames()) : flaw
  throw new UnderstudyError(
    'OPTION_INVALID',
    `${path || 'options'}: expected ${hints[path] ?? expected}; found ${found}.`,
  )
}

const hints: Readonly<Record<string, string>> = {
  clock:
    "frozen, system, an object with now(), or { speed: 60 }; a frozen clock starts at the fixture's clock",
  fixture: "an object, such as demo from 'pipeline-understudy/fixtures'",
}
