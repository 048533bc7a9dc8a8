import type { Fixture } from '../../factories/fixture-type.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import type { ImportOptions } from '../../shared/import-options.ts'
import type { Slices } from '../../shared/slices.ts'
import { doInSlices } from './turns.ts'
import { insideOf, type World } from './world.ts'
import type { WorldOptions } from './world-start.ts'

/**
 * Imports a fixture that is given away into a world, which answers from its old state meanwhile.
 *
 * @throws FixtureError with what is wrong where; then nothing has changed.
 */
export async function importInSlices(world: World, fixture: Fixture, options?: ImportOptions): Promise<void> {
  giveFixture(fixture)
  const { reading, present } = insideOf(world)
  const take = await doInSlices(reading(fixture, options))
  await present().turns.after(take)
}

/**
 * Makes a world, from a fixture that is given away or from that of the understudy.
 *
 * @throws FixtureError with what is wrong where, or where there is one of that name; then there is no new world.
 */
export async function createInSlices(world: World, name: string, options: WorldOptions): Promise<void> {
  if (options.fixture !== undefined) giveFixture(options.fixture)
  await doInSlices(creatingWhole(world, name, options))
}

/** The world is made in the step that ends its reading: what it weighs was held against those that there are then. */
function* creatingWhole(world: World, name: string, options: WorldOptions): Slices<World> {
  return (yield* insideOf(world).creating(name, options))()
}
