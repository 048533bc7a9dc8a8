import type { Fixture } from '../../factories/fixture-type.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import type { ImportOptions } from '../../wire/import-options.ts'
import type { Slices } from '../../wire/slices.ts'
import type { MaybePromise } from '../maybe-promise.ts'
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
  await readAndTake(
    world,
    () => reading(fixture, options),
    (take) => present().turns.after(take),
  )
}

/**
 * Makes a world, from a fixture that is given away or from that of the understudy.
 *
 * @throws FixtureError with what is wrong where, or where there is one of that name; then there is no new world.
 */
export async function createInSlices(
  world: World,
  name: string,
  options: { readonly fixture?: Fixture },
): Promise<void> {
  if (options.fixture !== undefined) giveFixture(options.fixture)
  const { creating } = insideOf(world)
  await readAndTake(
    world,
    () => creating(name, options),
    (take) => take(),
  )
}

/** Reads by the ways of the server, and once more where these are others when it comes to taking what was read. */
async function readAndTake(
  world: World,
  read: () => Slices<() => unknown>,
  whenFree: (take: () => boolean) => MaybePromise<boolean>,
): Promise<void> {
  const { settings } = insideOf(world).present()
  let isTaken = false
  while (!isTaken) {
    const { profile } = settings
    const take = await doInSlices(read())
    isTaken = await whenFree(() => {
      if (settings.profile !== profile) return false
      take()
      return true
    })
  }
}
