import { expect, it as itInParts } from 'vitest'
import { documentLines } from '../../../contract-tests/rules/document.ts'
import { ruleOf } from '../../../contract-tests/rules/index.ts'
import { createGlob } from '../../../src/shared/glob.ts'
import { firstOf, wholly } from '../../../tests/support/depth.ts'
import { conformingVariants } from '../../conforming/index.ts'
import { allMutants, drawMutants } from '../draw.ts'
import { type Kind, kinds } from '../operators/index.ts'
import { undetectable, whyUndetectable } from '../undetectable.ts'
import { verifyMutant } from '../verify-mutant.ts'

const it = wholly(itInParts)
const names = allMutants.map(({ name }) => name)

it('gives every generated mutant a unique name and a sentence of the specification', () => {
  expect(new Set(names).size).toBe(names.length)
  for (const { line, text } of new Set(allMutants.map(({ sentence }) => sentence)))
    expect(documentLines()[line - 1]).toContain(text)
})

it('generates mutants of every operator, most of which must be detected', () => {
  const required = allMutants.filter(({ name }) => whyUndetectable(name) === undefined)
  const operators = Object.values(kinds).flatMap((own) => own.map(({ name }) => name))

  expect([...new Set(required.map(({ operator }) => operator))].sort()).toEqual(
    operators.filter((name) => name !== 'filter-bound-exclusive').sort(),
  )
})

it('draws the same mutants for the same seed, and as many of each kind', () => {
  const drawn = drawMutants(7, 72)
  const counts = Object.keys(kinds).map((kind) => drawn.filter((mutant) => mutant.kind === kind).length)

  expect(drawMutants(7, 72)).toEqual(drawn)
  expect(drawMutants(8, 72)).not.toEqual(drawn)
  expect(new Set(counts)).toEqual(new Set([3]))
})

it('explains only mutants that exist', () => {
  expect(undetectable.filter(({ mutants }) => !names.some(createGlob(mutants)))).toEqual([])
})

it('notices that a mutant differs from the correct server', async () => {
  const correct = await verifyMutant(() => (_, forward) => forward(), { scenarios: ['pipelines'] })

  expect(correct).toMatchObject({ kind: 'survived', provoked: 0 })
})

/** The kinds of faults of which the verifier must detect each mutant that always differs. Closed gaps add more. */
const closedKinds: readonly Kind[] = ['errors', 'list metadata', 'successes']
const sample = drawMutants(1, 460).filter(
  ({ kind, name, trigger }) =>
    trigger === 'always' && closedKinds.includes(kind) && whyUndetectable(name) === undefined,
)

itInParts.concurrent.each(firstOf(2, sample).map((mutant) => [mutant.name, mutant] as const))(
  'detects the mutant %s',
  async (_, { start }) => {
    const { kind, provoked } = await verifyMutant(start, { bail: true })

    expect(kind).toBe('detected')
    expect(provoked).toBeGreaterThan(0)
  },
)

it('has at least 150 conforming servers with unique names', () => {
  expect(conformingVariants.length).toBeGreaterThanOrEqual(150)
  expect(new Set(conformingVariants.map(({ name }) => name)).size).toBe(conformingVariants.length)
})

it('distinguishes conforming servers only by rules that do not affect the exit code', () => {
  const affecting = conformingVariants
    .flatMap(({ departsFrom = [] }) => departsFrom)
    .filter((id) => ruleOf(id).source === 'specified')

  expect(affecting).toEqual([])
})
