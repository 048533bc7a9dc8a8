import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { startAndWatch } from './app.js'
import { expected, server, until } from './mocked.js'

before(() => server.listen())
after(() => {
  mock.timers.reset()
  server.close()
})

test('moves app and runs by the timers of node:test', async () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'] })
  const seen = []
  await startAndWatch(seen)
  for (let second = 1; second <= 5; second++) {
    mock.timers.tick(1_000)
    await until(() => seen.length === second)
  }
  assert.deepEqual(seen, expected)
})
