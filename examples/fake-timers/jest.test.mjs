import { jest } from '@jest/globals'
import { startAndWatch } from './app.js'
import { expected, server, until } from './mocked.js'

beforeAll(() => server.listen())
afterAll(() => server.close())

test('moves app and runs by the timers of jest', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  const seen = []
  await startAndWatch(seen)
  await jest.advanceTimersByTimeAsync(5_000)
  jest.useRealTimers()
  await until(() => seen.length === 5)
  expect(seen).toEqual(expected)
})
