import { expect, it as itInParts } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy, type Fixture, type Understudy } from '../src/index.ts'
import { events } from '../src/resources/events.ts'
import { resources } from '../src/resources/index.ts'
import { samples, wholly } from './support/depth.ts'

const it = wholly(itInParts)

const sales: Fixture = {
  clock: '2026-03-01T09:00:00Z',
  users: [{ username: 'mira', email: 'mira@example.com', password: 'lantern' }],
  oauth_access_tokens: [{ token: 'a-secret', expires: '+10s', user_id: 1 }],
  pipelines: [{ name: 'sales' }],
  pipeline_schedules: [
    { name: 'at ten', pipeline_uuid: 'sales', status: 'active', schedule_interval: '0 10 * * *' },
  ],
  backfills: [
    {
      name: 'january',
      pipeline_uuid: 'sales',
      status: 'initial',
      due_at: '+1s',
      start_datetime: '2026-01-01 00:00:00',
      end_datetime: '2026-01-03 00:00:00',
      interval_type: 'day',
      interval_units: 1,
    },
  ],
  pipeline_runs: [
    { pipeline_uuid: 'sales', pipeline_schedule_id: 1, status: 'running', ends_at: '+5s', ends_as: 'failed' },
  ],
}

const textsOf = async ({ clock }: Understudy, within: string) =>
  (await clock.next({ within })).events.map(({ at, text }) => `${at.slice(11, 19)} ${text}`)

it('returns each event with its due time and the remaining time', async () => {
  const understudy = createUnderstudy({ fixture: sales })
  const { events: all, count } = await understudy.clock.next()

  expect(count).toBe(4)
  expect(all.map(({ wait, kind, plural, key }) => [wait, kind, plural, key])).toEqual([
    [1_000, 'starts', 'backfills', '1'],
    [5_000, 'fails', 'pipeline_runs', '1'],
    [10_000, 'expires', 'oauth_access_tokens', '***'],
    [3_600_000, 'fires', 'pipeline_schedules', '1'],
  ])
  expect(all[1]).toEqual({
    at: '2026-03-01T09:00:05.000Z',
    wait: 5_000,
    kind: 'fails',
    plural: 'pipeline_runs',
    key: '1',
    name: null,
    belongsTo: { pipeline_uuid: 'sales', pipeline_schedule_id: 1, backfill_id: null },
    text: 'Run 1 of sales fails.',
  })
  expect(await textsOf(understudy, '2h')).toEqual([
    '09:00:01 The backfill "january" of sales starts.',
    '09:00:05 Run 1 of sales fails.',
    '09:00:10 A token of mira expires.',
    '10:00:00 The schedule "at ten" of sales fires.',
  ])
  expect(JSON.stringify(all)).not.toContain('a-secret')
})

it('advances to the next event, and returns it', async () => {
  const { clock, model } = createUnderstudy({ fixture: sales })
  const first = await clock.advanceToNext()

  expect(first).toEqual({
    now: Date.UTC(2026, 2, 1, 9, 0, 1),
    at: '2026-03-01T09:00:01.000Z',
    count: 1,
    events: [expect.objectContaining({ kind: 'starts', plural: 'backfills', name: 'january' })],
    leftOut: {},
  })
  expect(model.pipeline_runs.count({ backfill_id: 1, status: 'running' })).toBe(3)
  expect((await clock.advanceToNext()).events.map(({ text }) => text)).toEqual(['Run 1 of sales fails.'])
  // The runs of the backfill end, and it with them.
  expect((await clock.advanceToNext()).events.map(({ text }) => text)).toEqual([
    'Run 2 of sales completes.',
    'Run 3 of sales completes.',
    'Run 4 of sales completes.',
    'The backfill "january" of sales completes.',
  ])
  expect((await clock.advanceToNext()).events.map(({ text }) => text)).toEqual(['A token of mira expires.'])
  expect((await clock.advanceToNext()).events.map(({ kind }) => kind)).toEqual(['fires'])
})

it('does not advance without events', async () => {
  const { clock } = createUnderstudy({
    fixture: { clock: '2026-03-01T09:00:00Z', pipelines: [{ name: 'sales' }] },
  })

  expect(await clock.next()).toEqual({ events: [], count: 0 })
  expect(await clock.advanceToNext()).toEqual({
    now: Date.UTC(2026, 2, 1, 9),
    at: '2026-03-01T09:00:00.000Z',
    events: [],
    count: 0,
    leftOut: {},
  })
})

it('predicts the steps of a script up to one that waits for reads or manual control', async () => {
  const understudy = createUnderstudy({ fixture: { ...sales, backfills: [], oauth_access_tokens: [] } })
  const { runs } = understudy
  runs.script({ id: 1 }, 'initial for 20s, then running for 1m, then cancelled')

  expect(await textsOf(understudy, '30m')).toEqual(['09:00:20 Run 1 of sales starts.'])
  understudy.clock.advance('20s')
  expect(await textsOf(understudy, '30m')).toEqual(['09:01:20 Run 1 of sales is cancelled.'])
  runs.script({ id: 1 }, 'running for 3 reads, then failed')
  expect(await textsOf(understudy, '30m')).toEqual([])
  runs.script({ id: 1 }, 'running until advanced, then failed')
  expect(await textsOf(understudy, '30m')).toEqual([])
})

