import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseLimits } from '../../lab/real-server/learn.ts'
import { createGlob } from '../../src/shared/glob.ts'
import { ruleOf, rules } from '../rules/index.ts'
import { operationIds } from '../runner/operation-facts.ts'
import { parseBaseline } from '../verify/baseline.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(root, path), 'utf8')
const page = await read('docs/real-server.md')
const name = 'contract-tests/baselines/mage-ai-0.9.79.json'
const { deviations } = parseBaseline(await read(name), name)
const { limits } = parseLimits(await read('contract-tests/baselines/mage-ai-0.9.79.limits.json'))
/** The rules of its deviations, each with its line and source. */
const violated = [...page.matchAll(/`([a-z-]+\/[\w-]+)` \(line (\d+), (\w+)\)/g)]

it('gives the line and the source of each rule on its page', () => {
  expect(violated.length).toBeGreaterThan(100)
  for (const [, id = '', line, source] of violated) {
    const rule = ruleOf(id as (typeof rules)[number]['id'])
    expect([id, Number(line), source]).toEqual([id, rule.sentence.line, rule.source])
  }
})

it('names only existing rules among those that were not checked', () => {
  const [, unchecked = ''] = page.split('## Rules that were not checked')
  const named = [...unchecked.matchAll(/`([a-z-]+\/[\w-]+)`/g)].map(([, id = '']) => id)
  const ids = new Set<string>(rules.map(({ id }) => id))

  expect(named.length).toBeGreaterThan(90)
  expect(named.filter((id) => !ids.has(id))).toEqual([])
})

it('accepts deviations by their evidence, each with a reason in full sentences', () => {
  expect(deviations.length).toBeGreaterThan(150)
  expect(deviations.filter(({ reason }) => !reason.endsWith('.'))).toEqual([])
})

it('shows exactly the behavior that its baseline accepts', () => {
  const reasons = [...new Set(deviations.map(({ reason }) => reason))]

  expect(reasons.filter((reason) => !page.includes(`| ${reason} |`))).toEqual([])
  expect(page).not.toContain('Not in the baseline')
})

it.each([
  ['Trigger pipeline', 'Only schedules of type `api` can be triggered: for the type `time`, the trigger is error 500.'],
  ['Read pipelines', '`next` in the metadata of this list is null.'],
  ['Create block', 'A slash in the name stays in the uuid, such as `a/b_c`.'],
  ['Read block', 'Blocks of type `callback` and `conditional` are created, but cannot be read.'],
  ['Read pipeline schedules', '`schedule_type` is null for the schedule of a backfill.'],
  ['Update backfill', 'Null does not clear a value.'],
  ['Read backfills', 'The status `cancelled` for a backfill without runs is error 500, and is stored all the same.'],
  ['Read one pipeline', 'A block whose creation is error 500 is added to its pipeline all the same, with its links.'],
])('contains a deviation of %s: %s', (operation, reason) => {
  expect(deviations.some((entry) => entry.operation === operation && entry.reason === reason)).toBe(true)
}) // biome-ignore format: a table

it('states limits of the profile only for existing operations', () => {
  const operations = [...operationIds, 'other']

  expect(limits.filter(({ operation }) => !operations.some((id) => createGlob(operation)(id)))).toEqual([])
})
