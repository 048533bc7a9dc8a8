import { expect, it, onTestFinished, vi } from 'vitest'
import { loadAtFirstVisit } from '../src/cli/load-at-first-visit.ts'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { serveMock } from './support/serve-mock.ts'

it('starts the events of the fixture when the first visitor arrives', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-02T09:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const understudy = createUnderstudy({ fixture: demo, clock: 'system', seed: 7 })
  const { url, server } = await serveMock(understudy)
  loadAtFirstVisit(server, understudy, demo)
  const secondsToNext = async () => {
    const { events } = await understudy.clock.next({ limit: 1 })
    return Math.round((Date.parse(events[0]?.at ?? '') - understudy.clock.now()) / 1_000)
  }
  const atStart = await secondsToNext()
  vi.setSystemTime('2026-03-02T09:10:00Z')
  await fetch(`${url}/__understudy__/api/health`)
  const withoutVisit = await secondsToNext()
  await fetch(`${url}/api/pipelines`)

  expect(atStart).toBeLessThan(60)
  expect(withoutVisit).toBeGreaterThan(60)
  expect(await secondsToNext()).toBe(atStart)
  await understudy.model.backfills.create({ pipeline_uuid: 'daily_revenue', name: 'of the visitor' })
  const count = understudy.model.backfills.count()
  await fetch(`${url}/api/pipelines`)
  expect(understudy.model.backfills.count()).toBe(count)
})
