import { expect, it } from 'vitest'
import { plansTooMuch } from '../model-based/planned-dates.ts'
import { scriptedSequences } from '../model-based/scripted-sequences.ts'

const years = { start_datetime: '2000-01-01 00:00:00', end_datetime: '2027-01-01 00:00:00' }

it.each([
  ['a second for twenty-seven years', { ...years, interval_type: 'second', interval_units: 1 }, true],
  ['a custom interval for as long', { ...years, interval_type: 'custom', interval_units: 365 }, true],
  ['a year for as long', { ...years, interval_type: 'year', interval_units: 1 }, false],
  ['several dates that are started', { ...years, interval_type: 'year', status: 'initial' }, true],
  [
    'one date that is started',
    {
      start_datetime: '2026-01-01 00:00:00',
      end_datetime: '2026-01-01 00:00:00',
      interval_type: 'day',
      status: 'initial',
    },
    false,
  ],
  ['no dates', { interval_type: 'second', status: 'initial' }, false],
])('decides whether %s would overload a target', (_, written, isTooMuch) => {
  expect(plansTooMuch(written)).toBe(isTooMuch)
})

it('runs the script with every type of interval to its end', () => {
  const updates = scriptedSequences(1)
    .flatMap(({ commands }) => commands)
    .flatMap((command) =>
      command.do === 'update backfill' && command.values.interval_type ? [command.values] : [],
    )
  const short = { start_datetime: '2024-02-29 23:59:59', end_datetime: '2024-03-01 00:00:07' }

  expect(new Set(updates.map((values) => values.interval_type)).size).toBe(8)
  expect(updates.filter((values) => plansTooMuch({ ...short, ...values, status: undefined }))).toEqual([])
})
