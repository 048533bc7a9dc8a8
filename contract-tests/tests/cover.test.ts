import { expect, it } from 'vitest'
import { cover } from '../model-based/coverage-plan.ts'

interface CoveredPage {
  readonly limit: number
  readonly offset: number
  readonly isCounted: boolean
}
const factors = { limit: [1, 2, 3], offset: [0, 1], isCounted: [true, false] }
const pairs = (rows: readonly CoveredPage[]) => rows.map(({ limit, offset }) => `${limit} ${offset}`).sort()

it('covers each required combination with as few rows as possible', () => {
  const rows = cover<CoveredPage>({ factors, every: [[['limit', 'offset']], [['offset', 'isCounted']]] }, 1)

  expect(pairs(rows)).toEqual(['1 0', '1 1', '2 0', '2 1', '3 0', '3 1'])
  expect(new Set(rows.map(({ offset, isCounted }) => `${offset} ${isCounted}`)).size).toBe(4)
})

it('omits impossible and unwanted combinations', () => {
  const rows = cover<CoveredPage>(
    {
      factors,
      every: [[['limit', 'offset'], ({ limit }) => limit > 1]],
      isPossible: ({ limit, offset }) => limit !== 3 || offset === 0,
    },
    1,
  )

  expect(pairs(rows)).toEqual(['2 0', '2 1', '3 0'])
})

it('chooses the same rows for the same seed, and others for another seed', () => {
  const chosen = (seed: number) => cover<CoveredPage>({ factors, every: [[['limit', 'offset']]] }, seed)

  expect(chosen(1)).toEqual(chosen(1))
  expect(chosen(1)).not.toEqual(chosen(2))
})
