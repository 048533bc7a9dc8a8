// Builds dist/: JavaScript by esbuild, declarations by tsc.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { build } from 'esbuild'
import { buildDemo } from './lib/build-demo.mjs'
import { buildPanel } from './lib/build-panel.mjs'
import { commandInCommonJs } from './lib/command-in-commonjs.mjs'
import { mergeChunks } from './merge-chunks.mjs'
import { noticesOf, packagesOf } from './third-party-licences.mjs'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const shared = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outdir: 'dist',
  outbase: 'src',
  splitting: true,
  logLevel: 'warning',
  metafile: true,
}

/** The judge's model is the understudy of the same package: it is imported, and not carried a second time. */
const understudyFromThePackage = {
  name: 'understudy-from-the-package',
  setup({ onResolve }) {
    onResolve({ filter: /\/src\/index\.ts$/ }, () => ({ path: manifest.name, external: true }))
  },
}

rmSync('dist', { recursive: true, force: true })
const library = [...Object.values(manifest.exports), { default: './dist/integrations/jest/transformer.js' }]
  .flatMap((entry) => [entry.default, entry.browser])
  .filter((path) => path?.startsWith('./dist/') && !/^\.\/dist\/(?:contract-tests|panel)\//.test(path))
  .map((path) => path.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
/**
 * Leaves packages outside, but for these. A page that imported @msw/data for its query language would load its
 * drafts with it, which nothing here uses; they have no effect when they are imported, though they do not say so. And
 * what of zod is needed late alone, to write JSON Schema, bundlers would load with what of zod a page needs at once.
 * And who uses no jest needs no compiler.
 */
const carried = new Set(['@msw/data', 'zod/v4/core', 'sucrase'])
const packagesOutside = {
  name: 'packages-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData === 'resolved') return undefined
      const isTheirs = carried.has(path) || importer.includes('node_modules')
      if (!isTheirs || path.startsWith('node:')) return { path, external: true }
      const resolved = await build.resolve(path, { kind, importer, resolveDir, pluginData: 'resolved' })
      return { ...resolved, sideEffects: false }
    })
  },
}
/** In the command, which carries all packages: of these too only what is used of @msw/data. */
const queryAloneInside = {
  name: 'query-alone-inside',
  setup(build) {
    build.onResolve({ filter: /^(?:@msw\/data|mutative|es-toolkit|outvariant|rettime)/ }, async (asked) => {
      const { path, importer, kind, resolveDir, pluginData } = asked
      if (pluginData === 'resolved') return undefined
      const resolved = await build.resolve(path, { kind, importer, resolveDir, pluginData: 'resolved' })
      return { ...resolved, sideEffects: false }
    })
  },
}
/** Commander starts the programs of subcommands that are programs; here is none. */
const withoutChildProcesses = {
  name: 'without-child-processes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/node_modules/commander/') ? { path: 'none', namespace: 'nothing' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
  },
}
const libraryBuild = await build({
  ...shared,
  // Names stay, and lines that a stack trace can point into.
  minifyWhitespace: true,
  lineLimit: 160,
  entryPoints: library,
  plugins: [packagesOutside],
  mainFields: ['module', 'main'],
  chunkNames: 'chunks/[name]-[hash]',
})
/** What packages in CommonJS require of Node, in each file of the judge; `createRequire` would cost each a while. */
const requireOfNode = `const require = (id) => {
  const found = process.getBuiltinModule(id)
  if (found) return found
  throw Object.assign(new Error('Cannot find module ' + id), { code: 'MODULE_NOT_FOUND' })
}`
/** The command judges where nobody has installed supertest: the judge carries it, and imports everything else. */
const supertestAlone = {
  name: 'supertest-alone',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) =>
      path === 'supertest' || importer.includes('/node_modules/') ? undefined : { path, external: true },
    )
  },
}
const judgeBuild = await build({
  ...shared,
  outdir: 'dist/contract-tests',
  outbase: 'contract-tests',
  entryPoints: [
    'contract-tests/index.ts',
    'contract-tests/verify/index.ts',
    'contract-tests/targets/recording.ts',
    'contract-tests/learning/learn.ts',
  ],
  // The judge is half of the library; its rules are read in the reference.
  minify: true,
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [understudyFromThePackage, supertestAlone],
  banner: { js: requireOfNode },
})
/** Judging takes longer than loading what judges: that is not carried a second time. */
const judgeFromThePackage = {
  name: 'judge-from-the-package',
  setup({ onResolve }) {
    // As it stands from dist/cli/chunks, where all that the command loads later is.
    onResolve({ filter: /\/contract-tests\/verify\/index\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import'
        ? { path: '../../contract-tests/verify/index.js', external: true }
        : undefined,
    )
  },
}
// The command carries what it needs in one piece, so that a server is up soon after its process starts.
const commandBuild = await build({
  ...shared,
  entryPoints: ['src/cli/main.ts'],
  external: ['msw'],
  chunkNames: 'cli/chunks/[name]-[hash]',
  minify: true,
  plugins: [withoutChildProcesses, queryAloneInside, judgeFromThePackage],
})
const program = Object.keys(commandBuild.metafile.outputs).find((path) => /\/program-\w+\.js$/.test(path))
await mergeChunks(commandBuild.metafile, program)
await commandInCommonJs('dist/cli', program)
chmodSync('dist/cli/main.js', 0o755)
const panelBuild = await buildPanel('dist/panel')
const demoBuild = await buildDemo('dist/demo', [queryAloneInside])
writeFileSync(
  'dist/THIRD-PARTY-LICENSES.txt',
  noticesOf(
    packagesOf(
      [libraryBuild, judgeBuild, commandBuild, panelBuild, ...demoBuild.pages].map(
        ({ metafile }) => metafile,
      ),
      demoBuild.modules,
    ),
  ),
)
// One thread: several would each make the types of the packages anew, for twice the work.
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--singleThreaded'], { stdio: 'inherit' })
// What the judge's declarations import of src/ stands at the top of dist/.
const declared = 'dist/.declared'
for (const path of readdirSync(join(declared, 'contract-tests'), { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.d.ts')) continue
  const file = join(declared, 'contract-tests', path)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('../src/', '../'))
}
cpSync(join(declared, 'contract-tests'), 'dist/contract-tests', { recursive: true })
// Likewise for the panel, which is two folders below the root here and one in dist/.
for (const path of readdirSync(join(declared, 'panel/src'), { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.d.ts')) continue
  const file = join(declared, 'panel/src', path)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('../../src/', '../'))
}
cpSync(join(declared, 'panel/src'), 'dist/panel', { recursive: true })
cpSync(join(declared, 'src'), 'dist', { recursive: true })
rmSync(declared, { recursive: true })
dropUnreachedDeclarations(Object.values(manifest.exports).flatMap((entry) => entry.types ?? []))

/** Nobody can import what no entry's declarations lead to: of those that tsc writes it is more than half. */
function dropUnreachedDeclarations(entries) {
  const reached = new Set(entries.map((path) => normalize(path)))
  for (const file of reached) {
    for (const [, target] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import|import\()\s*['"](\.[^'"]+)['"]/g,
    ))
      reached.add(join(dirname(file), target.replace(/\.[jt]sx?$/, '.d.ts')))
  }
  for (const path of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    const file = join('dist', path)
    if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
  }
}
