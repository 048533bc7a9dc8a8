import { expect, it as itInParts } from 'vitest'
import { answering } from '../../../contract-tests/targets/answering.ts'
import { createTarget } from '../../../contract-tests/targets/built-in.ts'
import { thoroughly, wholly } from '../../../tests/support/depth.ts'
import { drawCombinations, implementationChoices } from '../../conforming/implementation-choices.ts'
import { conformingVariants, serveVariant } from '../../conforming/index.ts'
import { falseFindings, verifyTarget } from '../verify-mutant.ts'

const it = wholly(itInParts)

const always = ['listed-values-in-any-letters-and-edges', 'clock-60-times-as-fast']
/** Few enough for each run in CI; `npm run kill-matrix -- --conforming --combinations 200` verifies all. */
const servers = [
  ...drawCombinations(1, 4),
  ...conformingVariants.filter(({ name }, index) => index % 9 === 0 || always.includes(name)),
]

it('offers at least three values at each point that the specification leaves open', () => {
  expect(implementationChoices.length).toBeGreaterThanOrEqual(14)
  expect(implementationChoices.filter(({ values }) => Object.keys(values).length < 3)).toEqual([])
})

it('draws the same combinations for the same seed, each of choices at several points', () => {
  const names = drawCombinations(7, 40).map(({ name }) => name)

  expect(drawCombinations(7, 40).map(({ name }) => name)).toEqual(names)
  expect(drawCombinations(8, 40).map(({ name }) => name)).not.toEqual(names)
  expect(names.filter((name) => !name.includes(' + '))).toEqual([])
})

thoroughly(itInParts).each(servers.map((server) => [server.name, server] as const))(
  'accuses no conforming server: %s',
  async (_, variant) => {
    const server = serveVariant(variant, (options) => answering(createTarget({ auth: 'login', ...options })))
    const outcome = await verifyTarget(server)

    expect(outcome.reason).toBeUndefined()
    expect(falseFindings(outcome, variant)).toEqual([])
  },
)
