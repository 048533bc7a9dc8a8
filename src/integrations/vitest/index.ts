import { AsyncLocalStorage } from 'node:async_hooks'
import { setupServer } from 'msw/node'
import { test as base, expect, type TestAPI } from 'vitest'
import { understudyMatchers } from '../matchers/matchers.ts'
import { noteUsage } from '../usage/note-usage.ts'
import { addUnderstudy, type Network, type UnderstudyFixtures } from './understudy-fixtures.ts'

export { usageOf } from '../../traffic/usage-of.ts'
export type {} from '../matchers/vitest.ts'
export type { Unhandled } from './running-tests.ts'
export type { MockServer, TestHandlerOptions, UnderstudyFixtures } from './understudy-fixtures.ts'
export { expect }

expect.extend(understudyMatchers)

const store = new AsyncLocalStorage<string>()
let server: ReturnType<typeof setupServer> | undefined

const network: Network = {
  unhandled: 'error',
  open(...handlers) {
    server = setupServer(...handlers)
    // Named for Mock Service Worker 2 and 3. One handler answers all requests, so no request lacks one.
    const options = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const
    server.listen(options)
    return server
  },
  close() {
    server?.close()
  },
  noteUsage,
  inside(id, run) {
    const inTest = () => store.run(id, run)
    // Versions before 2.2 have no boundaries; handlers added in one of several concurrent tests apply to all.
    return server?.boundary === undefined ? inTest() : server.boundary(inTest)()
  },
  current: () => store.getStore(),
}

/**
 * The `test` of vitest, with a mock server and a server of Mock Service Worker for each test, also for
 * concurrent ones (`test.concurrent`).
 *
 * @example
 * test('lists no pipeline', async ({ understudy }) => {
 *   await fetch('http://localhost/api/pipelines')
 *   expect(understudy).toHaveReceived('listPipelines')
 * })
 */
export const test: TestAPI<UnderstudyFixtures> = addUnderstudy(base, network)
