import type { Fixture } from '../../factories/fixture-type.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import type { ImportOptions } from '../../wire/import-options.ts'
import { doInSlices } from './turns.ts'
import { insideOf, type World } from './world.ts'

/**
 * Imports a fixture that is given away into a world, which answers from its old state meanwhile.
 *
 * @throws FixtureError with what is wrong where; then nothing has changed.
 */
export async function importInSlices(world: World, fixture: Fixture, options?: ImportOptions): Promise<void> {
  giveFixture(fixture)
  const { reading, present } = insideOf(world)
  const takePlace = await doInSlices(reading(fixture, options))
  await present().turns.after(takePlace)
}
