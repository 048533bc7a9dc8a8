import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'
import { circlesAmong } from '../../tests/support/circles-among.ts'

const root = join(import.meta.dirname, '..')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts'))
const shipped = files.filter((path) => !path.startsWith('tests/'))

/** Returns the imports of a file, types included: a path from `contract-tests`, or the name of a module. */
function importsOf(file: string): string[] {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import\()'([^']+)'/g)].map(
    ([, to = '']) => (to.startsWith('.') ? relative(root, join(root, dirname(file), to)) : to),
  )
}

/** The files that import what a pattern fits, of those given. */
function importers(of: readonly string[], pattern: RegExp): string[] {
  return of.filter((file) => importsOf(file).some((to) => pattern.test(to)))
}

it('has no import cycle, types included', () => {
  const targets = new Map(files.map((file) => [file, importsOf(file).filter((to) => files.includes(to))]))

  expect([...targets.values()].flat().length).toBeGreaterThan(500)
  expect(circlesAmong(targets)).toEqual([])
})

it('imports the mock only in targets, mutants and the listed files', () => {
  const knowing = importers(shipped, /^\.\.\/src\/(?!shared|files|traffic)/)

  expect(knowing.filter((file) => !/^(mutants|targets)\//.test(file)).sort()).toEqual([
    // The model is a mock in memory; assumptions name unspecified behavior.
    'model-based/model.ts',
    'model-based/relation.ts',
    // The proxy of the package, its redaction, and the start of a server.
    'proxy/open-proxy.ts',
    'proxy/redact-exchange.ts',
    'proxy/serve-report.ts',
    // A type alone.
    'rules/operation-id.ts',
    // The table of operations, and the paths by which the mock finds them.
    'runner/operation-facts.ts',
    'runner/operation-of.ts',
    // The names of the profiles.
    'verify/verify-traffic.ts',
  ])
})

it('imports vitest in one file and supertest in one', () => {
  expect(importers(shipped, /^vitest/)).toEqual(['describe-contract.ts'])
  expect(importers(shipped, /^supertest$/)).toEqual(['runner/transports/over-http.ts'])
})

it('ships nothing that imports its tests', () => {
  expect(importers(shipped, /^tests\//)).toEqual([])
})

it('is in ARCHITECTURE.md with each of its folders', () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const architecture = readFileSync(join(root, '../ARCHITECTURE.md'), 'utf8')
  const [row = ''] = /^\| `contract-tests\/` \|.*$/m.exec(architecture) ?? []
  const listed = [...row.matchAll(/`([a-z-]+)\/`/g)].map(([, folder]) => folder)

  expect(listed.sort()).toEqual(['contract-tests', ...folders.map(({ name }) => name)].sort())
})
