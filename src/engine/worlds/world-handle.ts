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
  // Every handle has it, because only `createWorldHandle` creates handles.
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
  const factories = createFactories(instance)
  const assumptions = createAssumptions(instance)
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
      next: (options) => onDemand(instance, (world, more) => more.predictNext(world, options)),
      advanceToNext: () => onDemand(instance, (world, more) => more.advanceToNext(world)),
    },
    runs: createRuns(() => instance().currentModel),
    logs: {
      lastErrors: (where) =>
        onDemand(instance, (world, more) => more.findLastErrors(world.currentModel, where)),
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
        onDemand(instance, async ({ journal }, { readInChunks, toHar }) =>
          toHar(await readInChunks(journal.describe())),
        ),
      subscribe: (listener, ended) => instance().journal.subscribe(listener, ended),
    },
    changes: {
      subscribe: (listener, ended) => instance().changes.subscribe(listener, ended),
    },
    scenarios: {
      list: () => onDemand(instance, ({ settings }, more) => more.listScenarios(settings.scenarios)),
      start: (scenario) => onDemand(instance, (world, more) => more.startScenario(scenario, world)),
    },
    get apiKeys() {
      return instance().origin.apiKeys
    },
    get endpoints() {
      return instance().router.endpoints
    },
    resources: () =>
      onDemand(instance, ({ currentModel }, more) => more.describeResources(currentModel.resources)),
    dispatch: answers.dispatch,
    fetch: answers.fetch,
    rawToken: (token) => instance().rawToken(token),
    signOut: () => onDemand(instance, (world, more) => more.signOut(world)),
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

/** Loads the parts that most pages never need. */
const loadMore = () => import('../on-demand.ts')

/** Uses code that loads at its first use. Finds the world first: afterwards, this would create a deleted world again. */
async function onDemand<Result>(
  instance: () => WorldInstance,
  use: (world: WorldInstance, more: Awaited<ReturnType<typeof loadMore>>) => Result,
): Promise<Awaited<Result>> {
  const world = instance()
  return await use(world, await loadMore())
}

function createTables(instance: () => WorldInstance): Tables {
  // Each property access finds a table by name.
  return lazily((plural) => collectionOf(instance().currentModel.table(plural), loadMore)) as Tables
}

function createFactories(instance: () => WorldInstance): Factories {
  const create = (resource: Resource, traits: readonly string[]): AnyFactory => ({
    create: (values = {}) =>
      onDemand(instance, ({ currentModel }, more) => more.makeRecord(currentModel, resource, traits, values)),
    createMany: (count, values = {}) =>
      onDemand(instance, ({ currentModel }, more) =>
        more.makeRecords(currentModel, resource, traits, count, values),
      ),
    with: (...more) => create(resource, [...traits, ...more]),
  })
  // Each property access finds a factory by name.
  return lazily((singular) => create(resourceOf(instance().currentModel, singular), [])) as Factories
}

function createAssumptions(instance: () => WorldInstance): World['assumptions'] {
  return {
    list: () =>
      onDemand(instance, ({ switches }, { assumptions }) => {
        // Not every assumption has a switch.
        const values: Readonly<Record<string, string | number | undefined>> = switches
        return keysOf(assumptions).map((id) => {
          const value = values[id]
          return { id, ...assumptions[id], ...(value !== undefined && { value }) }
        })
      }),
    switch: (values) => instance().switchAssumptions(values),
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
