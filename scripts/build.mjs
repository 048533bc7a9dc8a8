// Builds dist/: JavaScript with esbuild, type declarations with tsc.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { build } from 'esbuild'
import { buildDemo } from './lib/build-demo.mjs'
import { buildPanel } from './lib/build-panel.mjs'
import { packagesExternal, queryWithoutSideEffects } from './lib/esbuild-plugins.mjs'
import { noticesOf, packagesOf } from './third-party-licences.mjs'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const forNode = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
}

/** Bundled CommonJS packages require only built-in modules. */
const requireForCommonJs = { js: 'const require = process.getBuiltinModule' }

/**
 * The sources of the exports in `package.json`, without the verifier and the panel, which have their own
 * builds.
 */
const libraryEntries = Object.values(manifest.exports)
  .flatMap((entry) => [entry.default, entry.browser])
  .concat('./dist/integrations/jest/transformer.js')
  .filter((path) => path?.startsWith('./dist/') && !/^\.\/dist\/(?:contract-tests|panel)\//.test(path))
  .map((path) => path.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))

function buildLibrary() {
  return build({
    ...forNode,
    outdir: 'dist',
    outbase: 'src',
    entryPoints: libraryEntries,
    chunkNames: 'chunks/[name]-[hash]',
    mainFields: ['module', 'main'],
    // Identifiers stay, and lines are short enough for a stack trace to point into.
    minifyWhitespace: true,
    lineLimit: 160,
    plugins: [
      queryWithoutSideEffects,
      onDemandWithEngine,
      // Bundled: otherwise a page would load all of @msw/data for its query language, and the JSON Schema
      // writer of zod with the first request. Only Jest needs sucrase.
      packagesExternal({ except: ['@msw/data', 'zod/v4/core', 'sucrase'] }),
    ],
  })
}

/**
 * Lets the code that a page loads later reach the whole engine. Bundlers then put what a page loads at once into one file.
 * Two files take 1.5 KB more, compressed.
 */
const onDemandWithEngine = {
  name: 'on-demand-with-engine',
  setup({ onLoad }) {
    onLoad({ filter: /\/engine\/on-demand\.ts$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}export { createUnderstudy } from './create-understudy.ts'\n`,
      loader: 'ts',
    }))
  },
}

/** The verifier imports the mock server from this package, and contains supertest, an optional peer dependency. */
function buildVerifier() {
  return build({
    ...forNode,
    outdir: 'dist/contract-tests',
    outbase: 'contract-tests',
    entryPoints: [
      'contract-tests/index.ts',
      'contract-tests/verify/index.ts',
      'contract-tests/proxy/index.ts',
      'contract-tests/proxy/with-proxy.ts',
    ],
    chunkNames: 'chunks/[name]-[hash]',
    minify: true,
    plugins: [
      external(/\/src\/index\.ts$/, manifest.name),
      packagesExternal({ except: ['supertest'] }),
      withoutFileTypes,
    ],
    banner: requireForCommonJs,
  })
}

/** Leaves the media types of files out of supertest, 200 KB in two copies: the verifier uploads no file. */
const withoutFileTypes = {
  name: 'without-file-types',
  setup({ onLoad }) {
    onLoad({ filter: /\/mime-db\/db\.json$/ }, () => ({ contents: '{}', loader: 'json' }))
  },
}

/** The command bundles its packages: a server is ready sooner when Node reads a few files instead of hundreds. */
function buildCommand() {
  return build({
    ...forNode,
    outdir: 'dist/cli',
    entryPoints: ['src/cli/main.ts', 'src/cli/program.ts'],
    external: ['msw'],
    mainFields: ['module', 'main'],
    minify: true,
    plugins: [
      external(/\/contract-tests\/verify\/index\.ts$/, '../contract-tests/verify/index.js'),
      external(/\/contract-tests\/proxy\/index\.ts$/, '../contract-tests/proxy/index.js'),
      queryWithoutSideEffects,
    ],
    banner: requireForCommonJs,
  })
}

/** Imports a module of this repository from its place in the package. */
function external(filter, path) {
  return {
    name: 'external',
    setup({ onResolve }) {
      onResolve({ filter }, ({ kind }) => (kind === 'entry-point' ? undefined : { path, external: true }))
    },
  }
}

function buildDeclarations() {
  execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--singleThreaded'], {
    stdio: 'inherit',
  })
  const declared = 'dist/.declared'
  moveDeclarations(join(declared, 'contract-tests'), 'dist/contract-tests', '../src/')
  moveDeclarations(join(declared, 'panel/src'), 'dist/panel', '../../src/')
  cpSync(join(declared, 'src'), 'dist', { recursive: true })
  rmSync(declared, { recursive: true })
  dropUnreachedDeclarations(Object.values(manifest.exports).flatMap((entry) => entry.types ?? []))
}

/** Moves declarations beside those of `src/`, which are at the top of `dist/`: `sources` is their path to it before. */
function moveDeclarations(from, to, sources) {
  for (const file of declarationsIn(from))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(sources, '../'))
  cpSync(from, to, { recursive: true })
}

/** Deletes the declarations that no entry imports: more than half of what tsc writes. */
function dropUnreachedDeclarations(entries) {
  const reached = new Set(entries.map((path) => normalize(path)))
  for (const file of reached) {
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import|import\()\s*['"](\.[^'"]+)['"]/g)
    for (const [, target] of imports) reached.add(join(dirname(file), target.replace(/\.[jt]sx?$/, '.d.ts')))
  }
  for (const file of declarationsIn('dist')) if (!reached.has(file)) rmSync(file)
}

function declarationsIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.d.ts')).map((name) => join(folder, name))
}

rmSync('dist', { recursive: true, force: true })
const results = [
  await buildLibrary(),
  await buildVerifier(),
  await buildCommand(),
  await buildPanel('dist/panel'),
]
const demo = await buildDemo('dist/demo')
chmodSync('dist/cli/main.js', 0o755)
const metafiles = [...results, ...demo.pages].map(({ metafile }) => metafile)
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', noticesOf(packagesOf(metafiles, demo.modules)))
buildDeclarations()
