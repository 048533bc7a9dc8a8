import { expect, it } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { describeJournal } from '../src/integrations/matchers/journal-text.ts'

const json = { 'content-type': 'application/json' }

it('describes each request with its logical status, error, changes and ignored values', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
  understudy.faults.add({ operation: 'listBackfills', error: { code: 503, message: 'Later.' } })
  const send = (method: string, path: string, body?: object) =>
    understudy.fetch(path, { method, headers: json, ...(body && { body: JSON.stringify(body) }) })
  await send('PUT', '/api/pipelines/daily_sales', { pipeline: { description: 'Orders.' } })
  await send('GET', '/api/pipelines/nowhere')
  await send('GET', '/api/backfills')
  await send('DELETE', '/api/pipelines/daily_sales')
  const lines = describeJournal(understudy.journal.entries()).split('\n')

  expect(lines[0]).toBe('The requests that the understudy has received:')
  expect(lines).toContain('  PUT /api/pipelines/daily_sales (updatePipeline, main, #1, 200)')
  expect(lines).toContain('    /pipelines/daily_sales/description: null -> "Orders."')
  expect(lines).toContain('  GET /api/pipelines/nowhere (readPipeline, main, #2, 404)')
  expect(lines.find((line) => line.startsWith('    record_not_found'))).toBeDefined()
  expect(lines).toContain('  GET /api/backfills (listBackfills, main, #3, 503)')
  expect(lines.find((line) => line.startsWith('    fault applied: '))).toBeDefined()
  expect(lines).toContain('    - /pipelines/daily_sales')
})

it('describes the last ten of many requests', async () => {
  const understudy = createUnderstudy()
  expect(describeJournal(understudy.journal.entries())).toBe(
    'The understudy has received no request. If the app sent one, see node_modules/pipeline-understudy/docs/troubleshooting.md.',
  )

  for (let request = 1; request <= 12; request++) await understudy.fetch('/api/pipelines')
  const lines = describeJournal(understudy.journal.entries()).split('\n')

  expect(lines[0]).toBe('The last 10 of 12 requests that the understudy has received:')
  expect(lines).toHaveLength(11)
  expect(lines[1]).toContain('#3')
})

it('reports that the changes of a request are too large to store', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
  const body = JSON.stringify({ block: { name: 'a', type: 'custom', content: 'x'.repeat(3_000_000) } })
  await understudy.fetch('/api/pipelines/daily_sales/blocks', { method: 'POST', headers: json, body })

  expect(describeJournal(understudy.journal.entries()).split('\n')).toContain(
    '    and changes in 2 records, which are not stored',
  )
})
