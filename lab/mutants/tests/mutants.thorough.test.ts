// Mutants that take a whole run each; `npm run kill-matrix` verifies more of them.
import { expect, it } from 'vitest'
import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { checkMutant, failedRules } from '../../../contract-tests/tests/check-mutant.ts'
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

it.concurrent.for([
  [
    'gives codes as text',
    (error: Json) => ({ error: { ...error, code: String(error.code) }, status: 200 }),
    'errors/code',
  ],
  ['wraps errors elsewhere', (error: Json) => ({ errors: [error], status: 200 }), 'errors/under-error'],
] as const)('verifies a target that %s, and finds it faulty', async ([_, wrap, rule]) => {
  const result = await checkMutant({
    reply: ({ body }) => {
      const { error } = body as { error?: Json }
      return error === undefined ? undefined : { body: wrap(error) }
    },
  })

  expect(failedRules(result)).toContain(rule)
})
