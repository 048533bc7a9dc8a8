// Prints which mutants the verifier detects: the shipped ones, or with --sample N generated ones; --conforming verifies
// servers that must raise no finding. [--seed N] [--only GLOB] [--json FILE] [--bail]
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

// One file that Node reads without a loader; inside the package, so that it finds the specification.
const outfile = `node_modules/.cache/kill-matrix-${process.pid}.mjs`
await build({
  entryPoints: ['lab/mutants/kill-matrix.run.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
rmSync(outfile, { force: true })
process.exitCode = status ?? 1
