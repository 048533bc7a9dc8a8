import type { TemplateOptions } from './templates.ts'

export type Runner = 'vitest' | 'jest' | 'playwright' | 'node'

interface RunnerSetup {
  /** The package that brings it; Node brings its own. */
  readonly packageName?: string
  /** Name of the first test, by the ending of the project's files. */
  readonly testName: (code: TemplateOptions['code']) => string
  readonly command: (test: string) => string
}

/** The known test runners, in order of preference. */
export const runners: Readonly<Record<Runner, RunnerSetup>> = {
  vitest: {
    packageName: 'vitest',
    testName: (code) => `pipelines.test.${code}`,
    command: (test) => `vitest run ${test}`,
  },
  jest: {
    packageName: 'jest',
    // Not what jest finds by itself: without the flag for modules it could not load it.
    testName: () => 'pipelines.mock-test.mjs',
    // With no configuration but this: that of the project may make CommonJS of it.
    command: (test) =>
      `node --experimental-vm-modules node_modules/jest/bin/jest.js --config "{}" --testMatch "**/${test}"`,
  },
  playwright: {
    packageName: '@playwright/test',
    testName: () => 'pipelines.spec.mjs',
    command: (test) => `playwright test ${test}`,
  },
  node: {
    testName: () => 'pipelines.test.mjs',
    command: (test) => `node --test ${test}`,
  },
}
