import { expect, it as itInParts } from 'vitest'
import { allMutants, type GeneratedMutant } from '../../lab/mutants/draw.ts'
import { serveMutant } from '../../lab/mutants/serve-mutant.ts'
import { whyUndetectable } from '../../lab/mutants/undetectable.ts'
import { mageAi0979, type Profile } from '../../src/profiles/index.ts'
import { thoroughly, wholly } from '../../tests/support/depth.ts'
import { mockTraffic } from './recorded-traffic.ts'
import { findingsIn } from './traffic-findings.ts'

/** The findings in the traffic of clients with a mutant; `undefined` where it replied as a correct server does. */
async function verifyTrafficOf({ name, start }: GeneratedMutant, profile?: Profile) {
  let provoked = 0
  const traffic = await mockTraffic({
    requests: 300,
    ...(profile && { profile }),
    behind: (mock) => serveMutant(mock, start, () => provoked++),
  })
  return provoked === 0 ? undefined : { name, ...(await findingsIn(traffic, profile)) }
}

/** Mutants of which each reply may be right by itself, and contradicts others. */
const stateful = [
  'change-lost/updateBackfill.record/always',
  'change-lost/deleteBlock.record/always',
  'item-lost/listBackfills.items/always',
  'deleted-still-answered/readBlock.record/always',
  'lost-on-second-read/readPipeline.record/always',
  'text-replaced/readBlock.content/from-the-fourth-request',
  'timestamp-moved/listBackfills.created_at/from-the-fourth-request',
  'offset-one-more/listBackfills._offset/always',
  'neighbour-removed/deleteBackfill.of-the-same-pipeline/always',
  'reaches-others/createBlock.name/always',
  'one-for-all/triggerPipeline.record/always',
  'stored-otherwise/createBlock.name/always',
]

wholly(itInParts).each(stateful)('finds the contradictions of the mutant %s', async (name) => {
  const mutant = allMutants.find((each) => each.name === name)
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`)
  const outcome = await verifyTrafficOf(mutant)

  expect(outcome?.failed.length).toBeGreaterThan(0)
})

const kinds = ['values', 'life cycles', 'later reads', 'leaking state', 'lists', 'pages', 'records']
const drifts = ['text-replaced', 'timestamp-moved', 'first-element-only', 'value-of-neighbour']

/** Every nth mutant of those of each operator and operation that differ from request to request. */
function drawStateful(every: number): GeneratedMutant[] {
  const drawn = new Map<string, GeneratedMutant>()
  for (const mutant of allMutants) {
    const { name, kind, operator, operation, trigger } = mutant
    const isDrift = drifts.includes(operator) && trigger === 'from-the-fourth-request'
    const key = isDrift ? name : `${operator} ${operation}`
    const isStateful = isDrift || (kinds.includes(kind) && trigger === 'always')
    if (isStateful && !drawn.has(key) && whyUndetectable(name) === undefined) drawn.set(key, mutant)
  }
  // Clients send ordinary values, which these mutants store unchanged.
  const isMangling = ({ operator }: GeneratedMutant) => operator.startsWith('mangles-')
  return [...drawn.values()].filter((mutant, index) => index % every === 0 && !isMangling(mutant))
}

thoroughly(itInParts).each([
  ['the specification', undefined, { every: 2, least: 40 }],
  ['a profile', mageAi0979, { every: 5, least: 12 }],
] as const)(
  'finds more than 80 % of the contradictions of a server that follows %s',
  { timeout: 300_000 },
  async (_, profile, { every, least }) => {
    const provoked = []
    for (const mutant of drawStateful(every)) {
      const outcome = await verifyTrafficOf(mutant, profile)
      if (outcome !== undefined) provoked.push(outcome)
    }
    const missed = provoked.filter(({ failed }) => failed.length === 0).map(({ name }) => name)

    expect(provoked.length).toBeGreaterThan(least)
    expect(missed.length, missed.join('\n')).toBeLessThan(provoked.length * 0.2)
  },
)
