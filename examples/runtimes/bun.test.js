import { afterEach, expect, test } from 'bun:test'
import { createUnderstudy } from 'pipeline-understudy'

const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
globalThis.fetch = understudy.fetch

afterEach(() => understudy.reset())

test('lists the pipelines', async () => {
  const reply = await fetch('https://api.example.com/api/pipelines')
  expect((await reply.json()).pipelines[0].uuid).toBe('daily_sales')
})
