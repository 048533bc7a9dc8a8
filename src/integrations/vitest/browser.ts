import { setupWorker } from 'msw/browser'
import { test as base, expect, type TestAPI } from 'vitest'
import { understudyMatchers } from '../matchers/matchers.ts'
import {
  addUnderstudy,
  type MockServer,
  type Network,
  type UnderstudyFixtures,
} from './understudy-fixtures.ts'

export { usageOf } from '../../traffic/usage-of.ts'
export type * from './index.ts'
export { expect }

expect.extend(understudyMatchers)

let worker: Promise<MockServer> | undefined

const network: Network = {
  // A page loads its own scripts, too.
  unhandled: 'bypass',
  open(...handlers) {
    // The worker remains until the end of the page, because starting it takes longer than a test.
    worker ??= start(setupWorker(...handlers))
    return worker
  },
  close() {
    void worker?.then((started) => started.resetHandlers())
  },
  // A page writes no files.
  noteUsage: () => undefined,
  inside: (_, run) => run(),
  current: () => undefined,
}

async function start(worker: ReturnType<typeof setupWorker>): Promise<MockServer> {
  // Both names: those of Mock Service Worker 2 and 3.
  const options = { quiet: true, onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const
  await worker.start(options)
  return worker as unknown as MockServer
}

export const test: TestAPI<UnderstudyFixtures> = addUnderstudy(base, network)
