import { seededRandom } from '../../src/shared/seeded.ts'
import { type Mutant, mutantsOf } from './mutant.ts'
import { type Kind, kinds } from './operators/index.ts'

/** A generated mutant, and its kind. */
export interface GeneratedMutant extends Mutant {
  readonly kind: Kind
}

/** Every mutant that the operators generate, by kind and operator. */
const generated = Object.entries(kinds).map(([kind, operators]) =>
  operators.map((operator) =>
    // The keys of a constant object are the kinds.
    mutantsOf([operator]).map((mutant): GeneratedMutant => ({ ...mutant, kind: kind as Kind })),
  ),
)

/** Every mutant that the operators generate. */
export const allMutants: readonly GeneratedMutant[] = generated.flat(2)

/**
 * Draws mutants: of each kind in turn, and within a kind of each operator in turn.
 *
 * @example
 * const mutants = drawMutants(2, 500)
 */
export function drawMutants(seed: number, size: number): GeneratedMutant[] {
  const random = seededRandom(seed, 'mutants')
  const byKind = generated.map((operators) =>
    interleave(shuffle(operators, random).map((mutants) => shuffle(mutants, random))),
  )
  return interleave(byKind).slice(0, size)
}

/** Takes one item of each list in turn. */
function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
