import type { Fixture } from '../../factories/fixture-type.ts'
import { countBytes } from '../../factories/store.ts'
import { checkOptions, type OptionChecks } from '../../shared/check-options.ts'
import { quote } from '../../shared/errors.ts'
import * as limits from '../../shared/limits.ts'
import { realTime } from '../../shared/real-time.ts'
import { parseDuration } from '../../shared/timestamps.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { required, toMegabytes } from '../../shared/values.ts'
import { isWorldName, nameFromKey, worldNameRule } from '../../shared/world-name.ts'
import type { World } from './world.ts'
import { createWorldHandle, type WorldAnswers } from './world-handle.ts'
import { WorldInstance } from './world-instance.ts'
import { settingsOf, type WorldOptions, type WorldSettings } from './world-settings.ts'
import { readWorldStart, toFixture, type WorldStart } from './world-start.ts'

export interface WorldsOptions {
  /**
   * Maximum number of worlds in addition to `main`; the least recently used world leaves first. Default
   * 1,000.
   */
  readonly most?: number
  /**
   * Real time until the server removes an unused world: milliseconds, or a text such as `'1h'`, the default.
   */
  readonly idle?: string | number
  /** Called for each removed world, with the reason. */
  readonly evicted?: (name: string, reason: string) => void
  /** Called if one step of a world's clock has omitted due events, with the number of records by plural. */
  readonly limited?: (name: string, leftOut: Readonly<Record<string, number>>) => void
}

/** A world, the number of its requests, and the milliseconds since the last one and since its creation. */
export interface WorldSummary {
  readonly name: string
  readonly requests: number
  readonly idle: number
  readonly age: number
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
  /** That rule in a sentence. */
  readonly rule?: string
}

/** Worlds of a mock. */
export interface Worlds {
  /** Lists the worlds: `main` first, then the least recently used. */
  list(): WorldSummary[]
  /**
   * Creates a world.
   *
   * @throws UnderstudyError if the name is in use or invalid, or there is no profile or faulty variant of
   * that name.
   * @example
   * understudy.worlds.create('alice', { fixture: { pipelines: [{ name: 'hers' }] } })
   */
  create(name: string, options?: WorldOptions): World
  /** Deletes a world; false if there is none of that name. Cannot delete `main`. */
  delete(name: string): boolean
  /** Profiles that `create` takes: those of the option `profiles`. */
  profiles(): ProfileSummary[]
  /** Faulty variants that `create` takes: those of the option `faultyVariants`. */
  faultyVariants(): FaultyVariantSummary[]
}

/** The world of requests that name none. */
export const mainWorld = 'main'

/** A world, the number of its requests, and when it was last used and created. */
interface WorldUse {
  readonly world: WorldInstance
  requests: number
  usedAt: number
  readonly createdAt: number
}

/** Worlds of a mock, least recently used first. */
export class WorldMap implements Worlds {
  readonly main: WorldInstance
  /** Settings of worlds that have no profile and no faulty variant of their own. */
  readonly settings: WorldSettings
  readonly #answersAs: (name: string) => WorldAnswers
  readonly #most: number
  readonly #idle: number
  readonly #onEvicted: NonNullable<WorldsOptions['evicted']>
  /** `main` first, then the least recently used. */
  readonly #uses = new Map<string, WorldUse>()
  #start: WorldStart
  /** Estimated bytes of the records that worlds share. */
  #sharedSize = 0
  /** Earliest time of the next count of all records, in milliseconds. */
  #nextCount = Number.NEGATIVE_INFINITY

  /** @param answersAs creates the functions that answer as the world of a name. */
  constructor(
    start: WorldStart,
    settings: WorldSettings,
    answersAs: (name: string) => WorldAnswers,
    options: WorldsOptions = {},
  ) {
    const { most = limits.worlds, idle = '1h', evicted = () => undefined } = options
    this.settings = settings
    this.#answersAs = answersAs
    this.#most = most
    this.#idle = required(parseDuration(idle), 'worlds.idle')
    this.#onEvicted = evicted
    this.#start = this.#share(start)
    this.main = this.#add(mainWorld, this.createTentative(mainWorld)).world
    settings.memory.recount = () => this.#recount()
  }

  startLaterWith(start: WorldStart): void {
    this.settings.memory.used -= this.#sharedSize
    this.#start = this.#share(start)
    this.settings.saving.changed?.()
  }

