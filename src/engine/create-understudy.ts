import { readSwitches } from '../assumptions/switches.ts'
import { checkOptions } from '../shared/check-options.ts'
import { mayHoldRawToken } from '../shared/credentials.ts'
import { splitUrl } from '../shared/http.ts'
import { becomesStart } from '../shared/import-options.ts'
import * as limits from '../shared/limits.ts'
import { startTime } from './clock.ts'
import { Waits } from './faults/delivery.ts'
import { readFaults } from './faults/fault.ts'
import type { Adapter } from './faults/faults.ts'
import { createFetch } from './fetch.ts'
import { handleRequest, isApiUrl } from './handle-request.ts'
import { JournalBudget } from './journal/journal.ts'
import type { MaybePromise, UnderstudyReply, UnderstudyRequest } from './messages.ts'
import { normalizeRequest, type RequestInput } from './normalize-request.ts'
import { type UnderstudyOptions, understudyChecks } from './read-options.ts'
import { StoredState } from './state/stored-state.ts'
import { createTokens } from './tokens.ts'
import type { World } from './worlds/world.ts'
import { createWorldHandle, type WorldAnswers } from './worlds/world-handle.ts'
import type { AuthMode, WorldSettings } from './worlds/world-settings.ts'
import { readWorldStart } from './worlds/world-start.ts'
import { mainWorld, WorldMap, type Worlds } from './worlds/worlds.ts'

/** Mock server in memory: its main world, and others by name. */
export interface Understudy extends World {
  readonly auth: AuthMode
  readonly worlds: Worlds
  /**
   * Returns the world with this name, and creates it from the fixture if there is none. Requests choose a
   * world by the header `X-Understudy-World`, or by an API key that ends in `~` and the name.
   *
   * @throws UnderstudyError if the name is not 1 to 64 letters, digits, `-` or `_`.
   * @example
   * understudy.world('alice').clock.advance('1h')
   */
  world(name: string): World
  /**
   * Answers a request; returns `undefined` if its path is not under `/api`. An adapter carries out the
   * reply's `delivery`.
   *
   * @throws UnderstudyError if a part of the request is invalid, such as a number for a body.
   * @example
   * understudy.dispatch({ method: 'POST', url: '/api/pipelines', body: { pipeline: { name: 'mine', type: 'python' } } })
   */
  dispatch(request: RequestInput | UnderstudyRequest): MaybePromise<UnderstudyReply> | undefined
  /**
   * Answers a Fetch API request and applies the faults of its delivery. A path outside `/api` is 404.
   *
   * @throws UnderstudyError if the input is not a path, URL or `Request`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Registers an adapter and returns its waits, which end with the mock.
   *
   * @throws FaultError if the adapter does not support an existing fault.
   */
  attach(adapter: Adapter): Waits
  /**
   * Resolves after loading the state; immediately if there is no storage. Until then, requests wait and
   * other calls throw. Rejects if another process uses the storage.
   */
  readonly ready: Promise<void>
  /** Drops all state, ends all waits and removes all worlds except `main`. Stored data is not deleted. */
  dispose(): void
  /**
   * Saves the last changes to the storage, if there is one, and disposes of the mock.
   *
   * @throws StorageError if saving the changes fails.
   */
  close(): Promise<void>
}

/** Returns half of the heap limit in Node.js, and a fixed number of bytes elsewhere. */
function defaultMemory(): number {
  const { process }: { readonly process?: Partial<NodeJS.Process> } = globalThis
  const heap = process?.getBuiltinModule?.('node:v8').getHeapStatistics().heap_size_limit
  return heap === undefined ? limits.memory : Math.floor(heap / 2)
}

/**
 * Creates a mock server.
 *
 * @throws FixtureError if the fixture is invalid, FaultError if a fault is.
 * @example
 * const understudy = createUnderstudy({ fixture: demo, auth: 'key' })
 */
