import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setupServer } from 'msw/node'
import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'

const understudy = createUnderstudy({
  fixture: {
    pipelines: [{ name: 'daily sales' }],
    pipeline_schedules: [{ pipeline_uuid: 'daily_sales', token: 'let-me-in' }],
  },
})
const server = setupServer(...createHandlers(understudy))
const api = 'https://pipelines.example.com/api'
const statuses = async () =>
  (await (await fetch(`${api}/pipeline_runs`)).json()).pipeline_runs.map(({ status }) => status)

before(() => server.listen())
afterEach(() => understudy.reset())
after(() => server.close())

test('a triggered run is completed after five seconds of the clock', async () => {
  await fetch(`${api}/pipeline_schedules/1/pipeline_runs/let-me-in`, { method: 'POST' })
  assert.deepEqual(await statuses(), ['running'])

  understudy.clock.advance('5s')
  assert.deepEqual(await statuses(), ['completed'])
})

test('nothing is left of the run in the next test', async () => {
  assert.deepEqual(await statuses(), [])
})

test('an error comes with HTTP 200', async () => {
  const reply = await fetch(`${api}/pipelines/nowhere`)
  assert.equal(reply.status, 200)
  assert.equal((await reply.json()).error.code, 404)
})
