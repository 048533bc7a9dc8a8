import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'
import { trackedFiles } from './files.mjs'

/** The command imports the verifier, too. */
const sources = ['src', 'contract-tests']

/** Writes one JavaScript file for each TypeScript file, so that each function belongs to one source file. */
export function transpile(root) {
  const folder = mkdtempSync(join(tmpdir(), 'measure-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // The rules of the verifier quote the specification.
  for (const data of ['fixtures', 'docs/spec', 'package.json'])
    cpSync(join(root, data), join(folder, data), { recursive: true })
  for (const path of sources.flatMap((source) => trackedFiles(root, source))) {
    if (!path.endsWith('.ts')) continue
    const target = join(folder, asJavaScript(path))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, transpileFile(join(root, path)))
  }
  return folder
}

/** The presenter module of `root`, as a path below the folder that {@link transpile} returns. */
export function presenterOf(root) {
  const found = trackedFiles(root, 'src').filter((path) => /^src\/engine\/(?:.+\/)?presenter\.ts$/.test(path))
  if (found.length !== 1)
    throw new Error(`Expected one presenter.ts below src/engine, found ${found.length}.`)
  return asJavaScript(found[0])
}

const asJavaScript = (path) => path.replace(/\.ts$/, '.js')

function transpileFile(file) {
  const source = readFileSync(file, 'utf8')
  const { code } = transformSync(source, { loader: 'ts', target: 'node20', format: 'esm' })
  return code.replaceAll(/(["'])(\.\.?\/[^"']+)\.tsx?\1/g, '$1$2.js$1')
}
