import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { ask, askForMore } from './requests.js'

for (const name of ['node-http', 'express-4', 'express-5', 'fastify', 'hono']) {
  test(`${name} answers, breaks what a fault breaks, and closes while a request waits`, async () => {
    const { start } = await import(`./${name}.js`)
    const { port, understudy, close } = await start()
    await ask(port)
    await askForMore(port)

    understudy.faults.add({ operation: 'listPipelineRuns', hang: true })
    const waiting = assert.rejects(fetch(`http://127.0.0.1:${port}/api/pipeline_runs`))
    while (understudy.journal.entries({ operation: 'listPipelineRuns' }).length === 0)
      await new Promise((resolve) => setImmediate(resolve))
    understudy.dispose()
    await close()
    await waiting
  })
}

/** Starts a file with Bun, and gives the port that it prints. */
async function startBun(file) {
  // Not node_modules/.bin/bun: where pnpm has written that, it hands no signal on.
  const bun = spawn('node_modules/bun/bin/bun.exe', [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(bun.stdout, 'data')
  const close = async () => {
    bun.kill()
    return (await once(bun, 'exit'))[0]
  }
  return { port: Number(printed), close }
}

test('node:http of Bun answers, breaks what a fault breaks, and closes', async () => {
  const { port, close } = await startBun('bun-node-http.js')
  await ask(port)
  await askForMore(port)
  assert.equal(await close(), 0)
})

test('Bun.serve answers', async () => {
  const { port, close } = await startBun('bun-serve.js')
  await ask(port)
  assert.equal(await close(), 0)
})
