import { seededRandom } from '../../../src/wire/seeded.ts'
import { type Mutant, product } from './mutant.ts'
import { operators } from './operators/index.ts'
import { firstDifference } from './witness.ts'

/** Every wrong server that the tables make. */
export const allMutants: readonly Mutant[] = product(operators)

/** How many the matrix holds. */
export const matrixSize = 480

/**
 * Draws wrong servers: of each operator in turn, in an order that the seed decides, and only those that some reply tells from the good server.
 *
 * @example
 * const drawn = await drawMutants(1, 480)
 */
export async function drawMutants(seed: number, size: number): Promise<Mutant[]> {
  const random = seededRandom(seed, 'mutants')
  const piles = shuffled(
    operators.map(({ name }) => allMutants.filter(({ operator }) => operator === name)),
    random,
  ).map((pile) => shuffled(pile, random))
  const drawn: Mutant[] = []
  while (drawn.length < size && piles.some((pile) => pile.length > 0)) {
    for (const pile of piles) {
      if (drawn.length === size) break
      const next = await takeSeen(pile)
      if (next) drawn.push(next)
    }
  }
  return drawn
}

/** Takes the next of a pile that can be seen at all. */
async function takeSeen(pile: Mutant[]): Promise<Mutant | undefined> {
  for (let mutant = pile.pop(); mutant !== undefined; mutant = pile.pop()) {
    if ((await firstDifference(mutant.start)) !== undefined) return mutant
  }
  return undefined
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
