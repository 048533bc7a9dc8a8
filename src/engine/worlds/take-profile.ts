import { type AssumptionSwitches, readSwitches } from '../../assumptions/switches.ts'
import { exportFixture } from '../../factories/export.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { Model } from '../../factories/model.ts'
import type { Profile } from '../../profiles/define-profile.ts'
import { doAtOnce } from '../../wire/slices.ts'
import type { Understudy } from '../create-understudy.ts'
import { insideOf } from './world.ts'
import type { WorldInstance } from './world-instance.ts'
import { readWorldStart, type WorldSettings, type WorldStart } from './world-start.ts'

/**
 * Takes the ways of a real server, or those of the document, in every world: what worlds begin with and what they hold is
 * read again as the server has it. Where a record is none by it, nothing has changed.
 */
export function takeProfile(understudy: Understudy, profile: Profile | undefined): void {
  const settings: { -readonly [Name in keyof WorldSettings]: WorldSettings[Name] } =
    insideOf(understudy).present().settings
  const before = { profile: settings.profile, switches: settings.switches }
  /** What worlds begin with, as a fixture: most begin with the same. */
  const starts = new Map<WorldStart, Fixture>()
  const worlds = understudy.worlds.list().map(({ name }) => {
    const world = insideOf(understudy.world(name)).present()
    const { start } = world.look()
    if (!starts.has(start)) starts.set(start, startOf(world))
    const now = world.clock.startsFrozen ? world.clock.now() : undefined
    return { world, start, now, present: isAsItBegan(world) ? undefined : world.export() }
  })
  const switches = readSwitches(profile?.switches satisfies AssumptionSwitches | undefined)
  Object.assign(settings, { profile, switches })
  let read: (() => void)[]
  try {
    const readStarts = new Map(
      [...starts].map(([start, fixture]) => [start, doAtOnce(readWorldStart(fixture, settings))]),
    )
    read = worlds.flatMap(({ world, start, now, present }) => [
      () => world.choose(switches),
      () => world.take(readStarts.get(start)!, true),
      present === undefined ? () => world.clock.putBack(now) : doAtOnce(world.reading(present)),
      // What was before has the tables of before.
      () => world.replacements.forget(),
    ])
  } catch (error) {
    Object.assign(settings, before)
    throw error
  }
  for (const put of read) put()
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
  const { clock: _, ...records } = exportFixture(model, start.apiKeys)
  return start.clock === undefined ? records : { ...records, clock: new Date(start.clock).toISOString() }
}
