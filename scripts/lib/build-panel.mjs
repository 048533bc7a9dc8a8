// Builds the panel: the module to mount in a page, the page and the corner of a server, and the tab in
// Storybook, with shared chunks.
import { dirname } from 'node:path'
import { build } from 'esbuild'
import { queryWithoutSideEffects } from './esbuild-plugins.mjs'

/** Imports a style sheet with its imports as a text, for a shadow root. */
export const sheetsAsTexts = {
  name: 'sheets-as-texts',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        minify: true,
        write: false,
        target: 'chrome123',
        logLevel: 'warning',
      })
      return { contents: outputFiles[0].text, loader: 'text', watchDirs: [dirname(path)] }
    })
  },
}

/** Omits the redaction of messages, which only the author of the input reads here. */
const withoutRedaction = {
  name: 'without-redaction',
  setup({ onLoad }) {
    const contents = 'export const hideNamed = (text) => text'
    onLoad({ filter: /src\/shared\/hide-in-text\.ts$/ }, () => ({ contents }))
  },
}

/**
 * Builds the panel into a folder. Returns the result of esbuild, with its metafile.
 *
 * @param {string} outdir
 */
export function buildPanel(outdir) {
  return build({
    entryPoints: [
      'panel/src/index.ts',
      'panel/src/page.tsx',
      'panel/src/corner.tsx',
      'panel/src/storybook.ts',
    ],
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Storybook provides them to addons.
    external: ['react', 'storybook/manager-api'],
    plugins: [sheetsAsTexts, withoutRedaction, queryWithoutSideEffects],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
}
