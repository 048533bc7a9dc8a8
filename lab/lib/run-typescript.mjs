import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

/** Runs a TypeScript file of this repository in a process of its own, with the arguments of this one. */
export async function runTypeScript(entryPoint) {
  // One file that Node reads without a loader; inside the package, so that it finds the specification.
  const outfile = `node_modules/.cache/run-typescript-${process.pid}.mjs`
  await build({
    entryPoints: [entryPoint],
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
}
