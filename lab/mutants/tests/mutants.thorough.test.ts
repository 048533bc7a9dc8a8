// A sample of the mutants of each rule; `npm run kill-matrix` verifies more of them.
import { expect, it } from 'vitest'
import { ruleMutants } from '../rule-mutants.ts'
import { verifyMutant } from '../verify-mutant.ts'

it.concurrent.each(
  ruleMutants.filter((_, index) => index % 12 === 0).map((mutant) => [mutant.breaks, mutant] as const),
)('finds that a mutant violates %s', async (_, { breaks, start }) => {
  const alone = await verifyMutant(start, { only: [breaks], bail: true, confirm: true })
  // The scenarios of other rules may provoke it, too.
  const { rules } = alone.rules.includes(breaks) ? alone : await verifyMutant(start)

  expect(rules).toContain(breaks)
})
