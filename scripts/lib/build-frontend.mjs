// Builds the example app into a folder: over the service worker (`mock`), or for a server beside it (`production`).
import { readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '../..')
const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export const frontend = join(root, 'examples/frontend')

/** The package as built in this checkout, regardless of the location of node_modules. */
const alias = Object.entries(exports).flatMap(([entry, { default: file }]) =>
  file === undefined ? [] : [{ find: new RegExp(`^${join(name, entry)}$`), replacement: join(root, file) }],
)

/** Puts files in the places of others, by their paths or by the names of packages. */
const replacing = (others) => ({
  name: 'others-instead',
  enforce: 'pre',
  resolveId: {
    // Only these modules need the handler.
    filter: { id: Object.keys(others).map((path) => new RegExp(`(?:^|/)${parse(path).name}$`)) },
    async handler(id, importer, options) {
      if (Object.hasOwn(others, id)) return others[id]
      const found = await this.resolve(id, importer, { ...options, skipSelf: true })
      return found && Object.hasOwn(others, found.id) ? others[found.id] : undefined
    },
  },
})

/**
 * Builds the app from the built package. Returns the paths of its modules.
 *
 * @param {'mock' | 'production'} mode
 * @param {string} outDir
 * @param {Readonly<Record<string, string>>} others replacements of modules, by path or package
 */
export async function buildFrontend(mode, outDir, others = {}) {
  const before = process.env.NODE_ENV
  // In a test it would be that of the test, and React the one for development.
  process.env.NODE_ENV = 'production'
  try {
    const output = { outDir, emptyOutDir: true, reportCompressedSize: false, chunkSizeWarningLimit: 1_000 }
    const { output: chunks } = await build({
      root: frontend,
      mode,
      logLevel: 'warn',
      resolve: { alias },
      build: output,
      plugins: Object.keys(others).length === 0 ? [] : [replacing(others)],
    })
    return chunks.flatMap(({ modules = {} }) => Object.keys(modules))
  } finally {
    process.env.NODE_ENV = before
  }
}
