import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'
import { circlesAmong } from '../../tests/support/circles-among.ts'

const root = join(import.meta.dirname, '..')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts'))
const shipped = files.filter((path) => !path.startsWith('tests/'))

/** What a file imports, types included: a path from `contract-tests`, or the name of a module. */
function importsOf(file: string): string[] {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import\()'([^']+)'/g)].map(
    ([, to = '']) => (to.startsWith('.') ? relative(root, join(root, dirname(file), to)) : to),
  )
}

/** The files that import what a pattern fits, of those given. */
function importers(of: readonly string[], pattern: RegExp): string[] {
  return of.filter((file) => importsOf(file).some((to) => pattern.test(to)))
}

it('has no circle among its files, types included', () => {
  const targets = new Map(files.map((file) => [file, importsOf(file).filter((to) => files.includes(to))]))

  expect([...targets.values()].flat().length).toBeGreaterThan(500)
  expect(circlesAmong(targets)).toEqual([])
})

it('knows the understudy in its targets, its mutants and the facts of its table only', () => {
  const knowing = importers(shipped, /^\.\.\/src\//)

  expect(knowing.filter((file) => !/^(mutants|targets)\//.test(file)).sort()).toEqual([
    'learning/learn.ts',
    // Random choices from a seed.
    'model-based/coverage-plan.ts',
    // What a sequence predicts: an understudy in memory, and the freedoms by the ids of their assumptions.
    'model-based/model.ts',
    'model-based/relation.ts',
    // Printable text.
    'reports/escape.ts',
    // A type alone.
    'rules/operation-id.ts',
    // The headings of the specification, by which the table names the section of an operation.
    'rules/sections.ts',
    // How JSON is read up to a depth.
    'runner/cleanup-log.ts',
    'runner/operation-facts.ts',
    // How a path is matched, in one way for all.
    'runner/operation-of.ts',
    // How JSON is read up to a depth.
    'runner/read-exchange.ts',
    // What is called a secret.
    'runner/redact.ts',
    // How a glob is matched, in one way for all.
    'runner/selection.ts',
    // How JSON is read up to a depth.
    'verify/baseline.ts',
    // The version, and the one way to write a file of the user.
    'verify/fail.ts',
    'verify/finish.ts',
    'verify/merge-reports.ts',
    'verify/verify.ts',
  ])
})

it('needs vitest in one file and supertest in one', () => {
  expect(importers(shipped, /^vitest/)).toEqual(['describe-contract.ts'])
  expect(importers(shipped, /^supertest$/)).toEqual(['runner/transports/over-http.ts'])
})

it('ships nothing that imports its tests', () => {
  expect(importers(shipped, /^tests\//)).toEqual([])
})

it('has a line in ARCHITECTURE.md for each folder', () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const listed = readFileSync(join(root, '../ARCHITECTURE.md'), 'utf8').matchAll(
    /^\| `contract-tests\/([a-z-]+)\/` +\|/gm,
  )

  expect([...listed].map(([, folder]) => folder).sort()).toEqual(folders.map(({ name }) => name).sort())
})
