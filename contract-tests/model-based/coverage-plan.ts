import { seededRandom } from '../../src/shared/seeded.ts'

/** The possible values of each part of a request. */
type Factors<Row> = { readonly [Factor in keyof Row]: readonly Row[Factor][] }

/** The combinations to cover. */
export interface CoverPlan<Row> {
  readonly factors: Factors<Row>
  /** Combinations of factors. Each possible one is in some row; a condition selects the rows that count. */
  readonly every: readonly (readonly [factors: readonly (keyof Row)[], counts?: (row: Row) => boolean])[]
  /** The sendable rows. Default: any. */
  readonly isPossible?: (row: Row) => boolean
}

/**
 * Chooses rows that contain every wanted combination at least once: a covering array. A row covers many, so they are
 * few. The seed selects among the possible ones, and determines their order.
 *
 * @example
 * cover({ factors: { limit: [1, 2], offset: [0, 1], counted: [true, false] }, every: [[['limit', 'offset']]] }, 1).length // 4
 */
export function cover<Row extends object>(plan: CoverPlan<Row>, seed: number): Row[] {
  const random = seededRandom(seed, 'cover')
  const candidates = product(plan.factors)
    .filter(plan.isPossible ?? (() => true))
    .map((row) => ({ row, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ row }) => ({ row, wanted: combinationsIn(row, plan) }))
  const covered = new Set<string>()
  const chosen: Row[] = []
  // Rows that cover most come first: the number of new combinations in a row only decreases.
  for (let least = plan.every.length; least > 0; least--) {
    for (const { row, wanted } of candidates) {
      const fresh = wanted.filter((combination) => !covered.has(combination))
      if (fresh.length < least) continue
      for (const combination of fresh) covered.add(combination)
      chosen.push(row)
    }
  }
  return chosen
}

function combinationsIn<Row extends object>(row: Row, { every, factors }: CoverPlan<Row>): string[] {
  return every.flatMap(([names, counts], index) =>
    counts === undefined || counts(row)
      ? [[index, ...names.map((name) => factors[name].indexOf(row[name]))].join(' ')]
      : [],
  )
}

function product<Row extends object>(factors: Factors<Row>): Row[] {
  // The keys of an object are plain texts to the compiler.
  const names = Object.keys(factors) as (keyof Row)[]
  let rows: Partial<Row>[] = [{}]
  for (const name of names)
    rows = rows.flatMap((row) => factors[name].map((value) => ({ ...row, [name]: value })))
  // Every factor has a value by now.
  return rows as Row[]
}