  /** Counts the records of an initial state once for all worlds that share it. */
  #share(start: WorldStart): WorldStart {
    this.#sharedSize = 0
    for (const store of start.state.stores.values()) this.#sharedSize += countBytes(store)
    this.settings.memory.used += this.#sharedSize
    return { ...start, state: { ...start.state, size: 0 } }
  }

  get laterStart(): WorldStart {
    return this.#start
  }

  /** Number of worlds, including `main`. */
  get size(): number {
    return this.#uses.size
  }

  /** Counts the records of all worlds again. It takes at most 1 % of the time. */
  #recount(): void {
    const start = realTime()
    if (start < this.#nextCount) return
    for (const { world } of this.uses()) world.model.recount(world.origin.state)
    const end = realTime()
    this.#nextCount = end + 100 * (end - start)
  }

  /**
   * Returns a world that is used now, and counts its requests. If the name is new, adds the given world or
   * creates one.
   */
  use(name: string, tentative?: WorldInstance, requests = 1): WorldInstance {
    const found = this.#uses.get(name)
    const use = found ?? this.#add(name, tentative ?? this.createTentative(name))
    use.requests += requests
    use.usedAt = realTime()
    if (found === undefined) this.#evict(use.usedAt)
    else if (name !== mainWorld) {
      this.#uses.delete(name)
      this.#uses.set(name, use)
    }
    return use.world
  }

  /** Creates a world that is not listed and evicts none until `use` adds it. */
  createTentative(name: string, settings = this.settings): WorldInstance {
    return new WorldInstance(name, this.#start, settings)
  }

  /** Returns a handle of the world with a name, and creates a missing world. */
  get(name: string): World {
    this.#check(name)
    // The handle creates an evicted world again.
    const instance = () => this.use(name, undefined, 0)
    instance()
    return createWorldHandle(name, instance, this.#answersAs(name))
  }

  /**
   * Returns the world of a name.
   *
   * @throws UnderstudyError where there is none.
   */
  find(name: string): WorldInstance {
    this.reveal(name)
    const use = this.#uses.get(name)
    if (use !== undefined) return use.world
    throw new UnderstudyError('NOT_FOUND', `There is no world ${quote(name)}.`)
  }

  /**
   * Gives a world that only API keys have named its name. Somebody has used that name, so it is not part of a
   * secret.
   */
  reveal(name: string): void {
    if (this.has(name)) return
    const hiddenName = nameFromKey(name)
    const use = this.#uses.get(hiddenName)
    if (use === undefined) return
    use.world.name = name
    this.#uses.delete(hiddenName)
    this.#uses.set(name, use)
    this.#noteWorlds()
  }

  has(name: string): boolean {
    return this.#uses.has(name)
  }

  /** Iterates over all worlds: `main` first, then the least recently used. */
  uses(): Iterable<Readonly<WorldUse>> {
    return this.#uses.values()
  }

  list(): WorldSummary[] {
    const now = realTime()
    this.#evict(now)
    return Array.from(this.#uses.values(), ({ world, requests, usedAt, createdAt }) => {
      const { profile, faultyVariant } = world.settings
      return {
        name: world.name,
        requests,
        idle: Math.round(now - usedAt),
        age: Math.round(now - createdAt),
        ...(profile && { profile: profile.name }),
        ...(faultyVariant && { faultyVariant: faultyVariant.name }),
      }
    })
  }

  create(name: string, options: WorldOptions = {}): World {
    const names: OptionChecks<WorldOptions> = { fixture: true, profile: true, faultyVariant: true }
    checkOptions('worlds.create', options, names)
    this.#check(name)
    if (this.has(name))
      throw new UnderstudyError('NAME_TAKEN', `The world ${quote(name)} already exists. Delete it first.`)
    const { fixture } = options
    const settings = settingsOf(options, this.settings)
    const start = this.#startOf(settings, fixture)
    this.#checkRoom(start)
    this.#add(name, new WorldInstance(name, start, settings))
    return this.get(name)
  }

  /** Throws if the records of another world exceed the memory of all worlds. */
  #checkRoom({ state }: WorldStart): void {
    const { used, limit } = this.settings.memory
    if (used + state.size <= limit) return
    throw new UnderstudyError(
      'CONFLICT',
      `With this world, the records of all worlds take more than ${toMegabytes(limit)} MB, which is the limit. Delete records or worlds, reset a world, or raise maxMemory (serve --max-memory).`,
    )
  }

  profiles(): ProfileSummary[] {
    return Object.keys(this.settings.catalog.profiles).map((name) => ({ name }))
  }

  faultyVariants(): FaultyVariantSummary[] {
    const { faultyVariants } = this.settings.catalog
    return Object.entries(faultyVariants).map(([name, { breaks, rule }]) => ({
      name,
      breaks,
      ...(rule !== undefined && { rule }),
    }))
  }

  /** Returns the initial state of a new world. Another profile reads the fixture of the understudy again. */
  #startOf(settings: WorldSettings, fixture: Fixture | undefined): WorldStart {
    if (fixture !== undefined) return readWorldStart(fixture, settings)
    if (settings.profile === this.settings.profile) return this.#start
    return readWorldStart(toFixture(this.#start, this.settings), settings)
  }

  delete(name: string): boolean {
    if (name === mainWorld)
      throw new UnderstudyError('CONFLICT', 'The world "main" cannot be deleted. Reset it instead.')
    this.reveal(name)
    return this.#remove(name)
  }

  dispose(): void {
    for (const name of this.#uses.keys()) if (name !== mainWorld) this.#remove(name)
    this.main.dispose()
  }

  #check(name: string): void {
    if (!isWorldName(name)) {
      throw new UnderstudyError(
        'ARGUMENT_INVALID',
        `The name of a world: expected ${worldNameRule}; found ${quote(name)}.`,
      )
    }
    this.reveal(name)
  }

  #add(name: string, world: WorldInstance): WorldUse {
    const createdAt = realTime()
    const use = { world, requests: 0, usedAt: createdAt, createdAt }
    this.#uses.set(name, use)
    this.#noteWorlds()
    return use
  }

  /** Evicts idle worlds, and the least recently used if there are too many. */
  #evict(now: number): void {
    const limit = now - this.#idle
    for (const [name, { usedAt }] of this.#uses) {
      if (name === mainWorld) continue
      const reason =
        usedAt < limit ? 'it was idle' : this.size - 1 > this.#most ? 'there were too many' : undefined
      if (reason === undefined) return
      this.#remove(name)
      this.#onEvicted(name, reason)
    }
  }

  #noteWorlds(): void {
    this.settings.saving.changed?.()
    for (const { world } of this.uses()) world.changes.note('worlds')
  }

  #remove(name: string): boolean {
    const use = this.#uses.get(name)
    if (use === undefined) return false
    this.#uses.delete(name)
    this.#noteWorlds()
    use.world.dispose()
    return true
  }
}
