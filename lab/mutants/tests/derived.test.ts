import { expect, it } from 'vitest'
import { documentLines } from '../../../contract-tests/rules/document.ts'
import { ruleOf } from '../../../contract-tests/rules/index.ts'
import { createGlob } from '../../../src/shared/glob.ts'
import { harmlessVariants } from '../../conforming/index.ts'
import { allMutants, drawnMutants } from '../draw.ts'
import { operators } from '../operators/index.ts'
import { unobserved, whyUnobserved } from '../unobserved.ts'
import { firstDifference, sequenceLength } from '../witness/witness.ts'

const drawn = drawnMutants()

it('holds at least four hundred derived wrong servers, of every operator', () => {
  expect(drawn.length).toBeGreaterThanOrEqual(400)
  expect(new Set(drawn.map(({ name }) => name)).size).toBe(drawn.length)
  expect([...new Set(drawn.map(({ operator }) => operator))].sort()).toEqual(
    operators.map(({ name }) => name).sort(),
  )
})

it('gives every wrong server a name of its own and a sentence of the document', () => {
  expect(new Set(allMutants.map(({ name }) => name)).size).toBe(allMutants.length)
  for (const { line, text } of new Set(allMutants.map(({ sentence }) => sentence)))
    expect(documentLines()[line - 1]).toContain(text)
})

it('explains only servers that the tables make, and of no operator all but the first request', () => {
  const names = allMutants.map(({ name }) => name)
  const idle = unobserved.filter(({ servers }) => !names.some(createGlob(servers)))
  const judged = allMutants.filter(({ name }) => whyUnobserved(name) === undefined)

  expect(idle).toEqual([])
  expect(new Set(judged.map(({ operator }) => operator)).size).toBe(operators.length)
})

it('tells no good server from another', async () => {
  expect(await firstDifference(() => (_, ask) => ask())).toBeUndefined()
  expect(await sequenceLength()).toBeGreaterThan(1_000)
}, 60_000)

it('has at least a hundred and fifty harmless variants, each with a name of its own', () => {
  expect(harmlessVariants.length).toBeGreaterThanOrEqual(150)
  expect(new Set(harmlessVariants.map(({ name }) => name)).size).toBe(harmlessVariants.length)
})

it('lets harmless variants be told apart by nothing that decides', () => {
  const deciding = harmlessVariants
    .flatMap(({ toldBy = [] }) => toldBy)
    .filter((id) => ruleOf(id).source === 'specified')

  expect(deciding).toEqual([])
})
