import { it as base } from 'vitest'
import { listen } from './listen.ts'
import { folder } from './run-verify.ts'

/** Resources that are closed when the test ends. */
export interface OwnThings {
  /** Serves a listener until this test is over, and gives its base URL. */
  readonly listen: (listener: Parameters<typeof listen>[0]) => Promise<string>
  /** Makes a folder that is gone after this test. */
  readonly folder: () => Promise<string>
}

/** `it` for tests that run side by side: what each opens is its own, and closed when that test is over. */
export const it = base.extend<OwnThings>({
  listen: ({ onTestFinished }, use) => use((listener) => listen(listener, onTestFinished)),
  folder: ({ onTestFinished }, use) => use(() => folder(onTestFinished)),
})
