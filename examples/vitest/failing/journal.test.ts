import { expect, test } from 'pipeline-understudy/vitest'

test('fails, and tells what was received', async () => {
  const api = 'http://localhost/api'
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ pipeline: { name: 'daily sales', type: 'python' } })
  await fetch(`${api}/pipelines`, { method: 'POST', headers, body })
  await fetch(`${api}/pipelines/nowhere`)

  expect('this').toBe('that')
})
