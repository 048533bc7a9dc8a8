import { type AssumptionSwitches, readSwitches } from '../assumptions/switches.ts'
import { exportFixture } from '../factories/export.ts'
import { createFactory } from '../factories/factory.ts'
import { type Fixture, fixtureClock, loadFixture } from '../factories/fixture.ts'
import { Model, type ModelState } from '../factories/model.ts'
import { applyProfile, type Profile } from '../profiles/define-profile.ts'
import { toMilliseconds } from '../wire/timestamps.ts'
import type { AuthMode } from './authorize.ts'
import { Clock, type ClockOption } from './clock.ts'
import { dispatch } from './dispatch.ts'
import { fromFetch, toResponseParts } from './fetch.ts'
import type { UnderstudyReply, UnderstudyRequest } from './messages.ts'
import { type Endpoint, Router } from './router.ts'
import { createRuns, findByKey, type Runs } from './runs.ts'
import { checkReply } from './strict.ts'
import { createTokens } from './tokens.ts'
import type { Factories, Tables } from './types.ts'

export interface UnderstudyOptions {
  /** The start state; default: nothing but what the first request creates. */
  readonly fixture?: Fixture
  /** What ids and tokens are derived from. Default 1. */
  readonly seed?: number
  /** `frozen` (default: at the fixture's `clock`, else 2026-01-01), `system`, or one's own `{ now() }` in milliseconds. */
  readonly clock?: ClockOption
  /** Which credentials are checked. Default `open`: none. */
  readonly auth?: AuthMode
  /** The ways of one real server instead of the document's: `mageAi0979` from `pipeline-understudy/profiles`. */
  readonly profile?: Profile
  /** Other choices where the document is silent, by assumption id. */
  readonly assumptions?: AssumptionSwitches
  /** Checks every reply against the resource's schema and throws where it does not fit. For tests of the understudy. */
  readonly strict?: boolean
}

/** A stand-in for the service: one model, answered from memory. */
export interface Understudy {
  /** The collections, by plural: `understudy.model.backfills.findFirst((q) => q.where({ id: 7 }))`. */
  readonly model: Tables
  /** Makers of records, by singular in camel case: `await understudy.factories.backfill.create()`. */
  readonly factories: Factories
  readonly clock: Clock
  readonly runs: Runs
  /** Every route with its operation and resource: the table of the API. */
  readonly endpoints: readonly Endpoint[]
  readonly auth: AuthMode
  readonly apiKeys: readonly string[]
  /** Answers a request; `undefined` where its path is not under `/api`. */
  dispatch(request: UnderstudyRequest): UnderstudyReply | Promise<UnderstudyReply> | undefined
  /** Answers a Fetch API request; a path outside `/api` is 404. */
  fetch(request: Request): Promise<Response>
  /** The raw token of a decoded one, for a cookie. */
  rawToken(token: string): Promise<string>
  /** Goes back to the fixture: records, ids, and a frozen clock to where it started. */
  reset(): void
  /** Keeps the present state under a name. */
  snapshot(name: string): void
  /** Goes back to a kept state. */
  restore(name: string): void
  /** The present state as a fixture. */
  export(): Fixture
  /** Replaces the state by a fixture; a broken one changes nothing. */
  import(fixture: Fixture): void
  /** Drops all state; an understudy sets no timers, so there is nothing else to stop. */
  dispose(): void
}

/**
 * Creates an understudy.
 *
 * @throws FixtureError where the fixture is broken.
 * @example
 * const understudy = createUnderstudy({ fixture: demo, auth: 'key' })
 */
export function createUnderstudy(options: UnderstudyOptions = {}): Understudy {
  const { fixture = {}, seed = 1, auth = 'open', strict = false } = options
  if (typeof fixture !== 'object') {
    throw new Error(
      `[understudy] fixture: expected an object, such as demo from 'pipeline-understudy/fixtures'; found ${JSON.stringify(fixture)}.`,
    )
  }
  const { profile } = options
  const switches = readSwitches({ ...profile?.switches, ...options.assumptions })
  const clock = new Clock(options.clock, fixtureClock(fixture))
  const tokens = createTokens(seed)
  const modelOptions = {
    seed,
    now: () => clock.now(),
    switches,
    signToken: tokens.sign,
  }
  const snapshots = new Map<string, ModelState>()

  let loaded = loadFixture(fixture, modelOptions)
  let world = createWorld(loaded)

  function createWorld({ resources: documented, state, apiKeys }: typeof loaded) {
    const resources = profile ? applyProfile(documented, profile) : documented
    const model = new Model({ ...modelOptions, resources })
    model.restore(state)
    const router = new Router(resources)
    return { mode: auth, apiKeys: new Set(apiKeys), model, tokens, switches, router, profile }
  }

  function settled(): Model {
    world.model.settle()
    return world.model
  }

  const tables = lazily((plural) => settled().table(plural))
  const factories = lazily((name) => {
    const resource = world.model.resources.find((candidate) => camelCase(candidate.singular) === name)
    if (resource === undefined || resource.stored === false) {
      const names = world.model.resources
        .filter(({ stored }) => stored !== false)
        .map(({ singular }) => camelCase(singular))
      throw new Error(`[understudy] There is no factory ${name}; there are ${names.join(', ')}.`)
    }
    return createFactory(settled(), resource)
  })

  return {
    model: tables as unknown as Tables,
    factories: factories as unknown as Factories,
    clock,
    auth,
    get apiKeys() {
      return loaded.apiKeys
    },
    get endpoints() {
      return world.router.endpoints
    },
    runs: createRuns(settled),
    dispatch(request) {
      const reply = dispatch(world, request)
      if (!strict || reply === undefined) return reply
      return reply instanceof Promise ? reply.then(checkReply) : checkReply(reply)
    },
    async fetch(request) {
      const reply = await this.dispatch(await fromFetch(request))
      return reply === undefined
        ? new Response('Not found', { status: 404 })
        : new Response(...toResponseParts(reply))
    },
    rawToken(token) {
      const record = findByKey(settled(), 'oauth_access_tokens', token)
      return tokens.sign({ token, expires: toMilliseconds(String(record.expires)) / 1_000 })
    },
    reset() {
      clock.reset()
      world.model.restore(loaded.state)
    },
    snapshot(name) {
      snapshots.set(name, settled().state())
    },
    restore(name) {
      const state = snapshots.get(name)
      if (state === undefined) {
        throw new Error(
          `[understudy] There is no snapshot ${name}; there are ${[...snapshots.keys()].join(', ') || 'none'}.`,
        )
      }
      world.model.restore(state)
    },
    export() {
      return exportFixture(settled(), loaded.apiKeys)
    },
    import(next) {
      const read = loadFixture(next, modelOptions)
      world = createWorld(read)
      loaded = read
      snapshots.clear()
    },
    dispose() {
      snapshots.clear()
      world.model.restore()
    },
  }
}

/** An object whose properties are looked up when they are read. */
function lazily(look: (name: string) => unknown): object {
  return new Proxy(
    {},
    { get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : look(name)) },
  )
}

function camelCase(singular: string): string {
  return singular.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
