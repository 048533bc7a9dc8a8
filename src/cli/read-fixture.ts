import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Fixture } from '../factories/fixture-type.ts'
import { packageFolder } from '../files/package-folder.ts'
import { parseFile, readJsonFile } from '../files/read-file.ts'
import { suggest } from '../shared/suggest.ts'

const named = ['demo', 'empty'] as const

export function isShipped(name: string): boolean {
  return named.some((each) => each === name)
}

/** Returns whether a fixture is a built-in one, by name or path. */
function isShippedFile(name: string): boolean {
  return named.some((shipped) => resolve(fixturePath(name)) === fixturePath(shipped))
}

/** Returns the path of a built-in fixture or of the user's own file. */
export function fixturePath(name: string): string {
  return isShipped(name) ? join(packageFolder(), 'fixtures', `${name}.json`) : name
}

/** Reads a fixture file; an error names the file. */
export async function readFixtureFile(name: string): Promise<Fixture> {
  const path = fixturePath(name)
  const what = `the fixture ${name}`
  const hint = ` Pass demo, empty or a path; \`pipeline-understudy fixture new FILE\` writes one.${suggest(name, named)}`
  // Built-in fixtures are small. Reading them synchronously avoids starting Node's thread pool.
  const given = isShippedFile(name)
    ? parseFile(readFileSync(path, 'utf8'), what)
    : await readJsonFile(path, what, hint)
  // The loader validates it.
  return given as Fixture
}
