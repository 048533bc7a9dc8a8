import { AsyncLocalStorage } from 'node:async_hooks'
import { setupServer } from 'msw/node'
import { test as base, expect, type TestAPI } from 'vitest'
import { understudyMatchers } from '../matchers/matchers.ts'
import { addUnderstudy, type Network, type UnderstudyFixtures } from './understudy-fixtures.ts'

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
    // By their names in Mock Service Worker 2 and 3: one handler answers everything, so that nothing is unhandled.
    const options = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const
    server.listen(options)
    return server
  },
  close() {
    server?.close()
  },
  inside(id, run) {
    const inTest = () => store.run(id, run)
    // Before 2.2 there is none, and handlers that are added to one of several tests at once are added to all.
    return server?.boundary === undefined ? inTest() : server.boundary(inTest)()
  },
  current: () => store.getStore(),
}

/**
 * The `test` of vitest, whose tests each have an understudy and a server of Mock Service Worker to themselves, also
 * where several run at once (`test.concurrent`).
 *
 * @example
 * test('lists no pipeline', async ({ understudy }) => {
 *   await fetch('http://localhost/api/pipelines')
 *   expect(understudy).toHaveReceived('listPipelines')
 * })
 */
export const test: TestAPI<UnderstudyFixtures> = addUnderstudy(base, network)
/**
 * The same, by vitest's other name.
 *
 * @alias
 */
export const it: typeof test = test
