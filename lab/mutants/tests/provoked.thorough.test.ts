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

/** Groups that no request provokes. */
const outOfReach = {
  'cut-at-fifty': 'No list of a verification has more than fifty items.',
}

it('provokes a mutant of each operator, request form and trigger that an operator names', {
  timeout: 300_000,
}, async () => {
  const unprovoked = new Set(allMutants.map(groupOf))
  const { kind } = await verifyMutant(watchMutants(allMutants, groupOf, unprovoked))

  expect(kind).toBe('survived')
  expect([...unprovoked]).toEqual(Object.keys(outOfReach))
})
