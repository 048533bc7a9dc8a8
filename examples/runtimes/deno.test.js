import assert from 'node:assert/strict'
import { createUnderstudy } from 'pipeline-understudy'

const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
globalThis.fetch = understudy.fetch

Deno.test('lists the pipelines', async () => {
  const reply = await fetch('https://api.example.com/api/pipelines')
  assert.equal((await reply.json()).pipelines[0].uuid, 'daily_sales')
})
