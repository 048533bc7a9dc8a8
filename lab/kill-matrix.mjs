// `npm run kill-matrix`: prints which rules detect which mutant. Without flags the hand-written ones; --derived verifies
// those drawn from the tables, --harmless what must raise nothing. [--seed N] [--only GLOB] [--json FILE] [--bail]; --draw draws anew.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

const flags = process.argv.slice(2)
const isDerived = flags.some((flag) => ['--derived', '--harmless', '--draw'].includes(flag))
// In one file, which Node reads without a loader; inside the package, where the specification is found, and not in dist/,
// which a build empties.
const outfile = `node_modules/.cache/kill-matrix-${process.pid}.mjs`
await build({
  entryPoints: [isDerived ? 'lab/mutants/derived.run.ts' : 'lab/mutants/kill-matrix.run.ts'],
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
process.exitCode = status ?? 1
