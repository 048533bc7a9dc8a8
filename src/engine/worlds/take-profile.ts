import { type AssumptionSwitches, readSwitches } from '../../assumptions/switches.ts'
import { exportFixture } from '../../factories/export.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { Model } from '../../factories/model.ts'
import type { Profile } from '../../profiles/define-profile.ts'
import { doAtOnce } from '../../wire/slices.ts'
import type { Understudy } from '../create-understudy.ts'
import { insideOf } from './world.ts'
import type { WorldInstance } from './world-instance.ts'
import type { WorldSettings } from './world-start.ts'

/**
 * Takes the ways of a real server, or those of the document, in every world: what worlds begin with and what they hold is
 * read again as the server has it. Where a record is none by it, nothing has changed.
 */
export function takeProfile(understudy: Understudy, profile: Profile | undefined): void {
  const settings: { -readonly [Name in keyof WorldSettings]: WorldSettings[Name] } =
    insideOf(understudy).present().settings
  const before = { profile: settings.profile, switches: settings.switches }
  const worlds = understudy.worlds.list().map(({ name }) => {
    const inside = insideOf(understudy.world(name))
    return { inside, start: startOf(inside.present()), present: inside.present().export() }
  })
  const switches = readSwitches(profile?.switches satisfies AssumptionSwitches | undefined)
  Object.assign(settings, { profile, switches })
  let read: (() => void)[]
  try {
    read = worlds.flatMap(({ inside, start, present }) => [
      () => inside.present().choose(switches),
      doAtOnce(inside.reading(start, { asStart: true })),
      doAtOnce(inside.reading(present)),
      // What was before has the tables of before.
      () => inside.present().replacements.forget(),
    ])
  } catch (error) {
    Object.assign(settings, before)
    throw error
  }
  for (const put of read) put()
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
