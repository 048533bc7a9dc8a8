// Builds dist/: JavaScript by esbuild, declarations by tsc.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

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
}

rmSync('dist', { recursive: true, force: true })
const library = Object.values(manifest.exports)
  .map((entry) => entry.default)
  .filter((path) => path?.startsWith('./dist/') && !path.startsWith('./dist/contract-tests/'))
  .map((path) => path.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
await build({ ...shared, entryPoints: library, packages: 'external', chunkNames: 'chunks/[name]-[hash]' })
await build({
  ...shared,
  outdir: 'dist/contract-tests',
  outbase: 'contract-tests',
  entryPoints: ['contract-tests/index.ts', 'contract-tests/verify.ts', 'contract-tests/suites/*.ts'],
  packages: 'external',
  chunkNames: 'chunks/[name]-[hash]',
})
/** The suites are files that vitest runs: the command loads them from where they stand. */
const besideTheCommand = {
  name: 'beside-the-command',
  setup: ({ onResolve }) =>
    onResolve({ filter: /contract-tests\/verify\.ts$/ }, () => ({
      path: '../contract-tests/verify.js',
      external: true,
    })),
}
// The command carries what it needs in one piece, so that a server is up soon after its process starts.
await build({
  ...shared,
  entryPoints: ['src/cli/main.ts'],
  external: ['msw', 'supertest', 'vitest'],
  plugins: [besideTheCommand],
  chunkNames: 'cli/chunks/[name]-[hash]',
  minify: true,
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})
chmodSync('dist/cli/main.js', 0o755)
for (const project of ['tsconfig.build.json', 'tsconfig.contract.json']) {
  execFileSync('node_modules/.bin/tsc', ['-p', project], { stdio: 'inherit' })
}
