// Runs the helpers of the recipe against `serve`. Cypress is not here: what stands in for `cy` sends what it is asked to send.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, afterEach, beforeEach, test } from 'node:test'

const program = 'node_modules/pipeline-understudy/dist/cli/main.js'
const flags = ['serve', '--port', '0', '--fixture', 'empty', '--clock', 'frozen', '--json']
const server = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = await once(createInterface({ input: server.stdout }), 'line')
const url = JSON.parse(line).listening

let sent = Promise.resolve()
let intercept

const toOptions = (given, url, body) => (typeof given === 'string' ? { method: given, url, body } : given)

/** A reply that comes after all that was asked for before, as in the queue of Cypress. */
function chain(reply) {
  return { its: (name) => chain(reply.then((found) => found[name])), reply }
}

globalThis.Cypress = { env: () => url }
globalThis.cy = {
  request(...given) {
    const { method, url, body } = toOptions(...given)
    const reply = sent.then(async () => {
      const response = await fetch(url, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      const text = await response.text()
      // As cy.request does: what is no success fails the test.
      assert.ok(response.ok, text)
      return { status: response.status, body: text === '' ? '' : JSON.parse(text) }
    })
    sent = reply
    return chain(reply)
  },
  intercept(route, handler) {
    assert.equal(route.url, '**/api/**')
    intercept = handler
  },
}
// Those of Cypress wait for its queue.
globalThis.beforeEach = (prepare) =>
  beforeEach(async () => {
    prepare()
    await sent
  })
globalThis.afterEach = (clear) =>
  afterEach(async () => {
    clear()
    await sent
  })

const { arrange, inOwnWorld } = await import('./cypress/support/understudy.js')
inOwnWorld()
after(async () => {
  server.kill()
  await once(server, 'close')
})

/** What the application would ask, as it comes out of the interception. */
async function ask(path, init) {
  const request = { headers: { 'content-type': 'application/json' } }
  intercept(request)
  return (await fetch(`${url}/api${path}`, { ...init, headers: request.headers })).json()
}

test('a test arranges, moves the clock and sees what the application sees', async () => {
  arrange('POST', '/factories/pipeline', { values: { name: 'daily sales' } })
  await arrange('POST', '/factories/pipeline_run', {
    values: { pipeline_uuid: 'daily_sales', run_script: 'running for 5s' },
  }).reply
  const statuses = async () => (await ask('/pipeline_runs')).pipeline_runs.map(({ status }) => status)
  assert.deepEqual(await statuses(), ['running'])

  await arrange('POST', '/clock/advance', { duration: '5s' }).reply
  assert.deepEqual(await statuses(), ['completed'])
})

test('the next test begins with nothing, and reads from the journal what was asked', async () => {
  assert.deepEqual((await ask('/pipelines')).pipelines, [])
  await arrange('POST', '/faults', {
    operation: 'createPipeline',
    error: { code: 500, message: 'No space.' },
  }).reply
  const body = JSON.stringify({ pipeline: { name: 'orders', type: 'python' } })
  assert.equal((await ask('/pipelines', { method: 'POST', body })).error.message, 'No space.')

  const entries = await arrange('GET', '/journal?operation=createPipeline').its('entries').reply
  assert.deepEqual(
    entries.map(({ status }) => status),
    [500],
  )
})
