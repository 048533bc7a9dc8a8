import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { IdleFirst } from './tests/support/idle-first.ts'
import { temporaryFolder } from './tests/support/temporary-folder.ts'

const process = '{tests,lab/tests}/**/*.process.test.ts'
const browser = 'tests/**/*.browser.test.ts'
/** Tests that repeat cheaper ones with more samples or with other tools: `npm run test:thorough`. */
const thorough = '**/*.thorough.test.ts'
/** Files that run a part of their tests in `npm test` and the rest in `npm run test:thorough`. */
const inBoth = ['tests', 'contract-tests/tests', 'lab/tests', 'lab/mutants/tests'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .filter((path) => readFileSync(path, 'utf8').includes("support/depth.ts'")),
)
const built = 'tests/support/built.ts'
const temporary = 'tests/support/temporary-folder.ts'
/** A folder for temporary files of this run: `verify` must not read the cleanup logs of another run. */
const ownFolder = {
  TMPDIR: temporaryFolder,
  // The built command reuses its compile cache from run to run (Node 22.1 and later).
  NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A shared machine of CI can stop for seconds. A defect fails twice.
    retry: env.CI === undefined ? 0 : 1,
    // On a busy machine, awaited changes come late.
    expect: { poll: { timeout: 20_000 } },
    // One worker per core: each worker loads and compiles the sources again.
    maxWorkers: '100%',
    sequence: { sequencer: IdleFirst },
    // All cores are busy, so helper threads for garbage collection cost more than they save.
    execArgv: ['--single-threaded-gc', '--max-semi-space-size=64'],
    // Reuse transformed files that have not changed.
    experimental: { fsModuleCache: true },
    reporters: ['default', './tests/support/time-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{tests,lab/tests}/**/*.test.ts'],
          exclude: [process, browser, thorough],
          globalSetup: [temporary],
          env: ownFolder,
          setupFiles: ['tests/support/fail-on-output.ts'],
          // The test files share loaded modules and leave no state behind.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [browser],
          isolate: false,
          globalSetup: [built, 'tests/support/one-browser.ts'],
        },
      },
      // Runs only in `npm run verify:real`, which sets the address of a real server.
      {
        extends: true,
        test: {
          name: 'real',
          include: env.REAL_SERVER === undefined ? [] : ['tests/**/*.real.ts'],
          globalSetup: env.REAL_SERVER === undefined ? [] : [built, 'tests/support/one-browser.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: [process],
          isolate: false,
          globalSetup: [built, temporary],
          env: ownFolder,
          setupFiles: ['tests/support/fail-on-output.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'verifier',
          include: ['{contract-tests,lab/mutants}/**/*.test.ts'],
          exclude: [thorough],
          globalSetup: [built, temporary],
          env: ownFolder,
          isolate: false,
          // Each test may send a thousand requests, and several tests run at once.
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'thorough',
          include: [thorough, ...inBoth],
          globalSetup: [built, temporary, 'tests/support/one-browser.ts'],
          env: { ...ownFolder, TEST_DEPTH: 'thorough' },
          setupFiles: ['tests/support/fail-on-output.ts'],
          isolate: false,
          testTimeout: 120_000,
        },
      },
    ],
  },
})