export function createUnderstudy(options: UnderstudyOptions = {}): Understudy {
  checkOptions('', options, understudyChecks)
  const { fixture = {}, seed = 1, auth = 'open', profile, faultyVariant, assumptions } = options
  const own = new Waits()
  const waits = [own]
  const adapters: Adapter[] = []
  const settings: WorldSettings = {
    seed,
    own: {},
    auth,
    profile,
    faultyVariant,
    catalog: { profiles: options.profiles ?? {}, faultyVariants: options.faultyVariants ?? {} },
    time: startTime(options.clock),
    tokens: createTokens(seed),
    assumptions,
    switches: readSwitches({ ...profile?.switches, ...assumptions }),
    faults: readFaults(options.faults ?? []),
    journals: new JournalBudget(options.journal === false ? { entries: 0 } : (options.journal ?? {})),
    memory: { used: 0, limit: options.maxMemory ?? defaultMemory() },
    limited: options.worlds?.limited,
    scenarios: options.scenarios,
    saving: {},
    adapters,
  }

  /** Answers as the world of a name, or as that which each request chooses. */
  function answersAs(name?: string): WorldAnswers {
    const dispatch: World['dispatch'] = (request) => {
      const normal = request?.isNormalized ? request : normalizeRequest(request)
      if (isReady || !isApiUrl(normal.url)) return handleRequest(normal, worlds, name)
      const pending = stored?.isLoading || mayNeedTokens(normal) ? becomeReady() : undefined
      if (pending === undefined) return handleRequest(normal, worlds, name)
      // A request to the API is always answered.
      return pending.then(() => handleRequest(normal, worlds, name)) as Promise<UnderstudyReply>
    }
    return { dispatch, fetch: createFetch(dispatch, own), find: (other) => present().find(other) }
  }

  /**
   * True after the state and the cryptography of tokens have loaded. From then on, every reply is
   * synchronous.
   */
  let isReady = false
  let becomingReady: Promise<void> | undefined
  const becomeReady = () => {
    becomingReady ??= Promise.all([stored?.ready, settings.tokens.load()]).then(() => {
      isReady = true
    })
    return becomingReady
  }

  /** Reports whether a request may sign or present a raw token. */
  function mayNeedTokens({ method, url, headers = {} }: UnderstudyRequest): boolean {
    if (mayHoldRawToken(headers)) return true
    if (method !== 'POST') return false
    const match = worlds.main.router.match(method, splitUrl(url).path)
    return match.kind === 'endpoint' && match.endpoint.operation.signsTokens === true
  }

  const worlds: WorldMap = new WorldMap(
    readWorldStart(fixture, settings),
    settings,
    answersAs,
    options.worlds,
  )
  const { main } = worlds
  const { storage, onStorage } = options
  const stored = storage && new StoredState(storage, worlds, onStorage)
  const present = () => {
    stored?.checkReady()
    return worlds
  }
  const handle = createWorldHandle(mainWorld, () => present().main, answersAs())
  const members: Omit<Understudy, keyof World> & Pick<World, 'endpoints' | 'import'> = {
    auth,
    get endpoints() {
      return main.router.endpoints
    },
    get worlds() {
      return present()
    },
    world: (name) => (name === mainWorld ? understudy : present().get(name)),
    import(next, options) {
      // Reads both first: an invalid fixture changes nothing.
      const laterStart = becomesStart(options) ? readWorldStart(next, settings) : undefined
      present().main.import(next, options)
      if (laterStart !== undefined) worlds.startLaterWith(laterStart)
    },
    attach(adapter) {
      adapters.push(adapter)
      try {
        for (const { world } of worlds.uses()) world.faults.checkAll()
      } catch (error) {
        adapters.pop()
        throw error
      }
      const waitsOfAdapter = new Waits()
      waits.push(waitsOfAdapter)
      return waitsOfAdapter
    },
    get ready() {
      return becomeReady()
    },
    dispose() {
      members.close().catch(() => undefined)
    },
    close() {
      // Reads the state before disposing of the worlds.
      const closing = stored?.close() ?? Promise.resolve()
      for (const each of waits) each.dispose()
      worlds.dispose()
      return closing
    },
  }
  // With their getters: the keys and endpoints of the main world change with an import.
  const understudy = Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(handle), ...Object.getOwnPropertyDescriptors(members) },
  ) as Understudy
  return understudy
}
