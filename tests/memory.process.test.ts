import { expect, it } from 'vitest'
import { serveBuilt } from './support/serve-built.ts'

it('stays alive when clients send more records than the heap has room for', async () => {
  const { url, child, errors } = await serveBuilt([], ['--max-old-space-size=80'])
  const body = JSON.stringify({ backfill: { name: 'b', variables: { text: 'x'.repeat(3_200_000) } } })
  const post = async (index: number) => {
    const headers = { 'content-type': 'application/json', 'x-understudy-world': `world-${index % 3}` }
    const reply = await fetch(`${url}/api/pipelines/sandbox/backfills`, {
      method: 'POST',
      headers,
      body,
    })
    const { error }: { error?: { code: number; type: string } } = await reply.json()
    return error === undefined ? 'stored' : `${reply.status} ${error.code} ${error.type}`
  }
  const outcomes = new Map<string, number>()
  for (let index = 0; index < 28; index++) {
    const outcome = await post(index)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  const counts = await Promise.all(
    [0, 1, 2].map(async (index) => {
      const headers = { 'x-understudy-world': `world-${index}` }
      const reply = await fetch(`${url}/api/backfills?_limit=1&pipeline_uuid=sandbox`, { headers })
      const { metadata }: { metadata: { count: number } } = await reply.json()
      return metadata.count
    }),
  )

  expect([...outcomes.keys()].toSorted()).toEqual(['200 413 payload_too_large', 'stored'])
  expect(outcomes.get('stored')).toBeGreaterThan(3)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(outcomes.get('stored'))
  expect({ errors: errors(), isRunning: child.exitCode === null }).toEqual({ errors: '', isRunning: true })
})
