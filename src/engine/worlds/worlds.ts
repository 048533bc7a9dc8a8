import type { Fixture } from '../../factories/fixture-type.ts'
import { quote } from '../../shared/errors.ts'
import { checkNames, type NamesOf } from '../../shared/known-names.ts'
import * as limits from '../../shared/limits.ts'
import { realTime } from '../../shared/real-time.ts'
import { parseDuration } from '../../shared/timestamps.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { weigh } from '../../shared/weigh.ts'
import { isWorldName, worldNameRule } from '../../shared/world-name.ts'
import type { World } from './world.ts'
import { createWorldHandle, type HandleTarget } from './world-handle.ts'
import { WorldInstance } from './world-instance.ts'
import {
  readWorldStart,
  settingsOf,
  toFixture,
  type WorldOptions,
  type WorldSettings,
  type WorldStart,
} from './world-start.ts'

export interface WorldsOptions {
  /** How many worlds there are at most beside `main`; the least recently used goes first. Default 1,000. */
  readonly most?: number
  /** How long a world may lie idle: milliseconds, or a text such as `'1h'`, the default. In time that really passes. */
  readonly idle?: string | number
  /** Told of each world that is forgotten, and why. */
  readonly forgotten?: (name: string, reason: string) => void
  /** Told where more was due in one step of a world's clock than happens in one: of how many records, by plural. */
  readonly limited?: (name: string, leftOut: Readonly<Record<string, number>>) => void
}

/** A world, how many requests it has had, and for how many milliseconds none. */
export interface WorldSummary {
  readonly name: string
  readonly requests: number
  readonly idle: number
  /** Name of its profile. */
  readonly profile?: string
  /** Name of its faulty variant. */
  readonly faultyVariant?: string
}

/** A profile that a new world can have. */
export interface ProfileSummary {
  readonly name: string
}

/** A faulty variant that a new world can have. */
export interface FaultyVariantSummary {
  readonly name: string
  /** Id of the rule that it breaks. */
  readonly breaks: string
}

/** The worlds of an understudy. */
export interface Worlds {
  /** The worlds there are, `main` first, then the least recently used. */
  list(): WorldSummary[]
  /**
   * Creates a world.
   *
   * @throws UnderstudyError where the name is taken or invalid, or there is no profile or faulty variant of a name.
   * @example
   * understudy.worlds.create('alice', { fixture: { pipelines: [{ name: 'hers' }] } })
   */
  create(name: string, options?: WorldOptions): World
  /** Forgets a world; false where there is none of that name. `main` stays. */
  delete(name: string): boolean
  /** Profiles that `create` takes: those of the option `profiles`. */
  profiles(): ProfileSummary[]
  /** Faulty variants that `create` takes: those of the option `faultyVariants`. */
  faultyVariants(): FaultyVariantSummary[]
}

/** The world of requests that name none. */
export const mainWorld = 'main'

/** Says what a world's name may be, where a text is none. */
export function refuseName(name: string): string | undefined {
  if (typeof name === 'string' && isWorldName(name)) return undefined
  return `expected ${worldNameRule}, the first a letter or digit; found ${quote(name)}.`
}

/** A world with how many requests it has had, and when it was last used. */
interface WorldUse {
  readonly world: WorldInstance
  /** About how many bytes a fixture of its own takes. */
  readonly weight: number
  requests: number
  usedAt: number
}

/** Makes what a handle answers with, as the world of a name. */
export type AnswersAs = (name: string) => Pick<World, 'dispatch' | 'fetch'>

/** What a row takes besides its record, in bytes. */
const bytesOfRow = 200

/** The worlds of an understudy, least recently used first. */
export class WorldMap implements Worlds {
  readonly main: WorldInstance
  readonly #settings: WorldSettings
  readonly #answersAs: AnswersAs
  readonly #most: number
  readonly #idle: number
  readonly #forgotten: NonNullable<WorldsOptions['forgotten']>
  readonly #worlds = new Map<string, WorldUse>()
  readonly #mainUse: WorldUse
  #start: WorldStart

