// Makes CommonJS of the command, as it was built: Node 20 starts that sooner than ESM, and can keep what it has compiled.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, transform } from 'esbuild'

/** Rewrites all files of `folder`; what its chunk `program` loads goes through `src/cli/load-compiled.ts` where Node is 20. */
export async function commandInCommonJs(folder, program) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.js')) await toCommonJs(join(folder, path))
  }
  const body = program.replace(/\.js$/, '.body.js')
  renameSync(program, body)
  await build({
    stdin: { contents: loaderOf(basename(body)), resolveDir: 'src/cli' },
    outfile: program,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    external: ['./*.body.js'],
    logLevel: 'warning',
  })
  // The rest of the package is ESM.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n')
}

async function toCommonJs(file) {
  const text = readFileSync(file, 'utf8')
  const { code } = await transform(text.replaceAll('import("../../', 'importModule("../../'), {
    format: 'cjs',
    // For Node, esbuild would list the exports for those who import the file: nobody does.
    platform: 'neutral',
    target: 'node20',
    minify: true,
    define: { 'import.meta.url': 'fileUrl', 'import.meta.dirname': '__dirname' },
    // What is loaded later is required then; only the judge is ESM.
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
  })
  const [hashbang = ''] = /^#!.*\n/.exec(code) ?? []
  const needed = [
    `'use strict'`,
    ...(code.includes('importModule(')
      ? ['const importModule = module.importModule ?? ((path) => import(path))']
      : []),
    ...(code.includes('fileUrl')
      ? [`const fileUrl = require('node:url').pathToFileURL(__filename).href`]
      : []),
  ]
  writeFileSync(file, `${hashbang}${needed.join('\n')}\n${code.slice(hashbang.length)}`)
}

/** From 22.8 on Node keeps what it has compiled by itself. */
function loaderOf(body) {
  return `
    import { enableCompileCache } from 'node:module'
    import { join } from 'node:path'
    import { loadCompiled } from './load-compiled.ts'
    module.exports = enableCompileCache
      ? require('./${body}')
      : loadCompiled(join(__dirname, '${body}'), require, (path) => import(path))
  `
}
