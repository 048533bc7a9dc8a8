import type { Understudy } from '../engine/create-understudy.ts'
import type { World } from '../engine/worlds/world.ts'
import { reasonOf } from '../shared/understudy-error.ts'
import { followFixture, naming, readFixtureAgain } from './read-fixture.ts'

/** What is said of a fixture that has changed. */
export type Say = (event: 'loaded' | 'refused', text: string) => void

/** Loads the fixture again when its file is not what was read any more; a broken one is said, and the state stays as it is. */
export function watchFixture(
  name: string,
  readVersion: string,
  understudy: Understudy,
  which: 'main' | 'all',
  say: Say,
): void {
  const reload = async () => {
    try {
      const fixture = await readFixtureAgain(name)
      const take = (world: World) => naming(name, () => world.import(fixture, { asStart: true }))
      take(understudy)
      const others = understudy.worlds.list().filter((world) => world.name !== understudy.name)
      if (which === 'all') for (const world of others) take(understudy.world(world.name))
      const kept = which === 'all' ? 0 : others.length
      say('loaded', `Loaded ${name} again.${kept === 0 ? '' : sayKept(kept)}`)
    } catch (error) {
      say('refused', `${reasonOf(error)} The state stays as it was.`)
    }
  }
  followFixture(name, readVersion, reload)
}

function sayKept(count: number): string {
  const worlds =
    count === 1 ? '1 world that was born before keeps' : `${count} worlds that were born before keep`
  return ` ${worlds} what it began with; --watch=all gives the new one to all.`
}
