import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { temporaryFolder } from './tests/support/temporary-folder.ts'
import { WaitingFirst } from './tests/support/waiting-first.ts'

const process = '{tests,lab/tests}/**/*.process.test.ts'
const browser = 'tests/**/*.browser.test.ts'
/** What asks again, by more samples or by the tools of others, what a cheaper test asks: `npm run test:thorough`. */
const thorough = '**/*.thorough.test.ts'
/** What takes a part of what is dear for `npm test`, and the rest for `npm run test:thorough`. */
const inBoth = ['tests', 'contract-tests/tests', 'lab/tests', 'lab/mutants/tests'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .filter((path) => readFileSync(path, 'utf8').includes("support/depth.ts'")),
)
const built = 'tests/support/built.ts'
const temporary = 'tests/support/temporary-folder.ts'
/** What `verify` keeps of a run that was killed is read by no other: the next server may listen where the last one did. */
const ownFolder = {
  TMPDIR: temporaryFolder,
  // The compile cache of the built command, from Node 22.1 on, is used from run to run.
  NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // As many as there are cores, which a machine that runs nothing else has: each worker loads what it tests anew, and makes it fast anew.
    maxWorkers: '100%',
    sequence: { sequencer: WaitingFirst },
    // The cores have enough to do: threads that help to collect garbage take more of them than they give.
    execArgv: ['--single-threaded-gc', '--max-semi-space-size=64'],
    // What has not changed since the last time is not translated again.
    experimental: { fsModuleCache: true },
    reporters: ['default', './tests/support/where-time-goes.ts'],
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
          // The files share their modules, which load once: they leave nothing behind.
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
      // Only where `npm run verify:real` says where a real server is.
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
          name: 'judge',
          include: ['{contract-tests,lab/mutants}/**/*.test.ts'],
          exclude: [thorough],
          globalSetup: [built, temporary],
          env: ownFolder,
          isolate: false,
          // Each judges a server with a thousand requests and more; a busy machine takes its time for several at once.
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