  constructor(start: WorldStart, settings: WorldSettings, answersAs: AnswersAs, options: WorldsOptions = {}) {
    const { most = limits.worlds, idle = '1h', forgotten = () => undefined } = options
    this.#settings = settings
    this.#answersAs = answersAs
    this.#most = most
    // Checked among the options.
    this.#idle = parseDuration(idle)!
    this.#forgotten = forgotten
    this.#start = start
    this.main = new WorldInstance(mainWorld, start, settings)
    this.main.reportTo(settings.changes)
    this.#mainUse = { world: this.main, weight: 0, requests: 0, usedAt: realTime() }
  }

  /** Says what later worlds begin with. */
  startLaterWith(start: WorldStart): void {
    this.#start = start
    this.#settings.changes.note()
  }

  /** What later worlds begin with. */
  get laterStart(): WorldStart {
    return this.#start
  }

  /** How many worlds there are, `main` among them. */
  get size(): number {
    return this.#worlds.size + 1
  }

  /** Every world there is. */
  *all(): Iterable<WorldInstance> {
    yield this.main
    for (const { world } of this.#worlds.values()) yield world
  }

  /** The world that a request has chosen, and is let into: the one conceived, where there is none yet. Counts the requests. */
  use(name: string, conceived?: WorldInstance, requests = 1): WorldInstance {
    const isNew = conceived !== undefined && !this.has(name)
    const use = name === mainWorld ? this.#mainUse : isNew ? this.#keep(name, conceived) : this.#touch(name)
    use.requests += requests
    if (use === this.#mainUse) use.usedAt = realTime()
    if (isNew) this.#trim(use.usedAt)
    return use.world
  }

  /** A world as it would be, which pushes none out: it is born when somebody is let into it. */
  conceive(name: string, settings = this.#settings): WorldInstance {
    return new WorldInstance(name, this.#start, settings)
  }

  /** A handle of the world of a name, which is born where there is none yet. */
  get(name: string): World {
    this.#check(name)
    this.#present(name)
    const instance = () => this.#present(name)
    const target: HandleTarget = {
      instance,
      import: (fixture, options) => instance().import(fixture, options),
    }
    return createWorldHandle(name, target, this.#answersAs(name))
  }

  /** The world of a handle; where it was forgotten meanwhile, that is the next one of its name. */
  #present(name: string): WorldInstance {
    const { world, usedAt } = this.#touch(name)
    this.#trim(usedAt)
    return world
  }

  /** Tells whether there is a world of a name, without making one. */
  has(name: string): boolean {
    return name === mainWorld || this.#worlds.has(name)
  }

  /** Returns every world and how many requests it has had, `main` first, then the least recently used. */
  uses(): readonly { readonly world: WorldInstance; readonly requests: number }[] {
    return [this.#mainUse, ...this.#worlds.values()]
  }

  list(): WorldSummary[] {
    const now = realTime()
    this.#trim(now)
    return [this.#mainUse, ...this.#worlds.values()].map(({ world, requests, usedAt }) => {
      const { profile, faultyVariant } = world.settings
      return {
        name: world.name,
        requests,
        idle: Math.round(now - usedAt),
        ...(profile && { profile: profile.name }),
        ...(faultyVariant && { faultyVariant: faultyVariant.name }),
      }
    })
  }

  create(name: string, options: WorldOptions = {}): World {
    const names: NamesOf<WorldOptions> = { fixture: true, profile: true, faultyVariant: true }
    checkNames('worlds.create', options, names)
    this.#check(name)
    this.#checkIsFree(name)
    const { fixture } = options
    const settings = settingsOf(options, this.#settings)
    const start = this.#startFor(settings, fixture)
    this.#add(name, start, settings, fixture === undefined ? 0 : this.#checkWeight(start))
    return this.get(name)
  }

  /** Returns about how many bytes a fixture takes; throws where the fixtures of all worlds take too many. */
  #checkWeight({ state }: WorldStart): number {
    let weight = 0
    for (const { rows } of state.stores.values())
      for (const { record } of rows.items) weight += bytesOfRow + weigh(record)
    if (this.#weight() + weight <= limits.worldFixtures) return weight
    throw new UnderstudyError(
      'CONFLICT',
      `The fixtures of worlds may take ${limits.worldFixtures / 1024 / 1024} MB together; delete worlds that have one of their own.`,
    )
  }

  profiles(): ProfileSummary[] {
    return Object.keys(this.#settings.catalog.profiles).map((name) => ({ name }))
  }

  faultyVariants(): FaultyVariantSummary[] {
    const { faultyVariants } = this.#settings.catalog
    return Object.entries(faultyVariants).map(([name, { breaks }]) => ({ name, breaks }))
  }

  /** Reads what a world begins with: the fixture of the understudy, as the profile of the world has it, is read again. */
  #startFor(settings: WorldSettings, fixture: Fixture | undefined): WorldStart {
    if (fixture !== undefined) return readWorldStart(fixture, settings)
    if (settings.profile === this.#settings.profile) return this.#start
    return readWorldStart(toFixture(this.#start, this.#settings), settings)
  }

  delete(name: string): boolean {
    if (name === mainWorld) throw new UnderstudyError('CONFLICT', 'The main world stays; reset it instead.')
    return this.#forget(name)
  }

  dispose(): void {
    for (const name of [...this.#worlds.keys()]) this.#forget(name)
    this.main.dispose()
  }

  #checkIsFree(name: string): void {
    if (!this.has(name)) return
    throw new UnderstudyError('NAME_TAKEN', `There is a world ${name} already; delete it first.`)
  }

  /** How many bytes the fixtures of the worlds take that have one of their own. */
  #weight(): number {
    return [...this.#worlds.values()].reduce((sum, use) => sum + use.weight, 0)
  }

  #check(name: string): void {
    const refusal = refuseName(name)
    if (refusal !== undefined)
      throw new UnderstudyError('ARGUMENT_INVALID', `The name of a world: ${refusal}`)
  }

  /** Moves a world to the end of the row, where the most recently used one stands. */
  #touch(name: string): WorldUse {
    const use = this.#worlds.get(name)
    if (use === undefined) return this.#add(name, this.#start, this.#settings)
    use.usedAt = realTime()
    this.#worlds.delete(name)
    this.#worlds.set(name, use)
    return use
  }

  #add(name: string, start: WorldStart, settings: WorldSettings, weight = 0): WorldUse {
    return this.#keep(name, new WorldInstance(name, start, settings), weight)
  }

  #keep(name: string, world: WorldInstance, weight = 0): WorldUse {
    const use = { world, weight, requests: 0, usedAt: realTime() }
    this.#worlds.set(name, use)
    world.reportTo(this.#settings.changes)
    this.#noteWorlds()
    return use
  }

  /** Forgets what has lain idle, and the least recently used of what is too much. */
  #trim(now: number): void {
    const limit = now - this.#idle
    for (const [name, { usedAt }] of this.#worlds) {
      const reason =
        usedAt < limit ? 'it was idle' : this.#worlds.size > this.#most ? 'there were too many' : undefined
      if (reason === undefined) return
      this.#forget(name)
      this.#forgotten(name, reason)
    }
  }

  #noteWorlds(): void {
    this.#settings.journalBudget.divideAmong(this.size)
    this.#settings.changes.note()
    for (const stream of this.#settings.heard) stream.note('worlds')
  }

  #forget(name: string): boolean {
    const use = this.#worlds.get(name)
    if (use === undefined) return false
    this.#worlds.delete(name)
    use.world.reportTo(undefined)
    this.#noteWorlds()
    use.world.dispose()
    return true
  }
}
