import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FixtureError } from '../factories/fixture-error.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import { suggest } from '../shared/suggest.ts'
import { parseJson, readJsonFile } from './files.ts'

const named = ['demo', 'empty'] as const

/** Tells whether a name is that of a fixture which ships with the package. */
export function isShipped(name: string): boolean {
  return named.some((each) => each === name)
}

/** Tells whether the file of a fixture is one that ships with the package, whether it was named or its path was said. */
export function isShippedFile(name: string): boolean {
  return named.some((shipped) => resolve(fixturePath(name)) === fixturePath(shipped))
}

/** The path of a fixture: of one that ships with the package, or of the user's own file. */
export function fixturePath(name: string): string {
  return isShipped(name) ? join(packageFolder(), 'fixtures', `${name}.json`) : name
}

/** Where the package stands: sources and what is built of them lie at different depths in it. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'fixtures/demo.json')) && dirname(folder) !== folder)
    folder = dirname(folder)
  return folder
}

/** Reads a fixture file; an error names the file. */
export async function readFixtureFile(name: string): Promise<Fixture> {
  const path = fixturePath(name)
  const what = `the fixture ${name}`
  const hint = ` Pass demo, empty or a path; \`understudy fixture new FILE\` writes one.${suggest(name, named)}`
  // One that ships is small, and is read at once: for the others Node starts the threads that read files.
  const given = isShippedFile(name)
    ? parseJson(readFileSync(path, 'utf8'), what)
    : await readJsonFile(path, what, hint)
  // Checked where it is loaded.
  return given as Fixture
}

/**
 * Reads a fixture file again after it changed.
 *
 * @throws where the path is a pipe or a device: reading one would consume it, or wait for its writer.
 */
export async function readFixtureAgain(name: string): Promise<Fixture> {
  const found = await stat(fixturePath(name)).catch(() => undefined)
  if (found !== undefined && !found.isFile() && !found.isDirectory())
    throw new Error(`Cannot read the fixture ${name} again: it is no file, but a pipe or a device.`)
  return readFixtureFile(name)
}

/** How often a fixture that is followed is looked at, in milliseconds. */
const interval = 250

/** Tells what stands at the path of a fixture from what stood there before: to be asked before it is read. */
export async function versionOf(name: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(fixturePath(name), { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join()
  } catch {
    return 'nothing'
  }
}

/**
 * Reads a fixture again whenever it is not what was read any more, until that is stopped. It is looked at by its path, and so
 * by whatever stands there: a link that leads elsewhere, another folder, a mounted ConfigMap.
 */
export function followFixture(
  name: string,
  readVersion: string,
  readAgain: (version: string) => Promise<void>,
): () => void {
  let seen = readVersion
  let isOver = false
  const look = async () => {
    const version = await versionOf(name)
    if (isOver) return
    if (version !== seen) {
      seen = version
      await readAgain(version)
    }
    setTimeout(look, interval).unref()
  }
  void look()
  return () => {
    isOver = true
  }
}

/** Runs something with a fixture and names its file in what goes wrong: all of it, a line each. */
export function naming<Result>(name: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw withName(name, error)
  }
}

/** An error about a fixture that names its file. */
export function withName(name: string, error: unknown): unknown {
  if (!(error instanceof FixtureError)) return error
  if (error.flaws.length === 1) return new FixtureError(error.flaws, name)
  const lines = error.flaws.map(
    ({ path, expected, found }) => `  ${path}: expected ${expected}; found ${found}`,
  )
  return new Error(`The fixture ${name} is broken at ${lines.length} places:\n${lines.join('\n')}`)
}
