import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sinon from 'sinon'
import { startAndWatch } from './app.js'
import { expected, server, until } from './mocked.js'

before(() => server.listen())
after(() => {
  sinon.restore()
  server.close()
})

test('moves app and runs by the timers of Sinon', async () => {
  const clock = sinon.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  const seen = []
  await startAndWatch(seen)
  await clock.tickAsync(5_000)
  await until(() => seen.length === 5)
  clock.restore()
  assert.deepEqual(seen, expected)
})
