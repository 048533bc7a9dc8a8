import { type Assumption, type AssumptionId, assumptions } from '../../assumptions/index.ts'
import { type AssumptionSwitches, readSwitches, type Switches } from '../../assumptions/switches.ts'
import { collectionOf } from '../../factories/collection.ts'
import { exportFixture } from '../../factories/export.ts'
import { createFactory } from '../../factories/factory.ts'
import { type Fixture, fixtureClock, loadFixture } from '../../factories/fixture.ts'
import { Model, type ModelState } from '../../factories/model.ts'
import type { Factories, Tables } from '../../factories/tables.ts'
import { applyProfile, type Profile } from '../../profiles/define-profile.ts'
import type { Resource } from '../../resources/define-resource.ts'
import { createRuns, type Runs } from '../../resources/pipeline-run/controls.ts'
import { toMilliseconds } from '../../wire/timestamps.ts'
import type { AuthMode } from '../authorize.ts'
import { type Clock, type ClockOption, WorldClock } from '../clock.ts'
import type { Scene } from '../dispatch.ts'
import type { Fault } from '../faults/fault.ts'
import { type FaultContext, FaultList, type Faults } from '../faults/faults.ts'
import { type Journal, type JournalOptions, JournalQueue } from '../journal/journal.ts'
import { type Endpoint, Router } from '../router.ts'
import type { Tokens } from '../tokens.ts'
import { createAnswer } from './answer.ts'

/** An assumption, with the value its switch has here, where it has one. */
export interface ActiveAssumption extends Assumption {
  readonly id: AssumptionId
  readonly value?: string | number
}

/** The choices of a world where the document is silent. */
export interface Assumptions {
  list(): ActiveAssumption[]
  /**
   * Takes other choices, from now on.
   *
   * @throws where an id has no switch, or a value is not one it takes.
   * @example
   * understudy.assumptions.switch({ 'list-count': 'items' })
   */
  switch(values: AssumptionSwitches): void
}

/** A world: data, a clock, faults and a journal of its own. Requests that name no world are answered by `main`. */
export interface World {
  readonly name: string
  /** The collections, by plural: `understudy.model.backfills.findFirst((q) => q.where({ id: 7 }))`. */
  readonly model: Tables
  /** Makers of records, by singular in camel case: `await understudy.factories.backfill.create()`. */
  readonly factories: Factories
  readonly clock: Clock
  readonly runs: Runs
  readonly faults: Faults
  readonly journal: Journal
  readonly assumptions: Assumptions
  readonly apiKeys: readonly string[]
  /** Every route with its operation and resource: the table of the API. */
  readonly endpoints: readonly Endpoint[]
  /** The raw token of a decoded one, for a cookie. */
  rawToken(token: string): Promise<string>
  /** Goes back to the start: the fixture's records and ids, a frozen clock's moment, the first faults, an empty journal. */
  reset(): void
  /** Keeps the present records, and where a frozen clock stands, under a name. */
  snapshot(name: string): void
  /** Goes back to what is kept under a name. */
  restore(name: string): void
  /** The names of what is kept. */
  snapshots(): string[]
  /** The present state as a fixture. */
  export(): Fixture
  /** Replaces the state by a fixture, and a frozen clock's moment by its `clock`; a broken one changes nothing. */
  import(fixture: Fixture): void
}

/** What a world begins with; worlds that begin with the same share it. */
export interface Origin {
  readonly resources: readonly Resource[]
  readonly router: Router
  readonly state: ModelState
  readonly apiKeys: readonly string[]
  /** Where a frozen clock stands, in milliseconds since the epoch. */
  readonly start: number | undefined
}

/** What all worlds of an understudy have in common. */
export interface Ground {
  readonly seed: number
  readonly auth: AuthMode
  readonly profile: Profile | undefined
  readonly clock: ClockOption | undefined
  readonly tokens: Tokens
  readonly switches: Switches
  readonly faults: readonly Fault[]
  readonly journal: JournalOptions
  /** How many worlds there are. */
  readonly population: () => number
  readonly isStrict: boolean
  readonly refusal: FaultContext['refusal']
}

/** A world, and what answers its requests. */
export interface LiveWorld {
  readonly world: World
  readonly faults: FaultList
  readonly answer: ReturnType<typeof createAnswer>
  readonly scene: () => Scene
  dispose(): void
}

/**
 * Reads what worlds begin with; moments in the fixture are relative to the clock, by default that of a new world.
 *
 * @throws FixtureError where the fixture is broken.
 */
export function readOrigin(fixture: Fixture, ground: Ground, clock?: Clock): Origin {
  const start = fixtureClock(fixture)
  const options = modelOptions(ground, clock ?? new WorldClock(ground.clock, start))
  const { resources: documented, state, apiKeys } = loadFixture(fixture, options)
  const resources = ground.profile ? applyProfile(documented, ground.profile) : documented
  return { resources, router: new Router(resources), state, apiKeys, start }
}

function modelOptions({ seed, switches, tokens }: Ground, clock: Clock) {
  return { seed, switches, signToken: tokens.sign, now: () => clock.now() }
}

