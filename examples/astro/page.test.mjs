import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dev } from 'astro'

test('the page and its server read the same records', async () => {
  const server = await dev({ root: '.', logLevel: 'error', server: { port: 0 } })
  const url = `http://localhost:${server.address.port}`
  try {
    const reply = await fetch(`${url}/api/pipelines`)
    assert.equal((await reply.json()).pipelines[0].uuid, 'daily_sales')

    assert.match(await (await fetch(url)).text(), /daily sales/)
  } finally {
    await server.stop()
  }
})
