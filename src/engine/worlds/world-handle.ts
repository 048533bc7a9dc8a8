import { readSwitches } from '../../assumptions/switches.ts'
import { collectionOf } from '../../factories/collection.ts'
import type { AnyFactory } from '../../factories/factory.ts'
import type { Model } from '../../factories/model.ts'
import type { Factories, Tables } from '../../factories/tables.ts'
import { createRuns } from '../../resources/pipeline-run/controls/runs.ts'
import type { Resource } from '../../resources/resource.ts'
import { noSuch } from '../../shared/suggest.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { keysOf } from '../../shared/values.ts'
import { camelCase } from '../../shared/words.ts'
import type { World } from './world.ts'
import type { WorldInstance } from './world-instance.ts'

const instanceKey = Symbol('instance')

export function instanceOf(world: World): WorldInstance {
  // Every handle has it: there is no other way to make one.
  return (world as World & { readonly [instanceKey]: () => WorldInstance })[instanceKey]()
}

/** Parts of a handle that are outside of its world: its requests, and the other worlds. */
export interface WorldAnswers extends Pick<World, 'dispatch' | 'fetch'> {
  readonly find: (name: string) => WorldInstance
}

/**
 * Creates the handle of a world: a plain object that finds the present instance at each use, so that it stays
 * valid after an eviction. Its methods need no `this`.
 *
 * @param instance returns the present instance, and creates an evicted world again.
 */
export function createWorldHandle(name: string, instance: () => WorldInstance, answers: WorldAnswers): World {
  const model = createTables(instance)
  const onDemand = createOnDemand(instance)
  const factories = createFactories(instance, onDemand)
  const assumptions = createAssumptions(instance, onDemand)
  const handle: World & { readonly [instanceKey]: () => WorldInstance } = {
    [instanceKey]: instance,
    name,
    get model() {
      instance()
      return model
    },
    get factories() {
      instance()
      return factories
    },
    get assumptions() {
      instance()
      return assumptions
    },
    clock: {
      now: () => instance().clock.now(),
      speed: () => instance().clock.speed(),
      advance: (duration) => instance().clock.advance(duration),
      freeze: (at) => instance().clock.freeze(at),
      run: (speed) => instance().clock.run(speed),
      reset: () => instance().clock.reset(),
      next: (options) => onDemand(({ predictNext }, world) => predictNext(world, options)),
      advanceToNext: () => onDemand(({ advanceToNext }, world) => advanceToNext(world)),
    },
    runs: createRuns(() => instance().currentModel),
    logs: {
      lastErrors: (where) =>
        onDemand(({ findLastErrors }, { currentModel }) => findLastErrors(currentModel, where)),
    },
    faults: {
      add: (fault) => instance().faults.add(fault),
      list: () => instance().faults.list(),
      remove: (id) => instance().faults.remove(id),
      clear: () => instance().faults.clear(),
    },
    journal: {
      entries: (filter) => instance().journal.entries(filter),
      lost: () => instance().journal.lost(),
      clear: () => instance().journal.clear(),
      har: () =>
        onDemand(async ({ readInChunks, toHar }, world) =>
          toHar(await readInChunks(world.journal.describe())),
        ),
      subscribe: (listener, ended) => instance().journal.subscribe(listener, ended),
    },
    changes: {
      subscribe: (listener, ended) => instance().changes.subscribe(listener, ended),
    },
    scenarios: {
      list: () => onDemand(({ listScenarios }, { settings }) => listScenarios(settings.scenarios)),
      // The handle applies the parts, to the present instance.
      start: (scenario) => onDemand(({ startScenario }) => startScenario(scenario, handle, instance())),
    },
    get apiKeys() {
      return instance().origin.apiKeys
    },
    get endpoints() {
      return instance().router.endpoints
    },
    resources: () =>
      onDemand(({ describeResources }, { currentModel }) => describeResources(currentModel.resources)),
    dispatch: answers.dispatch,
    fetch: answers.fetch,
    rawToken: (token) => instance().rawToken(token),
    signOut: () => onDemand(({ signOut }, world) => signOut(world)),
    reset: () => instance().reset(),
    undo: () => instance().replacements.undo(),
    snapshot: (snapshot) => instance().snapshot(snapshot),
    restore: (snapshot) => instance().restore(snapshot),
    snapshots: () => instance().snapshots(),
    diff: (from) => instance().diff(typeof from === 'object' ? answers.find(from.world) : from),
    export: () => instance().export(),
    import: (fixture, options) => instance().import(fixture, options),
  }
  return handle
}

/** Loads what a page that mocks may never need. */
const loadMore = () => import('../on-demand.ts')

/** Runs a function with the parts that load at their first use, and with the present instance. */
type OnDemand = <Result>(
  run: (parts: Awaited<ReturnType<typeof loadMore>>, world: WorldInstance) => Result | Promise<Result>,
) => Promise<Result>

function createOnDemand(instance: () => WorldInstance): OnDemand {
  return async (run) => {
    // Before the `await`: a world that is evicted meanwhile is not created again.
    const world = instance()
    return run(await loadMore(), world)
  }
}

function createTables(instance: () => WorldInstance): Tables {
  // Each property access finds a table by name.
  return lazily((plural) => collectionOf(instance().currentModel.table(plural), loadMore)) as Tables
}

function createFactories(instance: () => WorldInstance, onDemand: OnDemand): Factories {
  const create = (resource: Resource, traits: readonly string[]): AnyFactory => ({
    create: (values = {}) =>
      onDemand(({ makeRecord }, { currentModel }) => makeRecord(currentModel, resource, traits, values)),
    createMany: (count, values = {}) =>
      onDemand(({ makeRecords }, { currentModel }) =>
        makeRecords(currentModel, resource, traits, count, values),
      ),
    with: (...more) => create(resource, [...traits, ...more]),
  })
  // Each property access finds a factory by name.
  return lazily((singular) => create(resourceOf(instance().currentModel, singular), [])) as Factories
}

function createAssumptions(instance: () => WorldInstance, onDemand: OnDemand): World['assumptions'] {
  return {
    list: () =>
      onDemand(({ assumptions }, { switches }) => {
        // Not every assumption has a switch.
        const values: Readonly<Record<string, string | number | undefined>> = switches
        return keysOf(assumptions).map((id) => {
          const value = values[id]
          return { id, ...assumptions[id], ...(value !== undefined && { value }) }
        })
      }),
    switch(values) {
      const world = instance()
      world.setSwitches(readSwitches({ ...world.switches, ...values }))
    },
  }
}

function resourceOf(model: Model, name: string): Resource {
  const stored = model.resources.filter((resource) => resource.stored !== false)
  const resource = stored.find(({ singular }) => camelCase(singular) === name)
  if (resource !== undefined) return resource
  const names = stored.map(({ singular }) => camelCase(singular))
  throw new UnderstudyError('NOT_FOUND', noSuch('factory', name, names))
}

/**
 * Creates an object that computes its properties at each access, except those that printing and comparing
 * access.
 */
function lazily(read: (name: string) => unknown): unknown {
  const isName = (name: string | symbol): name is string =>
    typeof name === 'string' && /^[a-z]\w*$/i.test(name) && !inspected.has(name)
  return new Proxy({}, { get: (_, name) => (isName(name) ? read(name) : undefined) })
}

const inspected: ReadonlySet<string> = new Set([
  ...['then', 'toJSON', 'constructor', 'prototype', 'valueOf', 'toString', 'inspect', 'length'],
  ...['asymmetricMatch', 'nodeType', 'tagName', 'hasAttribute', 'sample', 'size'],
])
