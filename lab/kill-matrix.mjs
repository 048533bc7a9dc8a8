// `npm run kill-matrix`: which rules catch which wrong server. Without flags the hand-written ones; --derived judges
// those drawn from the tables, --harmless what must raise nothing. [--seed N] [--only GLOB] [--json FILE] [--bail]; --draw draws anew.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

const flags = process.argv.slice(2)
if (!flags.some((flag) => ['--derived', '--harmless', '--draw'].includes(flag))) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'lab/kill-matrix.config.mjs', ...flags]
  process.exit(spawnSync(process.execPath, vitest, { stdio: 'inherit' }).status ?? 1)
}
// In one file, which Node reads without a loader; inside the package, where the document is found, and not in dist/,
// which a build empties.
const outfile = `node_modules/.cache/kill-matrix-${process.pid}.mjs`
await build({
  entryPoints: ['lab/mutants/derived.run.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
const { status } = spawnSync(process.execPath, [outfile, ...flags], { stdio: 'inherit' })
rmSync(outfile, { force: true })
process.exit(status ?? 1)
