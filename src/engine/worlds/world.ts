import { switchTable } from '../../assumptions/switch-table.ts'
import { readSwitches } from '../../assumptions/switches.ts'
import { collectionOf } from '../../factories/collection.ts'
import type { ResourceDescription } from '../../factories/describe-resources.ts'
import { createFactory } from '../../factories/factory.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import type { Model } from '../../factories/model.ts'
import type { Factories, Tables } from '../../factories/tables.ts'
import { resources as builtIn } from '../../resources/index.ts'
import type { Resource } from '../../resources/resource.ts'
import type { ResourceControls } from '../../resources/table-types.ts'
import type { ImportOptions } from '../../shared/import-options.ts'
import * as limits from '../../shared/limits.ts'
import { suggest } from '../../shared/suggest.ts'
import { parseDuration } from '../../shared/timestamps.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { camelCase } from '../../shared/words.ts'
import type { Clock, SteeredClock } from '../clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { Journal } from '../journal/journal.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../messages.ts'
import type { RequestInput } from '../normalize-request.ts'
import type { Endpoint } from '../router.ts'
import type { ScenarioStage } from '../scenarios/scenario.ts'
import type { Assumptions } from './assumptions-here.ts'
import type { ChangeFeed } from './change-stream.ts'
import type { WorldInstance } from './world-instance.ts'
import type { ReplacingAct } from './world-state.ts'

/** A world: data, a clock, faults and a journal of its own. Requests that name no world are answered by `main`. */
export interface World extends ResourceControls {
  readonly name: string
  /** The collections, by plural: `understudy.model.backfills.findFirst((q) => q.where({ id: 7 }))`. */
  readonly model: Tables
  /** Makers of records, by singular in camel case: `await understudy.factories.backfill.create()`. */
  readonly factories: Factories
  readonly clock: Clock
  readonly faults: Faults
  readonly journal: Journal
  readonly changes: ChangeFeed
  readonly assumptions: Assumptions
  readonly scenarios: ScenarioStage
  readonly apiKeys: readonly string[]
  /** Every route with its operation and resource: the table of the API. */
  readonly endpoints: readonly Endpoint[]
  /** What each resource is: its attributes as JSON Schema, its traits, its operations; loaded when it is asked for. */
  resources(): Promise<ResourceDescription[]>
  /**
   * Answers a request as this world, whichever it names; `undefined` where its path is not under `/api`. A face carries
   * out the reply's `delivery`.
   */
  dispatch(request: RequestInput | UnderstudyRequest): MaybePromise<UnderstudyReply> | undefined
  /**
   * Answers a Fetch API request as this world, faults in its delivery included; a path outside `/api` is 404.
   *
   * @throws UnderstudyError where it is asked for what is no path, URL or `Request`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The raw token of a decoded one, for a cookie. */
  rawToken(token: string): Promise<string>
  /**
   * Signs everybody out: every token expires now. Gives how many that were.
   *
   * @example
   * await understudy.signOut() // 4
   */
  signOut(): Promise<number>
  /**
   * Goes back to the start: the fixture's records and ids, a frozen clock's moment, the first faults, an empty journal.
   * `undo` takes it back.
   */
  reset(): void
  /**
   * Takes back the last reset, restore, import or start of a scenario: records, clock, faults and choices stand as they
   * did before, but for the journal; what has been written since is gone. Returns which of them it was.
   *
   * @throws UnderstudyError where there was none, or it was taken back.
   * @example
   * understudy.reset()
   * understudy.undo() // 'reset'
   */
  undo(): ReplacingAct
  /** Keeps the present records, and where a frozen clock stands, under a name. */
  snapshot(name: string): void
  /** Goes back to what is kept under a name. */
  restore(name: string): void
  /** The names of what is kept. */
  snapshots(): string[]
  /** The present state as a fixture. */
  export(): Fixture
  /**
   * Replaces the state by a fixture, and a frozen clock's moment by its `clock`; a broken one changes nothing. `reset`
   * goes back to where it went before, unless the fixture is taken as the start; snapshots are kept.
   *
   * @throws FixtureError with what is wrong where.
   * @example
   * understudy.import(demo, { asStart: true })
   */
  import(fixture: Fixture, options?: ImportOptions): void
}

/** The world behind a handle, for this package's own use. */
export interface Inside {
  /** The world that is there. */
  present(): WorldInstance
  /** Replaces the state by a fixture. */
  import(fixture: Fixture, options?: ImportOptions): void
}

const inside = Symbol('inside')

/** What is behind the handle of a world. */
export function insideOf(world: World): Inside {
  // Every handle has it: there is no other way to make one.
  return (world as World & { readonly [inside]: Inside })[inside]
}

/**
 * Creates the handle of a world: a plain object that looks the present world up at each use, so that it stays valid
 * when that world is forgotten and born again. Its methods need no `this`.
 */
