// Builds the example app into a folder: over the service worker (`mock`), or for a server beside it (`production`).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '../..')
const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export const frontend = join(root, 'examples/frontend')

/** The package as built in this checkout, regardless of the location of node_modules. */
const alias = Object.entries(exports).flatMap(([entry, { default: file }]) =>
  file === undefined ? [] : [{ find: new RegExp(`^${join(name, entry)}$`), replacement: join(root, file) }],
)

/**
 * Builds the app from the built package. Returns the paths of its modules.
 *
 * @param {'mock' | 'production'} mode
 * @param {string} outDir
 * @param {readonly { find: RegExp, replacement: string }[]} others files that replace imported modules
 */
export async function buildFrontend(mode, outDir, others = []) {
  const before = process.env.NODE_ENV
  // Otherwise, a test would set it to `test`, and React would be the development version.
  process.env.NODE_ENV = 'production'
  try {
    const output = {
      outDir,
      emptyOutDir: true,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
      // On a busy machine, Vite would warn of slow plugins, and a test that prints fails.
      rolldownOptions: { checks: { bundlerTimings: false } },
    }
    const { output: chunks } = await build({
      root: frontend,
      mode,
      logLevel: 'warn',
      resolve: { alias: [...alias, ...others] },
      build: output,
    })
    return chunks.flatMap(({ modules = {} }) => Object.keys(modules))
  } finally {
    process.env.NODE_ENV = before
  }
}
