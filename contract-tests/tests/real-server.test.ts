import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createGlob } from '../../src/shared/glob.ts'
import { parseLimits } from '../learning/learn.ts'
import { ruleOf, rules } from '../rules/index.ts'
import { operationIds } from '../runner/operation-facts.ts'
import { parseBaselineFile } from '../verify/baseline.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(root, path), 'utf8')
const page = await read('docs/real-server.md')
const baseline = parseBaselineFile(await read('contract-tests/baselines/mage-ai-0.9.79.json'), 'the baseline')
const { limits } = parseLimits(await read('contract-tests/baselines/mage-ai-0.9.79.limits.json'))
const ids = new Set<string>(rules.map(({ id }) => id))
/** The rows of the tables of rules: an id, and the line and source of a deviation. */
const rows = [...page.matchAll(/^\| `([a-z-]+\/[\w-]+)` \|(?: (\d+) \| (\w+) \|)?/gm)]

it('names only existing rules on its page', () => {
  expect(rows.length).toBeGreaterThan(90)
  expect(rows.map(([, id = '']) => id).filter((id) => !ids.has(id))).toEqual([])
})

it('gives the line and the source of each rule on its page', () => {
  for (const [, id = '', line, source] of rows) {
    if (line === undefined) continue
    const rule = ruleOf(id as (typeof rules)[number]['id'])
    expect([id, Number(line), source]).toEqual([id, rule.sentence.line, rule.source])
  }
})

it('has a reason in full sentences for each deviation of its baseline', () => {
  expect(baseline.deviations.map(({ reason }) => reason).filter((reason) => !reason.endsWith('.'))).toEqual(
    [],
  )
})

it('states limits of the profile only for existing operations', () => {
  const operations = [...operationIds, 'other']

  expect(limits.filter(({ operation }) => !operations.some((id) => createGlob(operation)(id)))).toEqual([])
})
