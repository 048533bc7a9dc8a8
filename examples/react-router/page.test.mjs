import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from 'vite'

test('the page and its loader read the same records', async () => {
  const server = await createServer({ logLevel: 'error', server: { port: 0 } })
  await server.listen()
  const [url] = server.resolvedUrls.local
  try {
    const reply = await fetch(`${url}api/pipelines`)
    assert.equal((await reply.json()).pipelines[0].uuid, 'daily_sales')

    assert.match(await (await fetch(url)).text(), /daily sales/)
  } finally {
    await server.close()
  }
})
