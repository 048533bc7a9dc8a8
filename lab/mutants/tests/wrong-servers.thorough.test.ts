// Wrong servers that take a whole result each; `npm run kill-matrix` judges all of those of which some are here.
import { expect, it } from 'vitest'
import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { brokenRules, judgeBroken } from '../../../contract-tests/tests/check-mutant.ts'
import { judgeDerived } from '../check-derived.ts'
import { derivedRuleServers } from '../derived-rule-servers.ts'
import { sampleMutants } from '../draw.ts'
import { laterServers } from '../later-servers.ts'
import { mistakingServers } from '../mistaking-servers.ts'
import { firstDifference } from '../witness/witness.ts'

const sample = sampleMutants()
const wrong = sample.filter((_, index) => index % 5 === 0)

it.concurrent.each(mistakingServers.map((server) => [server.name, server] as const))(
  'catches that %s',
  async (_, { start }) => {
    expect((await judgeDerived(start, [], { bail: true })).kind).toBe('killed')
  },
)

// The others are checked by `npm run kill-matrix`.
it.concurrent.each(
  laterServers.filter((_, index) => index % 6 === 0).map((server) => [server.name, server] as const),
)('catches %s, which was written after the sequences', async (_, server) => {
  expect(brokenRules(await judgeBroken(server, { sequences: 1, bail: true }))).not.toEqual([])
})

// All of them are checked by `npm run kill-matrix`; here every twelfth.
it.concurrent.each(
  derivedRuleServers.filter((_, index) => index % 12 === 0).map((server) => [server.breaks, server] as const),
)('finds %s broken on a server that breaks it', async (_, server) => {
  expect(brokenRules(await judgeBroken(server, { rule: server.breaks, sequences: 1 }))).toContain(
    server.breaks,
  )
})

it.concurrent.for([
  [
    'gives codes as text',
    (error: Json) => ({ error: { ...error, code: String(error.code) }, status: 200 }),
    'errors/code',
  ],
  ['wraps errors elsewhere', (error: Json) => ({ errors: [error], status: 200 }), 'errors/under-error'],
] as const)('judges a target that %s, and finds it broken', async ([_, wrap, rule]) => {
  const { findings } = await judgeBroken({
    reply: ({ body }) => {
      const { error } = body as { error?: Json }
      return error === undefined ? undefined : { body: wrap(error) }
    },
  })
  const broken = findings.filter(({ verdict }) => verdict.kind === 'failed').map((finding) => finding.rule.id)

  expect(broken).toContain(rule)
})

it('catches every fifth wrong server of the sample', async () => {
  const missed: string[] = []
  for (const { name, start, seenBy } of wrong)
    if ((await judgeDerived(start, seenBy, { bail: true })).kind !== 'killed') missed.push(name)
  expect(missed).toEqual([])
}, 120_000)

it('shows a client a difference in every fourth wrong server of the sample', async () => {
  const same: string[] = []
  for (const { name, start } of sample.filter((_, index) => index % 4 === 0))
    if ((await firstDifference(start)) === undefined) same.push(name)
  expect(same).toEqual([])
}, 60_000)
