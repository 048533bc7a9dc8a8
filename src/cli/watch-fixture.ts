import type { Understudy } from '../engine/create-understudy.ts'
import type { World } from '../engine/worlds/world.ts'
import { reasonOf } from '../shared/understudy-error.ts'
import { followFixture, naming, readFixtureAgain } from './read-fixture.ts'

/** Logs an event of a watched fixture. */
export type Say = (event: 'loaded' | 'refused', text: string) => void

/** Reloads the fixture when its file changes. An invalid file is logged, and the state remains. */
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
      const unchanged = which === 'all' ? 0 : others.length
      say('loaded', `Reloaded ${name}.${unchanged === 0 ? '' : describeUnchanged(unchanged)}`)
    } catch (error) {
      say('refused', `${reasonOf(error)} The state is unchanged.`)
    }
  }
  followFixture(name, readVersion, reload)
}

function describeUnchanged(count: number): string {
  const worlds = count === 1 ? '1 other world does' : `${count} other worlds do`
  return ` ${worlds} not change; --watch=all reloads all worlds.`
}
