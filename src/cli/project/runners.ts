import type { TemplateOptions } from './templates.ts'

export type Runner = 'vitest' | 'jest' | 'playwright' | 'node'

interface RunnerSetup {
  /** The package of the runner. Node contains its own. */
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
    // A name that Jest does not find by itself: without the flag for modules it could not load the test.
    testName: () => 'pipelines.mock-test.mjs',
    // With this configuration alone: that of the project may convert the test to CommonJS.
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
