import { seededRandom } from '../../src/shared/seeded.ts'
import drawn from './drawn.json' with { type: 'json' }
import { type Mutant, product } from './mutant.ts'
import { operators } from './operators/index.ts'
import sample from './sample.json' with { type: 'json' }
import { firstDifference } from './witness/witness.ts'

/** Every wrong server that the tables make. */
export const allMutants: readonly Mutant[] = product(operators)

/** How many the matrix holds. */
export const matrixSize = 500

/** The seed of the wrong servers in `drawn.json`. */
export const drawnSeed: number = drawn.seed

/** The wrong servers in `drawn.json`, which are drawn anew with another seed for each release. */
export const drawnMutants = (): Mutant[] => byNames(drawn.mutants, 'drawn.json')

/** The wrong servers of which each test run judges some. */
export const sampleMutants = (): Mutant[] => byNames(sample.mutants, 'sample.json')

function byNames(names: readonly string[], file: string): Mutant[] {
  const known = new Map(allMutants.map((mutant) => [mutant.name, mutant]))
  return names.map((name) => {
    const mutant = known.get(name)
    if (mutant) return mutant
    throw new Error(
      `[understudy] Expected a wrong server of the tables; found ${name} in ${file}; draw anew by npm run kill-matrix -- --draw, or take it out.`,
    )
  })
}

/**
 * Draws wrong servers: of each operator in turn, in an order that the seed decides, and only those that some reply
 * tells from the good server.
 *
 * @example
 * const mutants = await drawMutants(2, 500)
 */
export async function drawMutants(seed: number, size: number): Promise<Mutant[]> {
  const random = seededRandom(seed, 'mutants')
  // By name: the order of files decides nothing.
  const byName = operators.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const piles = shuffled(byName, random).map(({ name }) =>
    shuffled(
      allMutants.filter(({ operator }) => operator === name),
      random,
    ),
  )
  const found: Mutant[] = []
  while (found.length < size && piles.some((pile) => pile.length > 0)) {
    for (const pile of piles) {
      if (found.length === size) break
      const next = await takeSeen(pile)
      if (next) found.push(next)
    }
  }
  return found
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
