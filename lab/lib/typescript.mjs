// What scripts and tests share is TypeScript, which Node 20 does not read by itself.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root, temporaryFolder } from './processes.mjs'

/** Imports a TypeScript module of this repository with all it needs. */
export async function importTypeScript(path) {
  const outfile = join(temporaryFolder('script'), 'module.mjs')
  await build({
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
  return import(pathToFileURL(outfile).href)
}
