import { expect, it } from 'vitest'
import { allMutants, type GeneratedMutant } from '../draw.ts'
import type { Kind } from '../operators/index.ts'
import { watchMutants } from '../provoked.ts'
import { isExplicit } from '../triggers.ts'
import { verifyMutant } from '../verify-mutant.ts'

/** Kinds whose mutants differ only for requests of a certain form. */
const ofForms: readonly Kind[] = ['request forms', 'invalid requests']

/** The operator of a mutant, with the form of the request and the trigger that the operator names. */
function groupOf({ name, kind, operator, trigger }: GeneratedMutant): string {
  const form = ofForms.includes(kind) ? name.replace(/.*\.(.*)\/.*/, '.$1') : ''
  return `${operator}${form}${isExplicit(trigger) ? `/${trigger}` : ''}`
}

/** Every nth mutant of each group, to watch about ten of a group. */
function sample(mutants: readonly GeneratedMutant[]): GeneratedMutant[] {
  const sizes = new Map<string, number>()
  for (const mutant of mutants) sizes.set(groupOf(mutant), (sizes.get(groupOf(mutant)) ?? 0) + 1)
  const seen = new Map<string, number>()
  return mutants.filter((mutant) => {
    const group = groupOf(mutant)
    const index = seen.get(group) ?? 0
    seen.set(group, index + 1)
    return index % Math.ceil((sizes.get(group) ?? 1) / 10) === 0
  })
}

/** Groups that no request provokes. */
const outOfReach = {
  'cut-at-fifty': 'No list of a verification has more than fifty items.',
}

it('provokes a mutant of each operator, request form and trigger that an operator names', {
  timeout: 300_000,
}, async () => {
  const unprovoked = new Set(allMutants.map(groupOf))
  const { kind } = await verifyMutant(watchMutants(sample(allMutants), groupOf, unprovoked))

  expect(kind).toBe('survived')
  expect([...unprovoked]).toEqual(Object.keys(outOfReach))
})
