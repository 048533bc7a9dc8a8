import { type AssumptionSwitches, readSwitches, type Switches } from '../../assumptions/switches.ts'
import type { FixtureInput } from '../../factories/fixture-contents.ts'
import type { MemoryUse } from '../../factories/model.ts'
import type { Profile } from '../../profiles/define-profile.ts'
import type { LeftOut } from '../../resources/records.ts'
import { quote } from '../../shared/errors.ts'
import { oneOf } from '../../shared/suggest.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { TimeSource } from '../clock.ts'
import type { Fault } from '../faults/fault.ts'
import type { Adapter } from '../faults/faults.ts'
import type { FaultyVariant } from '../faulty-variant.ts'
import type { JournalBudget } from '../journal/journal.ts'
import type { Scenarios } from '../scenarios/scenario.ts'
import type { Tokens } from '../tokens.ts'

export const authModeNames = ['open', 'key', 'login'] as const
/** Credentials that requests need: none, the API key, or the API key and an OAuth token (`auth-mode`). */
export type AuthMode = (typeof authModeNames)[number]
export const authModes: Readonly<
  Record<AuthMode, { readonly needsKey: boolean; readonly needsToken: boolean }>
> = {
  open: { needsKey: false, needsToken: false },
  key: { needsKey: true, needsToken: false },
  login: { needsKey: true, needsToken: true },
}

/** Options of a new world. `reset` and `import` do not change them. */
export interface WorldOptions {
  /** Default: the fixture of the understudy. */
  readonly fixture?: FixtureInput
  /** Name of a profile; `null` for none. Default: the profile of the mock. */
  readonly profile?: string | null
  /** Name of a faulty variant; `null` for none. Default: the faulty variant of the mock. */
  readonly faultyVariant?: string | null
}

/** Names of the profile and the faulty variant of a world, if they differ from those of other worlds. */
interface OwnSettings {
  readonly profile?: string | null | undefined
  readonly faultyVariant?: string | null | undefined
}

export interface Catalog {
  readonly profiles: Readonly<Record<string, Profile>>
  readonly faultyVariants: Readonly<Record<string, FaultyVariant>>
}

/** Settings of a world. Worlds share one object, except those with a profile or a faulty variant of their own. */
export interface WorldSettings {
  readonly own: OwnSettings
  readonly seed: number
  readonly auth: AuthMode
  readonly profile: Profile | undefined
  readonly faultyVariant: FaultyVariant | undefined
  /** Profiles and faulty variants that `worlds.create` finds by name. */
  readonly catalog: Catalog
  readonly time: TimeSource
  readonly tokens: Tokens
  /** Switches of the understudy's options. They precede those of a profile. */
  readonly assumptions: AssumptionSwitches | undefined
  /** Initial switches of a world: `assumptions`, then those of its profile, then the defaults. */
  readonly switches: Switches
  readonly faults: readonly Fault[]
  /** Memory that the records of all worlds share. */
  readonly memory: MemoryUse
  /** Limits of the journals, and the memory that they share. */
  readonly journals: JournalBudget
  /** Called when a step of a world's clock has left out events. */
  readonly limited: ((world: string, leftOut: LeftOut) => void) | undefined
  /** Called for every change, if there is a storage. */
  readonly saving: { changed?: (() => void) | undefined }
  readonly scenarios: Scenarios | undefined
  readonly adapters: readonly Adapter[]
}

/**
 * Returns the settings of a world with a profile or a faulty variant of its own.
 *
 * @throws UnderstudyError where there is none of that name.
 */
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
