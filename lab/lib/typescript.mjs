// Loads TypeScript modules, which Node 20 cannot import.
import { rmSync } from 'node:fs'
import { join, parse } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './processes.mjs'

/** Imports a TypeScript module of this repository; packages are not bundled. */
export async function importTypeScript(path) {
  // Inside the package, so that Node finds the packages and the specification.
  const outfile = join(root, `node_modules/.cache/${parse(path).name}-${process.pid}.mjs`)
  process.once('exit', () => rmSync(outfile, { force: true }))
  await build({
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  return import(pathToFileURL(outfile).href)
}