it('predicts the end of a backfill from its runs', async () => {
  const understudy = createUnderstudy({ fixture: { ...sales, pipeline_runs: [] } })
  understudy.clock.advance('1s')
  expect(await textsOf(understudy, '5s')).toContain('09:00:06 The backfill "january" of sales completes.')

  understudy.runs.script({ id: 2 }, 'running for 1s, then failed')
  expect(await textsOf(understudy, '5s')).toContain('09:00:06 The backfill "january" of sales fails.')
})

it('predicts that a schedule does not fire during its run', async () => {
  const understudy = createUnderstudy({ fixture: { ...sales, backfills: [], oauth_access_tokens: [] } })
  await understudy.model.pipeline_schedules.update((q) => q.where({ id: 1 }), {
    data(schedule) {
      schedule.settings = { skip_if_previous_running: true }
    },
  })
  expect(await textsOf(understudy, '2h')).toContain('10:00:00 The schedule "at ten" of sales fires.')

  understudy.runs.script({ id: 1 }, 'running for 2h')
  expect(await textsOf(understudy, '1h')).toEqual([
    '10:00:00 The schedule "at ten" of sales does not fire: its run is still under way.',
  ])
  expect((await understudy.clock.advanceToNext()).events.map(({ kind }) => kind)).toEqual(['skips'])
  expect(understudy.model.pipeline_runs.count()).toBe(1)
})

itInParts('predicts the events of the demo', async () => {
  const { clock } = createUnderstudy({ fixture: demo })
  const wrong: unknown[] = []
  let described = 0
  for (let step = 0; step < samples(250); step++) {
    const { events: scheduled } = await clock.next({ limit: 200 })
    const predicted = scheduled.filter(({ at }) => at === scheduled[0]!.at).map(({ text }) => text)
    const { at, events: happened } = await clock.advanceToNext()
    const texts = happened.map(({ text }) => text)
    described += texts.length
    // Consequences at the same time, such as a run without duration, are not predicted.
    if (at !== scheduled[0]!.at || predicted.some((text) => !texts.includes(text)))
      wrong.push([at, predicted, texts])
  }

  expect(wrong).toEqual([])
  expect(described).toBeGreaterThan(samples(250))
})

it('counts the events of thousands of records, and returns the first', async () => {
  const understudy = createUnderstudy({ fixture: { ...sales, backfills: [], oauth_access_tokens: [] } })
  await understudy.factories.pipelineRun.createMany(5_000, (index) => ({
    pipeline_uuid: 'sales',
    pipeline_schedule_id: 1,
    ends_at: `2026-03-02 00:00:${String(59 - (index % 60)).padStart(2, '0')}.000000+00:00`,
  }))
  const { events: described, count } = await understudy.clock.next({ limit: 3 })

  expect(count).toBe(5_002)
  expect(described.map(({ key, kind }) => [key, kind])).toEqual([
    ['1', 'fails'],
    ['1', 'fires'],
    ['61', 'completes'],
  ])
})

it('counts on after a snapshot, a deletion and a change', async () => {
  const understudy = createUnderstudy({ fixture: sales })
  const count = async () => (await understudy.clock.next({ limit: 1 })).count
  understudy.snapshot('before')
  expect(await count()).toBe(4)
  understudy.model.pipeline_runs.clear()
  expect(await count()).toBe(3)
  await understudy.model.pipeline_schedules.update((q) => q.where({ id: 1 }), {
    data(schedule) {
      schedule.status = 'inactive'
    },
  })
  expect(await count()).toBe(2)
  understudy.restore('before')
  expect(await count()).toBe(4)
})

it('predicts the expiry of a token again after the clock was set back', async () => {
  const understudy = createUnderstudy({ fixture: sales })
  understudy.clock.advance('20s')
  expect(await textsOf(understudy, '1m')).toEqual([])
  understudy.clock.freeze('2026-03-01 09:00:00')

  expect(await textsOf(understudy, '1m')).toEqual(['09:00:10 A token of mira expires.'])
})

it.each([
  [{ limit: 0 }, 'limit: expected a whole number from 1 to 1000; found 0.'],
  [{ limit: 1.5 }, 'limit: expected a whole number from 1 to 1000; found 1.5.'],
  [{ within: 'soon' }, 'within: expected milliseconds, or a duration such as 5s; found "soon".'],
  [{ until: '3d' }, 'until: expected one of the keys limit, within; found an unknown key.'],
])('refuses %j', async (options, message) => {
  const { clock } = createUnderstudy()

  await expect(clock.next(options as object)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: `clock.next: ${message}`,
  })
})

it('describes the events of every resource that changes with time', () => {
  const moving = resources.filter(({ due, expiresAt }) => due !== undefined || expiresAt !== undefined)

  expect(moving.map(({ plural }) => plural)).toEqual(Object.keys(events))
})