export function createWorldHandle(
  name: string,
  behind: Inside,
  answers: Pick<World, 'dispatch' | 'fetch'>,
): World {
  const { present } = behind
  const parts = createParts(present)
  const handle: World & { readonly [inside]: Inside } = {
    [inside]: behind,
    name,
    get model() {
      present()
      return parts.model
    },
    get factories() {
      present()
      return parts.factories
    },
    clock: {
      ...forward<SteeredClock>(() => present().clock, clockMethods),
      async next(options) {
        const world = present()
        return (await foresight()).tellNext(world, options, limits.toldEvents, parseDuration)
      },
      advanceToNext: async () => (await foresight()).advanceToNext(present(), limits.toldEvents),
    },
    faults: forward<Faults>(() => present().faults, faultsMethods),
    scenarios: {
      list: async () => (await stage()).listScenarios(behind.present().settings.scenarios),
      start: async (scenario) => {
        const { startScenario } = await stage()
        present()
        startScenario(scenario, handle, behind, suggest)
      },
    },
    journal: forward<Journal>(() => present().journal, journalMethods),
    changes: forward<ChangeFeed>(() => present().changes, { subscribe: true }),
    get assumptions() {
      present()
      return parts.assumptions
    },
    get apiKeys() {
      return present().origin.apiKeys
    },
    get endpoints() {
      return present().router.endpoints
    },
    ...createControls(present),
    async resources() {
      // Looked up before anything is waited for, as everywhere where one reads: a world that goes meanwhile is not born again.
      const { resources } = present().settledModel
      const { describeResources } = await import('../../factories/describe-resources.ts')
      return describeResources(resources)
    },
    dispatch: answers.dispatch,
    fetch: answers.fetch,
    rawToken: (token) => present().rawToken(token),
    signOut: async () => (await stage()).signOut(present()),
    reset: () => present().reset(),
    undo: () => present().replacements.undo(),
    snapshot: (kept) => present().snapshot(kept),
    restore: (kept) => present().restore(kept),
    snapshots: () => present().snapshots(),
    export: () => present().export(),
    import: behind.import,
  }
  return handle
}

/** The names of the methods that a part of a world has: each, or it does not compile. */
type MethodsOf<Part> = Readonly<Record<keyof Part, true>>
/** What tells of events, loaded when somebody asks. */
const foresight = () => import('../events/foresight.ts')

/** What starts scenarios and signs everybody out, loaded when somebody asks. */
const stage = () => import('../scenarios/start-scenario.ts')

const clockMethods: MethodsOf<SteeredClock> = {
  now: true,
  advance: true,
  freeze: true,
  run: true,
  reset: true,
  speed: true,
}
const faultsMethods: MethodsOf<Faults> = { add: true, list: true, remove: true, clear: true }
const journalMethods: MethodsOf<Journal> = {
  entries: true,
  lost: true,
  clear: true,
  har: true,
  subscribe: true,
}

/** An object whose methods are those of the part that is there when they are called: one that is kept stays valid. */
function forward<Part extends object>(present: () => Part, methods: MethodsOf<Part>): Part {
  const names = Object.keys(methods) as (keyof Part)[] // What the type of `methods` demands.
  const forwarding = names.map((name) => [
    name,
    (...given: unknown[]) => {
      const part = present()
      // A method, and given what the caller gave: the type of the whole says both.
      return (part[name] as (...given: unknown[]) => unknown).apply(part, given)
    },
  ])
  // Made of the names that the type is made of.
  return Object.fromEntries(forwarding) as Part
}

/** The parts that are made for a handle, and look the world up when they are used. */
function createParts(present: () => WorldInstance): Pick<World, 'model' | 'factories' | 'assumptions'> {
  return {
    // `Tables` and `Factories` are of the names that `lazily` is asked for.
    model: lazily((plural) => collectionOf(present().settledModel.table(plural))) as Tables,
    // Likewise.
    factories: lazily((singular) => {
      const { settledModel: model } = present()
      return createFactory(model, resourceOf(model, singular))
    }) as Factories,
    assumptions: {
      list: async () => {
        const { switches } = present()
        const { activeAssumptions } = await import('./active-assumptions.ts')
        return activeAssumptions(switches, switchTable)
      },
      switch: (values) => {
        const world = present()
        world.choose(readSwitches({ ...world.switches, ...values }))
      },
    },
  }
}

/** What resources let users steer by hand, such as the runs of pipelines. */
function createControls(present: () => WorldInstance): ResourceControls {
  const entries = builtIn.flatMap(({ controls = {} }) => Object.entries(controls))
  const created = entries.map(([name, create]) => [name, create(() => present().settledModel)])
  // The members that the table's type says, made of the rows that the type is made of.
  return Object.fromEntries(created) as ResourceControls
}

function resourceOf(model: Model, name: string): Resource {
  const stored = model.resources.filter((resource) => resource.stored !== false)
  const resource = stored.find(({ singular }) => camelCase(singular) === name)
  if (resource !== undefined) return resource
  const names = stored.map(({ singular }) => camelCase(singular))
  throw new UnderstudyError(
    'NOT_FOUND',
    `There is no factory ${name}; there are ${names.join(', ')}.${suggest(name, names)}`,
  )
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
