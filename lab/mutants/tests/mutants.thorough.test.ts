// Mutants that take a whole run each; `npm run kill-matrix` verifies more of them.
import { expect, it } from 'vitest'
import { ruleMutants } from '../rule-mutants.ts'
import { verifyMutant } from '../verify-mutant.ts'

it.concurrent.each(
  ruleMutants.filter((_, index) => index % 12 === 0).map((mutant) => [mutant.breaks, mutant] as const),
)('finds that a mutant violates %s', async (_, { breaks, start }) => {
  const all = await verifyMutant(start)
  // The finding of another rule may report the same cause.
  const { rules } = all.rules.includes(breaks) ? all : await verifyMutant(start, { only: [breaks] })

  expect(rules).toContain(breaks)
})
