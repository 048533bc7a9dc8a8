// Builds the output of `pipeline-understudy demo build`: the example app with a shared mock server, and the
// surrounding page. The panel in `dist/panel` and the package must exist before.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { buildFrontend } from './build-frontend.mjs'
import { queryWithoutSideEffects } from './esbuild-plugins.mjs'

/** The panel is a separate module, which the package contains once. */
const panelBeside = {
  name: 'panel-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/src\/index\.ts$/ }, () => ({ path: './panel/index.js', external: true }))
  },
}

/**
 * The content security policy of both pages. The app communicates with the mock server through the
 * surrounding page.
 */
const policy = [
  "default-src 'none'",
  ...['script', 'style', 'connect', 'worker', 'frame'].map((kind) => `${kind}-src 'self'`),
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

/**
 * Builds into a folder. Returns the results of esbuild, and the modules of the app, for the notices of their licenses.
 *
 * @param {string} outdir
 */
export async function buildDemo(outdir) {
  rmSync(outdir, { recursive: true, force: true })
  const modules = await buildFrontend('mock', resolve(outdir, 'app'), [
    { find: /^\.\/mock\/start$/, replacement: resolve('panel/demo/frame.ts') },
    { find: /^tldts$/, replacement: resolve('panel/demo/site-of.ts') },
  ])
  const shared = {
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  }
  const pages = await build({
    ...shared,
    entryPoints: [
      'panel/demo/shell.ts',
      'panel/demo/host.ts',
      'panel/demo/host-worker.ts',
      'panel/demo/shell.css',
    ],
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    splitting: true,
    plugins: [panelBeside, queryWithoutSideEffects],
  })
  const worker = await build({ ...shared, entryPoints: ['panel/demo/worker.ts'] })
  cpSync('node_modules/msw/lib/mockServiceWorker.js', join(outdir, 'mockServiceWorker.js'))
  // It would control only the app, and there is one worker for all.
  rmSync(join(outdir, 'app/mockServiceWorker.js'))
  const names = Object.fromEntries(
    Object.entries(pages.metafile.outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint === undefined
        ? []
        : [[entryPoint.replace('panel/demo/', ''), path.slice(outdir.length + 1)]],
    ),
  )
  const filled = readFileSync('panel/demo/index.html', 'utf8')
    .replace('%host%', names['host.ts'])
    .replace('%host-worker%', names['host-worker.ts'])
    .replace('%shell%', names['shell.ts'])
    .replace('%shell-style%', names['shell.css'])
    .replace('%policy%', policy)
  writeFileSync(join(outdir, 'index.html'), filled)
  const app = join(outdir, 'app/index.html')
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`
  writeFileSync(app, readFileSync(app, 'utf8').replace('<meta charset="utf-8" />', `$&\n    ${meta}`))
  return { pages: [pages, worker], modules }
}
