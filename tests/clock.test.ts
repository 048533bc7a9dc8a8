import { expect, onTestFinished, vi } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { openInMemory } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const options = { fixture: company }
const at = ({ now }: { now(): number }) => new Date(now()).toISOString()

it('advances, freezes and resets', ({ api }) => {
  const { clock } = api.understudy
  expect(at(clock)).toBe('2026-03-01T09:00:00.000Z')
  clock.advance('90s')
  clock.advance(500)
  expect(at(clock)).toBe('2026-03-01T09:01:30.500Z')
  clock.freeze(new Date('2026-01-31T12:00:00Z'))
  expect(at(clock)).toBe('2026-01-31T12:00:00.000Z')
  clock.freeze('2026-01-30 12:00:00')
  expect(at(clock)).toBe('2026-01-30T12:00:00.000Z')
  clock.reset()

  expect(at(clock)).toBe('2026-03-01T09:00:00.000Z')
  expect(at(createUnderstudy().clock)).toBe('2026-01-01T00:00:00.000Z')
})

it.each([
  [-1e300, '0000-01-01T00:00:00.000Z'],
  [1e300, '9999-12-31T23:59:59.999Z'],
])('is set to the nearest valid timestamp if its source returns %d', (time, expected) => {
  const { clock } = createUnderstudy({ clock: { now: () => time } })

  expect(at(clock)).toBe(expected)
})

it('answers while the clock is set forward and back', async ({ api }) => {
  for (const at of ['2026-06-01 00:00:00', '2020-01-01 00:00:00', '2026-06-02 00:00:00']) {
    api.understudy.clock.freeze(at)
    const path = '/api/pipeline_schedules/2/pipeline_runs/hand-token'
    expect((await api.post(path, {})).record.status).toBe('running')
    api.understudy.clock.advance('1h')
    expect((await api.get('/api/pipeline_runs?_limit=1')).records).toMatchObject([{}])
  }
})

it('runs a clock several times as fast as its source, and slower', () => {
  let now = 1_000
  const { clock } = createUnderstudy({ clock: { now: () => now } })
  clock.run(60)
  now += 1_000
  expect(clock.now()).toBe(61_000)
  clock.advance('1s')
  expect(clock.now()).toBe(62_000)
  clock.run(0.5)
  now += 1_001
  expect(clock.now()).toBe(62_500)
  clock.freeze()
  now += 5_000
  expect(clock.now()).toBe(62_500)
  clock.advance(500)
  clock.run(2)
  now += 100
  expect(clock.now()).toBe(63_200)
  clock.reset()
  expect(clock.now()).toBe(8_101)
  now += 1
  expect(clock.now()).toBe(8_102)
})

it('runs several times as fast as the system, from now or from a start, and returns to that with a reset', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T10:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { clock, world } = createUnderstudy({ clock: { speed: 60 } })
  const evening = createUnderstudy({ clock: { speed: 2, start: '2026-01-31 20:00:00' } })
  vi.setSystemTime(Date.now() + 1_000)

  expect([at(clock), clock.speed()]).toEqual(['2026-03-01T10:01:00.000Z', 60])
  expect(at(world('later').clock)).toBe('2026-03-01T10:01:00.000Z')
  expect([at(evening.clock), evening.clock.speed()]).toEqual(['2026-01-31T20:00:02.000Z', 2])
  clock.run(1)
  clock.advance('1h')
  vi.setSystemTime(Date.now() + 1_000)
  expect([at(clock), clock.speed()]).toEqual(['2026-03-01T11:01:01.000Z', 1])
  clock.reset()
  expect([at(clock), clock.speed()]).toEqual(['2026-03-01T10:02:00.000Z', 60])
})

it.each([
  [0, '0'],
  [-1, '-1'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  ['60', '"60"'],
])('refuses to run the clock at the speed %s', (speed, found) => {
  const { clock } = createUnderstudy(options)

  expect(() => clock.run(speed as number)).toThrow(
    `[understudy] Failed to run the clock: expected a speed above 0, such as 60; found ${found}.`,
  )
  expect(clock.now()).toBe(1_772_355_600_000)
})

it('takes the time of records from the source of the user', async () => {
  let now = Date.UTC(2026, 4, 1, 12, 0, 0, 250)
  const api = await openInMemory({ ...options, clock: { now: () => now } })
  await api.post('/api/pipeline_schedules/2/pipeline_runs/hand-token', {})
  now += 5_000

  expect((await api.get('/api/pipeline_runs/4')).record).toMatchObject({
    created_at: '2026-05-01 12:00:00.250000+00:00',
    completed_at: '2026-05-01 12:00:05.250000+00:00',
  })
})

it.each(['2026-02-30', '2026-02-30 00:00:00', 'soon', '-2d', null, 5])(
  'refuses to freeze the clock at %j',
  (time) => {
    expect(() => createUnderstudy().clock.freeze(time as never)).toThrow(
      'Failed to freeze the clock: expected a Date',
    )
  },
)

it('restores a frozen clock with a snapshot, and the clock of a fixture with an import', () => {
  const understudy = createUnderstudy(options)
  understudy.clock.advance('1h')
  understudy.snapshot('an hour later')
  const exported = understudy.export()
  understudy.clock.advance('3d')
  understudy.restore('an hour later')
  expect(at(understudy.clock)).toBe('2026-03-01T10:00:00.000Z')

  understudy.clock.advance('3d')
  understudy.import(exported)
  expect(at(understudy.clock)).toBe('2026-03-01T10:00:00.000Z')
  expect(understudy.export()).toEqual(exported)
  understudy.clock.advance('1d')
  understudy.reset()
  expect(at(understudy.clock)).toBe('2026-03-01T09:00:00.000Z')
})

it('undoes a reset with a running clock', () => {
  let now = Date.UTC(2026, 2, 1)
  const { clock, reset, undo } = createUnderstudy({ clock: { now: () => now } })
  clock.advance('1h')
  reset()
  now += 60_000
  undo()

  expect(at(clock)).toBe('2026-03-01T01:01:00.000Z')
})
