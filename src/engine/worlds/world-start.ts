import type { AssumptionSwitches, Switches } from '../../assumptions/switches.ts'
import type { LeftOut } from '../../factories/due-times.ts'
import { fixtureClock, type LoadedFixture, loadFixture } from '../../factories/fixture.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import type { ModelState } from '../../factories/model.ts'
import type { Profile } from '../../profiles/define-profile.ts'
import type { Resource } from '../../resources/resource.ts'
import type { Slices } from '../../shared/slices.ts'
import { type TimeSource, WorldClock } from '../clock.ts'
import type { Fault } from '../faults/fault.ts'
import type { FaultContext } from '../faults/faults.ts'
import type { JournalOptions } from '../journal/journal.ts'
import type { JournalBudget } from '../journal/journal-budget.ts'
import { Redactor } from '../journal/redact.ts'
import { Router } from '../router.ts'
import type { Scenarios } from '../scenarios/scenario.ts'
import type { ChangeCounter } from '../state/change-counter.ts'
import type { Tokens } from '../tokens.ts'
import type { ChangeStream } from './change-stream.ts'

/** What may be checked of a request: nothing, the API key, or the API key and an OAuth token (`auth-mode`). */
export const authModes = {
  open: { asksForKey: false, asksForToken: false },
  key: { asksForKey: true, asksForToken: false },
  login: { asksForKey: true, asksForToken: true },
} as const
/** What is checked of requests. */
export type AuthMode = keyof typeof authModes
export const authModeNames = Object.keys(authModes) as readonly AuthMode[] // The table's own names.

/** What all worlds of an understudy have in common. */
export interface WorldSettings {
  readonly seed: number
  readonly auth: AuthMode
  readonly profile: Profile | undefined
  readonly time: TimeSource
  readonly tokens: Tokens
  /** The choices that were given, whichever profile is taken. */
  readonly assumptions: AssumptionSwitches | undefined
  /** The choices that a world begins with: these, those of its profile, and the defaults. */
  readonly switches: Switches
  /** The faults that a world begins with. */
  readonly faults: readonly Fault[]
  readonly journal: JournalOptions
  /** What the journals of all worlds may take together. */
  readonly journalBudget?: JournalBudget
  /** How many worlds there are. */
  readonly worldCount: () => number
  readonly isStrict: boolean
  /** Told of what a step of a world's clock has left out. */
  readonly limited: ((world: string, leftOut: LeftOut) => void) | undefined
  /** Where all that changes is noted. */
  readonly changes: ChangeCounter
  /** The worlds of whose changes somebody wants to hear. */
  readonly heard: Set<ChangeStream>
  /** The scenarios that can be started by name. */
  readonly scenarios: Scenarios | undefined
  readonly refusal: FaultContext['refusal']
}

/** What a world begins with, and goes back to; worlds that begin with the same share it. */
export interface WorldStart {
  readonly resources: readonly Resource[]
  readonly router: Router
  readonly redactor: Redactor
  readonly state: ModelState
  readonly apiKeys: readonly string[]
  /** Where a frozen clock stands, in milliseconds since the epoch. */
  readonly clock: number | undefined
}

/**
 * Reads what worlds begin with; moments in the fixture are relative to the clock, by default that of a new world, and to
 * its own moment where the clock is to stand there.
 *
 * @throws FixtureError where the fixture is broken.
 */
export function* readWorldStart(
  fixture: Fixture,
  settings: WorldSettings,
  given?: WorldClock,
): Slices<WorldStart> {
  const start = fixtureClock(fixture)
  const standsThere = start !== undefined && given?.startsFrozen
  const clock = standsThere ? { now: () => start } : (given ?? new WorldClock(settings.time, start))
  return createWorldStart(yield* loadRecords(fixture, settings, clock), start)
}

/** Reads the records of a fixture, as the resources of an understudy have them. */
export function loadRecords(
  fixture: Fixture,
  { seed, switches, tokens, profile }: WorldSettings,
  clock: { now(): number },
): Slices<LoadedFixture> {
  return loadFixture(fixture, {
    seed,
    switches,
    signToken: tokens.sign,
    now: () => clock.now(),
    ...(profile !== undefined && { deviate: (documented) => profile.apply(documented, profile) }),
  })
}

/** Makes of records what worlds begin with; where a frozen clock stands is in milliseconds since the epoch. */
export function createWorldStart(
  { resources, state, apiKeys }: LoadedFixture,
  clock: number | undefined,
): WorldStart {
  return {
    resources,
    router: new Router(resources),
    redactor: new Redactor(resources),
    state,
    apiKeys,
    clock,
  }
}

/** The resource whose records requests present as tokens, where there is one. */
export function findAuthenticator({ resources }: WorldStart): Resource | undefined {
  return resources.find(({ authenticates }) => authenticates !== undefined)
}
