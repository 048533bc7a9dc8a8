import { join } from 'node:path'
import type { Fixture } from '../factories/fixture-type.ts'
import { packageFolder } from '../files/package-folder.ts'
import { readJsonFile } from '../files/read-file.ts'
import { suggest } from '../shared/suggest.ts'

const named = ['demo', 'empty'] as const

export function isShipped(name: string): boolean {
  return named.some((each) => each === name)
}

/** Returns the path of a built-in fixture or of the user's own file. */
export function fixturePath(name: string): string {
  return isShipped(name) ? join(packageFolder(), 'fixtures', `${name}.json`) : name
}

/** Reads a fixture file; an error names the file. */
export function readFixtureFile(name: string): Fixture {
  const hint = ` Pass demo, empty or a path; \`pipeline-understudy fixture new FILE\` writes one.${suggest(name, named)}`
  // The loader validates it.
  return readJsonFile(fixturePath(name), `the fixture ${name}`, hint) as Fixture
}
