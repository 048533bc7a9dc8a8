import { type AssumptionSwitches, readSwitches, type Switches } from '../../assumptions/switches.ts'
import { viewAsFixture } from '../../factories/export.ts'
import { fixtureClock, type LoadedFixture, loadFixture } from '../../factories/fixture.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import { Model, type ModelState } from '../../factories/model.ts'
import type { Profile } from '../../profiles/define-profile.ts'
import type { LeftOut } from '../../resources/records.ts'
import type { Resource } from '../../resources/resource.ts'
import { quote } from '../../shared/errors.ts'
import { oneOf } from '../../shared/suggest.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { type TimeSource, WorldClock } from '../clock.ts'
import type { Fault } from '../faults/fault.ts'
import type { FaultContext } from '../faults/faults.ts'
import type { FaultyVariant } from '../faulty-variant.ts'
import type { JournalBudget, JournalOptions } from '../journal/journal.ts'
import { Redactor } from '../journal/redact.ts'
import { Router } from '../router.ts'
import type { Scenarios } from '../scenarios/scenario.ts'
import type { ChangeSignal } from '../state/change-signal.ts'
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

/** Options of a new world. They stay as long as the world does: `reset` and `import` keep them. */
export interface WorldOptions {
  /** Default: the fixture of the understudy. */
  readonly fixture?: Fixture
  /** Name of a profile; `null` stands for none. Default: the profile of the understudy. */
  readonly profile?: string | null
  /** Name of a faulty variant; `null` stands for none. Default: the faulty variant of the understudy. */
  readonly faultyVariant?: string | null
}

/** Names of the profile and the faulty variant that a world was created with, where they differ from other worlds. */
interface OwnSettings {
  readonly profile?: string | null | undefined
  readonly faultyVariant?: string | null | undefined
}

/** Profiles and faulty variants by name. */
export interface Catalog {
  readonly profiles: Readonly<Record<string, Profile>>
  readonly faultyVariants: Readonly<Record<string, FaultyVariant>>
}

/** Settings of a world. Worlds share one object, except those created with a profile or a faulty variant of their own. */
export interface WorldSettings {
  readonly own: OwnSettings
  readonly seed: number
  readonly auth: AuthMode
  readonly profile: Profile | undefined
  readonly faultyVariant: FaultyVariant | undefined
  /** What `worlds.create` finds by name. */
  readonly catalog: Catalog
  readonly time: TimeSource
  readonly tokens: Tokens
  /** The choices that were given: they precede those of a profile. */
  readonly assumptions: AssumptionSwitches | undefined
  /** The choices that a world begins with: these, those of its profile, and the defaults. */
  readonly switches: Switches
  /** The faults that a world begins with. */
  readonly faults: readonly Fault[]
  readonly journal: JournalOptions
  /** What the journals of all worlds may take together. */
  readonly journalBudget: JournalBudget
  readonly isStrict: boolean
  /** Told of what a step of a world's clock has left out. */
  readonly limited: ((world: string, leftOut: LeftOut) => void) | undefined
  /** Where all that changes is noted. */
  readonly changes: ChangeSignal
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
export function readWorldStart(fixture: Fixture, settings: WorldSettings, given?: WorldClock): WorldStart {
  const start = fixtureClock(fixture)
  const standsThere = start !== undefined && given?.startsFrozen
  const clock = standsThere ? { now: () => start } : (given ?? new WorldClock(settings.time, start))
  return createWorldStart(loadRecords(fixture, settings, clock), start)
}

/** Reads the records of a fixture, as the resources of an understudy have them. */
export function loadRecords(
  fixture: Fixture,
  { seed, switches, tokens, profile }: WorldSettings,
  clock: { now(): number },
): LoadedFixture {
  return loadFixture(fixture, {
    seed,
    switches,
    signToken: tokens.sign,
    clock,
    ...(profile !== undefined && { deviate: (documented) => profile.apply(documented, profile) }),
  })
}

/** Settings of a world that is created with a profile or a faulty variant of its own. */
export function settingsOf({ profile, faultyVariant }: OwnSettings, settings: WorldSettings): WorldSettings {
  if (profile === undefined && faultyVariant === undefined) return settings
  const { profiles, faultyVariants } = settings.catalog
  const found = {
    profile: profile === undefined ? settings.profile : findNamed('profile', profile, profiles),
    faultyVariant:
      faultyVariant === undefined
        ? settings.faultyVariant
        : findNamed('faultyVariant', faultyVariant, faultyVariants),
  }
  return {
    ...settings,
    ...found,
    own: { profile, faultyVariant },
    switches: readSwitches({ ...found.profile?.switches, ...settings.assumptions }),
  }
}

function findNamed<Named>(
  option: string,
  name: string | null,
  named: Readonly<Record<string, Named>>,
): Named | undefined {
  if (name === null) return undefined
  const found = new Map(Object.entries(named)).get(name)
  if (found !== undefined) return found
  const names = Object.keys(named)
  const expected = names.length === 0 ? `null, as there are no ${option}s` : oneOf(name, names)
  throw new UnderstudyError(
    'OPTION_INVALID',
    `worlds.create: ${option}: expected ${expected}; found ${quote(name)}.`,
  )
}

/** Makes a fixture of what worlds begin with. */
export function toFixture(start: WorldStart, { seed, switches, tokens, time }: WorldSettings): Fixture {
  const clock = new WorldClock(time, start.clock)
  const model = new Model({
    resources: start.resources,
    seed,
    switches,
    signToken: tokens.sign,
    clock: { now: () => clock.now() },
  })
  model.restore(start.state)
  const { clock: _, ...records } = viewAsFixture(model, start.apiKeys)
  const fixture =
    start.clock === undefined ? records : { ...records, clock: new Date(start.clock).toISOString() }
  giveFixture(fixture)
  return fixture
}

/** Makes of records what worlds begin with; where a frozen clock stands is in milliseconds since the epoch. */
export function createWorldStart(
  { resources, state, apiKeys }: LoadedFixture,
  clock: number | undefined,
): WorldStart {
  return {
    resources,
    router: new Router(resources),
    redactor: new Redactor(resources, () => [...apiKeys, ...secretsIn(state, resources)]),
    state,
    apiKeys,
    clock,
  }
}

/** The secrets in the records of a fixture: passwords and tokens. */
function* secretsIn({ stores }: ModelState, resources: readonly Resource[]): Iterable<string> {
  for (const { plural, secrets = [] } of resources) {
    for (const { record } of stores.get(plural)?.rows.items ?? []) {
      for (const name of secrets) {
        const secret = record[name]
        if (typeof secret === 'string') yield secret
      }
    }
  }
}

/** The resource whose records requests present as tokens, where there is one. */
export function findAuthenticator({ resources }: WorldStart): Resource | undefined {
  return resources.find(({ authenticates }) => authenticates !== undefined)
}