/** Creates a world. What it begins with is shared with others until one of them writes. */
export function createWorld(name: string, first: Origin, ground: Ground): LiveWorld {
  const clock = new WorldClock(ground.clock, first.start)
  const snapshots = new Map<string, { state: ModelState; frozenAt: number | undefined }>()
  let origin = first
  let scene = createScene(origin)

  function createScene({ resources, router, state, apiKeys }: Origin): Scene {
    const model = new Model({ ...modelOptions(ground, clock), resources })
    model.restore(state)
    const { auth: mode, tokens, switches, profile } = ground
    return { mode, apiKeys: new Set(apiKeys), model, tokens, switches, router, profile }
  }

  function settled(): Model {
    scene.model.settle()
    return scene.model
  }

  function setSwitches(switches: Switches): void {
    scene.model.switches = switches
    scene = { ...scene, switches }
  }

  const faults = new FaultList(
    {
      seed: ground.seed,
      refusal: ground.refusal,
      endpoints: () => origin.router.endpoints,
    },
    ground.faults,
  )
  clock.moved = () => scene.model.settle()
  const journal = new JournalQueue(name, () => scene.router, ground.journal, ground.population)
  const answer = createAnswer({ clock, faults, journal, isStrict: ground.isStrict, scene: () => scene })

  const world: World = {
    name,
    model: lazily((plural) => collectionOf(settled().table(plural))) as Tables,
    factories: lazily((singular) => createFactory(settled(), resourceOf(scene.model, singular))) as Factories,
    clock,
    runs: createRuns(settled),
    faults,
    journal,
    assumptions: {
      list: () => Object.entries(assumptions).map(([id, assumption]) => withValue(id, assumption, scene)),
      switch: (values) => setSwitches(readSwitches({ ...scene.switches, ...values })),
    },
    get apiKeys() {
      return origin.apiKeys
    },
    get endpoints() {
      return scene.router.endpoints
    },
    rawToken(token) {
      const holder = scene.model.resources.find(({ authenticates }) => authenticates !== undefined)
      const found = holder?.authenticates?.(token, settled())
      if (found === undefined) {
        throw new Error(
          `[understudy] No ${holder?.singular} has the ${holder?.key} ${JSON.stringify(token)}.`,
        )
      }
      return ground.tokens.sign({ token, expires: toMilliseconds(found.expires) / 1_000 })
    },
    reset() {
      clock.reset()
      setSwitches(ground.switches)
      faults.restart()
      journal.restart()
      scene.model.restore(origin.state)
    },
    snapshot(kept) {
      snapshots.set(kept, { state: settled().state(), frozenAt: clock.frozenAt })
    },
    restore(kept) {
      const found = snapshots.get(kept)
      if (found === undefined) {
        const names = [...snapshots.keys()].join(', ') || 'none'
        throw new Error(`[understudy] There is no snapshot ${kept}; there are ${names}.`)
      }
      clock.putBack(found.frozenAt)
      scene.model.restore(found.state)
    },
    snapshots: () => [...snapshots.keys()],
    export: () => exportFixture(settled(), origin.apiKeys),
    import(fixture) {
      const startsAnew = clock.startsFrozen && fixture?.clock !== undefined
      const read = readOrigin(fixture, ground, startsAnew ? undefined : clock)
      if (read.start !== undefined) clock.startAt(read.start)
      const { switches } = scene
      scene = createScene(read)
      setSwitches(switches)
      origin = read
      snapshots.clear()
    },
  }
  return {
    world,
    faults,
    answer,
    scene: () => scene,
    dispose() {
      snapshots.clear()
      journal.dispose()
      scene.model.restore()
    },
  }
}

function withValue(id: string, assumption: Assumption, { switches }: Scene): ActiveAssumption {
  const value = switches[id as keyof Switches]
  return { id: id as AssumptionId, ...assumption, ...(value !== undefined && { value }) }
}

function resourceOf(model: Model, name: string): Resource {
  const stored = model.resources.filter((resource) => resource.stored !== false)
  const resource = stored.find(({ singular }) => camelCase(singular) === name)
  if (resource !== undefined) return resource
  const names = stored.map(({ singular }) => camelCase(singular))
  throw new Error(`[understudy] There is no factory ${name}; there are ${names.join(', ')}.`)
}

/** An object whose properties are looked up when they are read; those that printing and comparing ask for are not there. */
function lazily(look: (name: string) => unknown): unknown {
  const asksForName = (name: string | symbol): name is string =>
    typeof name === 'string' && /^[a-z]\w*$/i.test(name) && !inspected.has(name)
  return new Proxy({}, { get: (_, name) => (asksForName(name) ? look(name) : undefined) })
}

const inspected: ReadonlySet<string> = new Set([
  ...['then', 'toJSON', 'constructor', 'prototype', 'valueOf', 'toString', 'inspect', 'length'],
  ...['asymmetricMatch', 'nodeType', 'tagName', 'hasAttribute', 'sample', 'size'],
])

function camelCase(singular: string): string {
  return singular.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
