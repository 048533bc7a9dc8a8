import type { AssumptionSwitches } from '../assumptions/switches.ts'
import { readSwitches } from '../assumptions/switches.ts'
import type { Fixture } from '../factories/fixture.ts'
import type { Profile } from '../profiles/define-profile.ts'
import { recordInvalid } from '../wire/errors.ts'
import type { AuthMode } from './authorize.ts'
import type { ClockOption } from './clock.ts'
import { isUnderApi } from './dispatch.ts'
import { Waits } from './faults/delivery.ts'
import { type Fault, readFaults } from './faults/fault.ts'
import type { FaultEffect, RefusableEffect } from './faults/fault-kinds.ts'
import { fromFetch, toResponse } from './fetch.ts'
import type { JournalOptions } from './journal/journal.ts'
import type { UnderstudyReply, UnderstudyRequest } from './messages.ts'
import { splitUrl } from './query.ts'
import { checkOptions } from './read-options.ts'
import { toErrorReply } from './reply.ts'
import { createTokens } from './tokens.ts'
import { chooseWorld } from './worlds/choose-world.ts'
import { type Ground, readOrigin, type World } from './worlds/world.ts'
import { refuseName, WorldMap, type Worlds, type WorldsOptions } from './worlds/worlds.ts'

export interface UnderstudyOptions {
  /** The start state of each world; default: nothing but what the first request creates. */
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
  /** What goes wrong in each world from the beginning. */
  readonly faults?: readonly Fault[]
  /** How much of the requests is kept; `false` keeps none and costs nothing. */
  readonly journal?: JournalOptions | false
  /** How many worlds there may be, and for how long. */
  readonly worlds?: WorldsOptions
  /** Checks every reply against the resource's schema and throws where it does not fit. For tests of the understudy. */
  readonly strict?: boolean
}

/** A face that answers: its name, and which faults it cannot express, with the reason. */
export interface Face {
  readonly name: string
  readonly refuses: Readonly<Partial<Record<RefusableEffect, string>>>
}

/** A stand-in for the service, answered from memory: its main world, and others by name. */
export interface Understudy extends World {
  readonly auth: AuthMode
  readonly worlds: Worlds
  /**
   * The world of a name, born from the fixture where there is none yet. Requests choose it by the header
   * `X-Understudy-World`, or by an API key that ends in `~` and the name.
   *
   * @throws where the name is none: 1 to 64 letters, digits, `-` or `_`.
   * @example
   * understudy.world('alice').clock.advance('1h')
   */
  world(name: string): World
  /** Answers a request; `undefined` where its path is not under `/api`. A face carries out the reply's `delivery`. */
  dispatch(request: UnderstudyRequest): UnderstudyReply | Promise<UnderstudyReply> | undefined
  /** Answers a Fetch API request, faults in its delivery included; a path outside `/api` is 404. */
  fetch(request: Request): Promise<Response>
  /**
   * For faces: says that one answers from this understudy, and gives its waits, which end with the understudy.
   *
   * @throws FaultError where a fault that was added before cannot be expressed by it.
   */
  attach(face: Face): Waits
  /** Drops all state, ends what is waiting, and forgets all worlds but `main`. */
  dispose(): void
}

/**
 * Creates an understudy.
 *
 * @throws FixtureError where the fixture is broken, FaultError where a fault is.
 * @example
 * const understudy = createUnderstudy({ fixture: demo, auth: 'key' })
 */
export function createUnderstudy(options: UnderstudyOptions = {}): Understudy {
  checkOptions(options)
  const { fixture = {}, seed = 1, auth = 'open', profile, journal = {} } = options
  const waits = [new Waits()]
  const faces: Face[] = []
  const ground: Ground = {
    seed,
    auth,
    profile,
    clock: options.clock,
    tokens: createTokens(seed),
    switches: readSwitches({ ...profile?.switches, ...options.assumptions }),
    faults: readFaults(options.faults ?? []),
    journal: journal === false ? { entries: 0 } : journal,
    population: () => worlds.size,
    isStrict: options.strict ?? false,
    refusal(effect) {
      for (const { name, refuses } of faces) {
        const reasons: Readonly<Partial<Record<FaultEffect, string>>> = refuses
        const reason = reasons[effect]
        if (reason !== undefined) return { face: name, reason }
      }
      return undefined
    },
  }
  const worlds: WorldMap = new WorldMap(readOrigin(fixture, ground), ground, options.worlds)
  const { main } = worlds
  const isKey = (text: string) => main.world.apiKeys.includes(text)

  function refuse(request: UnderstudyRequest, path: string, reason: string): UnderstudyReply {
    return toErrorReply(
      main.scene(),
      request,
      path,
      recordInvalid(`The name of a world: ${reason}`),
      undefined,
    )
  }

  const own: Omit<Understudy, keyof World> & Pick<World, 'import'> = {
    auth,
    worlds,
    world: (name) => (name === main.world.name ? understudy : worlds.get(name)),
    dispatch(request) {
      const target = splitUrl(request.url)
      if (!isUnderApi(target.path)) return undefined
      const name = chooseWorld(request, target.search, isKey) ?? request.world
      if (name === undefined || name === main.world.name) return worlds.answerMain(request, target)
      const refusal = refuseName(name)
      if (refusal !== undefined) {
        // A preflight is allowed whatever it names: the browser reads no error in it.
        return request.method === 'OPTIONS'
          ? worlds.answerMain(request, target)
          : refuse(request, target.path, refusal)
      }
      return worlds.answer(name, request, target)
    },
    async fetch(request) {
      const reply = await this.dispatch(await fromFetch(request))
      return reply === undefined
        ? new Response('Not found', { status: 404 })
        : toResponse(reply, waits[0]!, request.signal)
    },
    attach(face) {
      faces.push(face)
      try {
        for (const { faults } of worlds.all()) faults.checkAll()
      } catch (error) {
        faces.pop()
        throw error
      }
      const own = new Waits()
      waits.push(own)
      return own
    },
    import(next) {
      main.world.import(next)
      worlds.bear(readOrigin(next, ground))
    },
    dispose() {
      for (const each of waits) each.dispose()
      worlds.dispose()
    },
  }
  // With their getters: the keys and endpoints of the main world change with an import.
  const understudy = Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(main.world),
      ...Object.getOwnPropertyDescriptors(own),
    },
  ) as Understudy
  return understudy
}
