import { expect, it } from 'vitest'
import { sequenceGroups } from '../model-based/sequence-groups.ts'
import { groupsOf, scenarioGroups } from '../verify/shards.ts'

it('has each group of sequences in exactly one shard', () => {
  const parts = ['1/3', '2/3', '3/3'].flatMap((part) => groupsOf(part))

  expect(scenarioGroups.flat()).toEqual(sequenceGroups.map(({ name }) => name))
  expect(parts.map(([name]) => name).sort()).toEqual(scenarioGroups.map(([name]) => name).sort())
})

it.each([
  ['4/3', 'expected a part such as 1/4; found 4/3.'],
  ['0/3', 'expected a part such as 1/4; found 0/3.'],
  ['half', 'expected a part such as 1/4; found half.'],
  ['1/8', 'expected at most 7 parts; found 1/8.'],
])('rejects the shard %s', (part, message) => {
  expect(() => groupsOf(part)).toThrow(`--shard: ${message}`)
})
