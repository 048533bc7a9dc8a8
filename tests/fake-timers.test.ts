import { afterEach, expect, it, vi } from 'vitest'
import { createHandlers } from '../src/handlers/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { serveHandlers } from './support/serve-handlers.ts'

const fixture = {
  pipelines: [{ name: 'sales' }],
  pipeline_schedules: [{ pipeline_uuid: 'sales', token: 'let-me-in' }],
}

afterEach(() => {
  vi.useRealTimers()
})

/** An app that polls a run with its own timers, and its results so far. */
async function pollEachSecond(): Promise<string[]> {
  const api = 'http://localhost/api'
  const seen: string[] = []
  await fetch(`${api}/pipeline_schedules/1/pipeline_runs/let-me-in`, { method: 'POST' })
  const poll = setInterval(async () => {
    const { pipeline_runs } = await (await fetch(`${api}/pipeline_runs`)).json()
    seen.push(pipeline_runs[0].status)
    if (pipeline_runs[0].status === 'completed') clearInterval(poll)
  }, 1_000)
  return seen
}

it.each([
  ['before', true],
  ['after', false],
])('moves app and mock with one advance of fake timers that are installed %s it', async (_, isFirst) => {
  if (isFirst) vi.useFakeTimers()
  const understudy = createUnderstudy({ fixture, clock: 'system' })
  serveHandlers(...createHandlers(understudy))
  if (!isFirst) vi.useFakeTimers()
  vi.setSystemTime('2030-06-01T12:00:00Z')
  const seen = await pollEachSecond()
  await vi.advanceTimersByTimeAsync(10_000)

  expect(seen).toEqual(['running', 'running', 'running', 'running', 'completed'])
  expect(understudy.model.pipeline_runs.all()[0]?.completed_at).toBe('2030-06-01 12:00:05.000000+00:00')
})

it('delays replies by fake timers, too', async () => {
  vi.useFakeTimers()
  const understudy = createUnderstudy({ fixture, clock: 'system', faults: [{ latency: '3s' }] })
  let status = 0
  void understudy.fetch('/api/pipelines').then((reply) => {
    status = reply.status
  })
  await vi.advanceTimersByTimeAsync(2_999)
  expect(status).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(status).toBe(200)
})

it('evicts no world because of fake timers', async () => {
  const understudy = createUnderstudy({ worlds: { idle: '1h' } })
  understudy.world('alice').snapshot('before')
  vi.useFakeTimers()
  vi.setSystemTime('2040-01-01')
  await vi.advanceTimersByTimeAsync(86_400_000)

  expect(understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'alice'])
  expect(understudy.world('alice').snapshots()).toEqual(['before'])
})
