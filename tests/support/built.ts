import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const inputs = ['src', 'contract-tests', 'scripts', 'fixtures', 'package.json']
const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
/** What is packed or read by the build as well; a change of these needs no new build. */
const furtherInputs = [
  ...files.map((pattern) => pattern.split('/')[0]!).filter((name) => name !== 'dist'),
  ...readdirSync(root).filter((name) => /^tsconfig.*\.json$/.test(name)),
]

/**
 * The folder of a package whose `dist` is not older than its sources: this one where it has been built, else a copy
 * that is built here, and that `dispose` removes. Never builds in place: other tests run from there.
 */
export async function builtPackage(): Promise<{ root: string; dispose(): Promise<void> }> {
  if (isFresh()) return { root, dispose: async () => {} }
  const copy = await mkdtemp(join(tmpdir(), 'understudy-built-'))
  for (const name of [...inputs, ...furtherInputs])
    await cp(join(root, name), join(copy, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await run('node', ['scripts/build.mjs'], { cwd: copy })
  return { root: copy, dispose: () => rm(copy, { recursive: true, force: true }) }
}

function isFresh(): boolean {
  const outputs = ['dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js'].map((path) => join(root, path))
  if (!outputs.every(existsSync)) return false
  const built = Math.min(...outputs.map((path) => statSync(path).mtimeMs))
  return newest(inputs.map((path) => join(root, path))) <= built
}

function newest(paths: readonly string[]): number {
  return Math.max(
    ...paths.flatMap((path) => {
      const stats = statSync(path)
      if (!stats.isDirectory()) return stats.mtimeMs
      return [newest(readdirSync(path).map((name) => join(path, name)))]
    }),
  )
}
