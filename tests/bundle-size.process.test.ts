import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import * as vite from 'vite'
import { afterAll, beforeAll, expect, it as itInParts } from 'vitest'
import { firstOf, wholly } from './support/depth.ts'
import { root as checkout } from './support/root.ts'
import { makeFolder } from './support/temporary.ts'

const it = wholly(itInParts)

/** Limit of a page with one handler before its first request, gzipped, without msw. */
const ceiling = 69_600
/** Tolerance: compressors and names of chunks differ between machines. */
const room = 400

/** One output of a bundler, and the outputs and packages it loads before it runs. */
interface BundleOutput {
  readonly name: string
  readonly code: string
  readonly isEntry: boolean
  readonly imports: readonly string[]
}

const folder = makeFolder(afterAll)
const page = join(folder, 'page.js')

beforeAll(async () => {
  const [root, handlers] = ['index.js', 'handlers/index.js'].map((path) =>
    JSON.stringify(join(checkout, 'dist', path)),
  )
  // The default of `npm init`. Bundlers wrap the imports of such a page, which costs two KB.
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
  await writeFile(
    page,
    `import { createUnderstudy } from ${root}
import { createHandlers } from ${handlers}
globalThis.handlers = createHandlers(createUnderstudy())`,
  )
})

/** Returns the static code of an entry: its own, and that of every output that it imports. */
function loadedAtOnce(outputs: readonly BundleOutput[]): BundleOutput[] {
  const loaded = new Set(outputs.filter(({ isEntry }) => isEntry))
  for (const output of loaded) {
    for (const other of outputs) if (output.imports.includes(other.name)) loaded.add(other)
  }
  return [...loaded]
}

async function bundleWithEsbuild(): Promise<BundleOutput[]> {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [page],
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    external: ['msw'],
    write: false,
    metafile: true,
    outdir: 'out',
    absWorkingDir: folder,
    logLevel: 'silent',
  })
  return Object.entries(metafile.outputs).map(([name, { entryPoint, imports }]) => ({
    name,
    code: outputFiles.find(({ path }) => path.endsWith(name))!.text,
    isEntry: entryPoint?.endsWith('page.js') ?? false,
    imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path),
  }))
}

async function bundleWithVite(): Promise<BundleOutput[]> {
  const bundled = await vite.build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, rolldownOptions: { input: page, external: ['msw'] } },
  })
  const { output } = bundled as Extract<typeof bundled, { output: unknown }>
  return output
    .filter((part) => part.type === 'chunk')
    .map(({ fileName, code, isEntry, imports }) => ({ name: fileName, code, isEntry, imports }))
}

const bundlers = [
  ['esbuild', bundleWithEsbuild],
  ['Vite', bundleWithVite],
] as const

itInParts.each(firstOf(1, bundlers))(
  'costs a page with one handler at most 69.6 KB gzipped, by %s',
  async (_, bundle) => {
    const loaded = loadedAtOnce(await bundle())
    const size = loaded.reduce((sum, { code }) => sum + gzipSync(code).length, 0)

    expect(loaded.map(({ isEntry }) => isEntry)).toContain(true)
    // A page may forbid code that is made of text, and report who tries.
    expect(loaded.filter(({ code }) => /\beval\(|\bFunction\b/.test(code))).toEqual([])
    // A smaller size means that the handlers are missing.
    expect(size).toBeGreaterThan(20_000)
    expect(size).toBeLessThanOrEqual(ceiling - room)
  },
)

/** Limits of the panel, gzipped: before its first picture, and all but the layout of graphs. */
const panelCeilings = { first: 47_800, all: 73_000 }

/** Returns a script of the panel, and those that it loads at once. */
async function panelScripts(name: string): Promise<string[]> {
  const texts: string[] = []
  const names = [name]
  for (const next of names) {
    const text = await readFile(join(checkout, 'dist/panel', next), 'utf8')
    texts.push(text)
    for (const [, imported = ''] of text.matchAll(/(?:from|import)"\.\/([\w.-]+)"/g))
      if (!names.includes(imported)) names.push(imported)
  }
  return texts
}

it('limits the size of the panel, and adds nothing to other entries', async () => {
  const texts = await panelScripts('page.js')
  const sizeOf = (all: readonly string[]) => all.reduce((sum, text) => sum + gzipSync(text).length, 0)
  const size = sizeOf(texts)
  const scripts = (await readdir(join(checkout, 'dist/panel'))).filter((name) =>
    /^(?!dagre).*\.js$/.test(name),
  )
  const whole = sizeOf(
    await Promise.all(scripts.map((name) => readFile(join(checkout, 'dist/panel', name), 'utf8'))),
  )
  const others = (await readdir(join(checkout, 'dist'), { recursive: true })).filter(
    (name) => name.endsWith('.js') && !name.startsWith('panel'),
  )
  const loading = await Promise.all(
    others.map(async (name) => [name, await readFile(join(checkout, 'dist', name), 'utf8')] as const),
  )

  expect(size).toBeGreaterThan(20_000)
  expect(size).toBeLessThanOrEqual(panelCeilings.first)
  expect(whole).toBeLessThanOrEqual(panelCeilings.all)
  expect(texts.filter((text) => /\beval\(|\bnew Function\b/.test(text))).toEqual([])
  expect(
    loading.filter(([, text]) => /from ?['"]@?preact|attachShadow/.test(text)).map(([name]) => name),
  ).toEqual([])
})
