import { join } from 'node:path'
import { expect } from 'vitest'
import { scenarios } from '../scenarios/index.ts'
import { expressTarget } from '../targets/built-in.ts'
import { groupsOf, scenarioGroups } from '../verify/shards.ts'
import { it } from './it.ts'
import { everything, runVerify } from './run-verify.ts'

it('has a part for every scenario, and each in one part only', () => {
  const parts = ['1/3', '2/3', '3/3'].flatMap((part) => groupsOf(part))

  expect(scenarioGroups.flat()).toEqual(scenarios.map(({ name }) => name))
  expect(parts.map(([name]) => name).sort()).toEqual(scenarioGroups.map(([name]) => name).sort())
})

it.each([
  ['4/3', 'expected a part such as 1/4; found 4/3.'],
  ['0/3', 'expected a part such as 1/4; found 0/3.'],
  ['half', 'expected a part such as 1/4; found half.'],
  ['1/8', 'expected at most 7 parts; found 1/8.'],
])('refuses the part %s', (part, message) => {
  expect(() => groupsOf(part)).toThrow(`--shard: ${message}`)
})

it.concurrent('judges in parts and joins their reports', async ({ folder, listen }) => {
  const path = await folder()
  const url = await listen(expressTarget('login'))
  const files = ['1/2', '2/2'].map((part) => join(path, `${part[0]}.json`))
  await runVerify([url, ...everything, '--shard', '1/2', '--stories', '1', '--report', `json=${files[0]}`])
  await runVerify([url, ...everything, '--shard', '2/2', '--stories', '1', '--report', `json=${files[1]}`])
  const { code, out } = await runVerify(['--merge', ...files])

  expect(code).toBe(0)
  expect(out).toContain('435 hold, 0 broken')
})
