import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { covers, sequenceGroups } from '../contract-tests/model-based/sequence-groups.ts'
import { faultyServers } from '../contract-tests/mutants/catalogue.ts'
import { ruleOf, rules } from '../contract-tests/rules/index.ts'
import { notCheckable } from '../contract-tests/rules/not-checkable.ts'
import { documentPath, sections } from '../contract-tests/rules/sections.ts'
import { ruleMutants } from '../lab/mutants/rule-mutants.ts'
import { root } from './support/root.ts'

const lines = readFileSync(join(root, documentPath), 'utf8').split('\n')
const headings = lines.flatMap((line, index) => {
  const match = /^#{2,3} (.+)$/.exec(line)
  return match ? [[match[1]!, index + 1] as const] : []
})

it('gives every rule a unique id', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
})

it('gives every shipped mutant a unique name and a rule that exists', () => {
  const ids: readonly string[] = rules.map(({ id }) => id)

  expect(new Set(faultyServers.map(({ name }) => name)).size).toBe(faultyServers.length)
  expect(faultyServers.filter(({ breaks }) => !ids.includes(breaks))).toEqual([])
})

it('has a mutant for every rule', () => {
  const detected = new Set([...faultyServers, ...ruleMutants].map(({ breaks }) => breaks))

  expect(rules.map(({ id }) => id).filter((id) => !detected.has(id))).toEqual([])
})

it('lists every heading of the specification with its line', () => {
  expect(Object.entries(sections)).toEqual(headings)
})

it.each(headings.map(([heading]) => heading))('has a rule or a reason for the section %s', (heading) => {
  const covered = rules.filter(({ section }) => section === heading)
  const excused = notCheckable.filter(({ section }) => section === heading)
  expect(covered.length + excused.length).toBeGreaterThan(0)
})

it('places every rule and every exception in a section of the specification', () => {
  const known = headings.map(([heading]) => heading)
  for (const { section } of [...rules, ...notCheckable]) expect(known).toContain(section)
})

it('has a group of sequences for every rule', () => {
  for (const rule of rules)
    expect([rule.id, sequenceGroups.some((group) => covers(group, rule))]).toEqual([rule.id, true])
})

it('states every rule in one sentence', () => {
  for (const { id, claim } of rules) {
    expect([id, claim.endsWith('.')]).toEqual([id, true])
    expect(claim.length, id).toBeLessThan(200)
  }
})

it('quotes at most a phrase of the specification', () => {
  const text = lines.join('\n')
  for (const { claim } of rules) {
    const words = claim.split(' ')
    for (let start = 0; start + 9 <= words.length; start++) {
      expect(text).not.toContain(words.slice(start, start + 9).join(' '))
    }
  }
})

it('gives every rule a line of its section that is not a heading', () => {
  const starts = headings.map(([, line]) => line)
  for (const { id, section, sentence } of rules) {
    const { line, text } = sentence
    const start = sections[section]
    const end = starts.find((other) => other > start) ?? lines.length + 1
    expect([id, lines[line - 1]]).toEqual([id, expect.stringContaining(text)])
    expect([id, line > start && line < end && lines[line - 1] !== '']).toEqual([id, true])
    expect([id, /^\|[-|]+\|$|^#/.test(lines[line - 1] ?? '')]).toEqual([id, false])
  }
})

/** Every attribute, parameter and value that a table of the specification names. */
const words = new Set(
  lines
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.matchAll(/`([a-z_@][\w[\]]*)`/g)].map(([, word = '']) => word)),
)

it('bases each specified rule on a sentence that mentions what the rule checks', () => {
  expect(words).toContain('interval_units')
  for (const { id, source, claim, sentence } of rules) {
    if (source !== 'specified') continue
    const mentioned = [...claim.matchAll(/`([^`=]+)(?:=[^`]*)?`/g)].map(([, word = '']) => word)
    const named = id.split('/')[1]!.replaceAll('-', '_')
    for (const word of [...mentioned, ...(words.has(named) ? [named] : [])])
      expect([id, sentence.text]).toEqual([id, expect.stringContaining(word.replace(/^error\./, ''))])
  }
})

it('puts the names of attributes and parameters in backticks, so that they are checked', () => {
  const bare = rules.filter(
    ({ id, claim }) => !id.includes('-fields/') && /\w_\w|\b_\w/.test(claim.replaceAll(/`[^`]*`/g, '')),
  )
  expect(bare.map(({ id, claim }) => `${id}: ${claim}`)).toEqual([])
})

it.each([
  ['pipeline-fields/uuid', 62, 'specified'],
  ['backfill-fields/metrics', 135, 'specified'],
  ['trigger/variables', 179, 'example'],
  ['read-pipeline/refuses', 276, 'inferred'],
] as const)('bases %s on line %i, which is %s', (id, line, source) => {
  expect(ruleOf(id)).toMatchObject({ sentence: { line }, source })
})

it('names existing rules in the page of quirks', () => {
  const ids: readonly string[] = rules.map(({ id }) => id)
  const page = readFileSync(join(root, 'docs/reference/quirks.md'), 'utf8')
  const named = [...page.matchAll(/`([a-z-]+\/[\w-]+)`/g)].map(([, id = '']) => id)

  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((id) => !ids.includes(id))).toEqual([])
})
