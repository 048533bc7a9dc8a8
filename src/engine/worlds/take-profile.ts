import { type AssumptionSwitches, readSwitches } from '../../assumptions/switches.ts'
import { viewAsFixture } from '../../factories/export.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import { Model } from '../../factories/model.ts'
import type { Profile } from '../../profiles/define-profile.ts'
import { doAtOnce, type Slices } from '../../wire/slices.ts'
import type { Understudy } from '../create-understudy.ts'
import { doInSlices } from './turns.ts'
import { insideOf } from './world.ts'
import type { WorldInstance } from './world-instance.ts'
import { readWorldStart, type WorldSettings, type WorldStart } from './world-start.ts'

/** How often worlds that are written to meanwhile are read again in slices, before the last are read at once. */
const rounds = 3

/** What a world holds, read as the server has it, and at which moment of the world. */
interface Reading {
  readonly revision: number
  /** `undefined` where it holds what it began with. */
  readonly present: WorldStart | undefined
}

/**
 * Takes the ways of a real server, or those of the document, in every world: what worlds begin with and what they hold is
 * read again as the server has it, in slices, and then taken by all at once. Where a record is none by it, nothing has
 * changed.
 */
export async function takeProfile(understudy: Understudy, profile: Profile | undefined): Promise<void> {
  const settings: { -readonly [Name in keyof WorldSettings]: WorldSettings[Name] } =
    insideOf(understudy).present().settings
  const switches = readSwitches(profile?.switches satisfies AssumptionSwitches | undefined)
  const next: WorldSettings = { ...settings, profile, switches }
  /** What worlds begin with: most begin with the same. */
  const starts = new Map<WorldStart, WorldStart>()
  const readings = new Map<WorldInstance, Reading>()
  const stale = () => worldsOf(understudy).filter((world) => !isRead(world, starts, readings))
  for (let round = 0; round < rounds; round++) {
    for (const world of stale()) await doInSlices(reading(world, next, starts, readings))
  }
  for (const world of stale()) doAtOnce(reading(world, next, starts, readings))
  Object.assign(settings, { profile, switches })
  for (const world of worldsOf(understudy)) {
    const { start } = world.look()
    const { present } = readings.get(world)!
    const now = world.clock.startsFrozen ? world.clock.now() : undefined
    world.choose(switches)
    world.take(starts.get(start)!, true)
    if (present !== undefined) world.take(present, false)
    world.clock.putBack(now)
    // What was before has the tables of before.
    world.replacements.forget()
  }
}

function worldsOf({ worlds, world }: Understudy): WorldInstance[] {
  return worlds.list().map(({ name }) => insideOf(world(name)).present())
}

/** Whether a world has been read as it is now. */
function isRead(
  world: WorldInstance,
  starts: ReadonlyMap<WorldStart, WorldStart>,
  readings: ReadonlyMap<WorldInstance, Reading>,
): boolean {
  world.model.settle()
  return starts.has(world.look().start) && readings.get(world)?.revision === world.revision
}

/** Reads what a world holds and begins with. */
function* reading(
  world: WorldInstance,
  next: WorldSettings,
  starts: Map<WorldStart, WorldStart>,
  readings: Map<WorldInstance, Reading>,
): Slices {
  const { start } = world.look()
  const fixture = isAsItBegan(world) ? undefined : given(world.viewAsFixture())
  const { revision } = world
  if (!starts.has(start)) starts.set(start, yield* readWorldStart(given(startOf(world)), next))
  const present = fixture && (yield* readWorldStart(fixture, next, world.clock))
  readings.set(world, { revision, present })
}

/** A view of records, which nobody changes: those who read it need no copy. */
function given(fixture: Fixture): Fixture {
  giveFixture(fixture)
  return fixture
}

/** Whether nothing has been written in a world since it began: it shares what it holds with what it began with. */
function isAsItBegan(world: WorldInstance): boolean {
  world.model.settle()
  const { start, origin, stores } = world.look()
  return origin === start && [...stores].every(([plural, store]) => store === start.state.stores.get(plural))
}

/** What a world goes back to, as a fixture. */
function startOf(world: WorldInstance): Fixture {
  const { start } = world.look()
  const { seed, switches, tokens } = world.settings
  const model = new Model({
    resources: start.resources,
    seed,
    switches,
    signToken: tokens.sign,
    now: () => start.clock ?? world.clock.now(),
  })
  model.restore(start.state)
  const { clock: _, ...records } = viewAsFixture(model, start.apiKeys)
  return start.clock === undefined ? records : { ...records, clock: new Date(start.clock).toISOString() }
}
