import { viewAsFixture } from '../../factories/export.ts'
import { fixtureClock, type LoadedFixture, loadFixture } from '../../factories/fixture.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import { Model, type ModelState } from '../../factories/model.ts'
import type { Resource } from '../../resources/resource.ts'
import { WorldClock } from '../clock.ts'
import { Redactor } from '../journal/redact.ts'
import { Router } from '../router.ts'
import type { WorldSettings } from './world-settings.ts'

/** The initial state of a world, which `reset` restores. Worlds share it. */
export interface WorldStart {
  readonly resources: readonly Resource[]
  readonly router: Router
  readonly redactor: Redactor
  readonly state: ModelState
  readonly apiKeys: readonly string[]
  /** The resource whose records are the tokens of requests, if there is one. */
  readonly authenticator: Resource | undefined
  /** Initial time of a frozen clock, in milliseconds since the epoch. */
  readonly clock: number | undefined
}

/**
 * Reads the initial state of a world. Timestamps in the fixture are relative to `given`, by default the clock
 * of a new world. If that clock is frozen, they are relative to the time that the fixture sets.
 *
 * @throws FixtureError where the fixture is invalid.
 */
export function readWorldStart(fixture: Fixture, settings: WorldSettings, given?: WorldClock): WorldStart {
  const start = fixtureClock(fixture)
  const setsTime = start !== undefined && given?.startsFrozen
  const clock = setsTime ? { now: () => start } : (given ?? new WorldClock(settings.time, start))
  return createWorldStart(loadRecords(fixture, settings, clock), start)
}

export function loadRecords(
  fixture: Fixture,
  { seed, switches, tokens, profile }: WorldSettings,
  clock: { now(): number },
): LoadedFixture {
  return loadFixture(fixture, {
    seed,
    switches,
    signToken: tokens.sign,
    clock,
    ...(profile !== undefined && { deviate: (documented) => profile.apply(documented, profile) }),
  })
}

/** Converts an initial state to a fixture, to read it with another profile. */
export function toFixture(start: WorldStart, { seed, switches, tokens, time }: WorldSettings): Fixture {
  const clock = new WorldClock(time, start.clock)
  const model = new Model({
    resources: start.resources,
    seed,
    switches,
    signToken: tokens.sign,
    clock: { now: () => clock.now() },
  })
  model.restore(start.state)
  const { clock: _, ...records } = viewAsFixture(model, start.apiKeys)
  const fixture =
    start.clock === undefined ? records : { ...records, clock: new Date(start.clock).toISOString() }
  giveFixture(fixture)
  return fixture
}

/** Creates an initial state of loaded records. `clock` is the time of a frozen clock. */
export function createWorldStart(
  { resources, state, apiKeys }: LoadedFixture,
  clock: number | undefined,
): WorldStart {
  return {
    resources,
    router: new Router(resources),
    redactor: new Redactor(resources, () => [...apiKeys, ...secretsIn(state, resources)]),
    state,
    apiKeys,
    authenticator: resources.find(({ authenticates }) => authenticates !== undefined),
    clock,
  }
}

/** The secrets in the records of a fixture: passwords and tokens. */
function* secretsIn({ stores }: ModelState, resources: readonly Resource[]): Iterable<string> {
  for (const { plural, secrets = [] } of resources) {
    for (const { record } of stores.get(plural)?.rows.items ?? []) {
      for (const name of secrets) {
        const secret = record[name]
        if (typeof secret === 'string') yield secret
      }
    }
  }
}
