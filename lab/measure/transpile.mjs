import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'
import { root, temporaryFolder } from '../lib/processes.mjs'
import { trackedFiles } from './files.mjs'

/** The command imports the verifier, too. */
const sources = ['src', 'contract-tests']

/** Writes one JavaScript file for each TypeScript file, so that each function belongs to one source file. */
export function transpile() {
  const folder = temporaryFolder('measure')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // The rules of the verifier quote the specification.
  for (const data of ['fixtures', 'docs/spec', 'package.json'])
    cpSync(join(root, data), join(folder, data), { recursive: true })
  for (const path of sources.flatMap((source) => trackedFiles(root, source))) {
    if (!path.endsWith('.ts')) continue
    const target = join(folder, path.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, transpileFile(join(root, path)))
  }
  return folder
}

function transpileFile(file) {
  const source = readFileSync(file, 'utf8')
  const { code } = transformSync(source, { loader: 'ts', target: 'node20', format: 'esm' })
  return code.replaceAll(/(["'])(\.\.?\/[^"']+)\.tsx?\1/g, '$1$2.js$1')
}
