import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const inputs = [
  ...[
    'src',
    'panel',
    'contract-tests',
    'scripts/build.mjs',
    'scripts/lib',
    'fixtures',
    'package.json',
    'tsconfig.json',
  ],
  // It goes into the demo.
  'examples/frontend/src',
]
/** The last of them is written last: a build that was ended before is none. */
const outputs = [
  'dist/index.js',
  'dist/index.d.ts',
  'dist/cli/main.js',
  'dist/panel/page.js',
  'dist/demo/index.html',
  'dist/contract-tests/index.d.ts',
]

/** Builds the package once, before the first test that runs what was built, unless `dist` is newer than its sources. */
export function setup(): void {
  if (!isFresh()) execFileSync('node', ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })
}

function isFresh(): boolean {
  const built = outputs.map((path) => join(root, path))
  if (!built.every((path) => existsSync(path))) return false
  const oldest = Math.min(...built.map((path) => statSync(path).mtimeMs))
  return newest(inputs.map((path) => join(root, path))) <= oldest
}

function newest(paths: readonly string[]): number {
  return Math.max(
    ...paths.map((path) => {
      const stats = statSync(path)
      if (!stats.isDirectory()) return stats.mtimeMs
      return newest(readdirSync(path).map((name) => join(path, name)))
    }),
  )
}
