import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { root } from './support/root.ts'

it('stays alive when clients send more records than the heap has room for', async () => {
  const args = ['--max-old-space-size=80', 'dist/cli/main.js', 'serve', '--port', '0', '--json']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill())
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const first = String((await once(child.stdout, 'data'))[0])
  child.stdout.resume()
  const { listening } = JSON.parse(first.split('\n')[0] ?? '') as { listening: string }
  const body = JSON.stringify({ backfill: { name: 'b', variables: { text: 'x'.repeat(3_200_000) } } })
  const post = async (index: number) => {
    const headers = { 'content-type': 'application/json', 'x-understudy-world': `world-${index % 3}` }
    const reply = await fetch(`${listening}/api/pipelines/sandbox/backfills`, {
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
      const reply = await fetch(`${listening}/api/backfills?_limit=1&pipeline_uuid=sandbox`, { headers })
      const { metadata }: { metadata: { count: number } } = await reply.json()
      return metadata.count
    }),
  )

  expect([...outcomes.keys()].toSorted()).toEqual(['200 413 payload_too_large', 'stored'])
  expect(outcomes.get('stored')).toBeGreaterThan(3)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(outcomes.get('stored'))
  expect({ errors, isRunning: child.exitCode === null }).toEqual({ errors: '', isRunning: true })
})
