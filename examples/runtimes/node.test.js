import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { createUnderstudy } from 'pipeline-understudy'
import { usePipelineApi } from './undici.js'

test('an application that takes fetch as a parameter', async () => {
  const { fetch } = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })

  const reply = await fetch('http://localhost/api/pipelines/daily_sales')
  assert.equal((await reply.json()).pipeline.uuid, 'daily_sales')
})

test('an application that uses undici', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
  const { request, close } = usePipelineApi(understudy, 'https://api.example.com')

  const { statusCode, body } = await request('https://api.example.com/api/pipelines/daily_sales')
  assert.equal(statusCode, 200)
  assert.equal((await body.json()).pipeline.uuid, 'daily_sales')

  const created = await request('https://api.example.com/api/pipelines', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pipeline: { name: 'weekly sales', type: 'python' } }),
  })
  assert.equal((await created.body.json()).pipeline.uuid, 'weekly_sales')
  await close()
})

test('a CommonJS file', () => {
  assert.equal(execFileSync('node', ['common.cjs'], { encoding: 'utf8' }), 'daily_sales\n')
})
