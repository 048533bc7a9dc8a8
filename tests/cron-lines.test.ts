import { CronDate } from 'croner'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextOfLine, readLine } from '../src/shared/cron-line.ts'
import { samples } from './support/depth.ts'

/** A field of a cron line: any, a value, a range, steps or a list, and what a field takes besides. */
function field(
  least: number,
  most: number,
  ...others: readonly fc.Arbitrary<string>[]
): fc.Arbitrary<string> {
  const value = fc.integer({ min: least, max: most })
  const range = fc
    .tuple(value, value)
    .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`)
  const steps = fc.tuple(fc.constantFrom('*', `${least}-${most}`), fc.integer({ min: 1, max: most }))
  const plain = [value.map(String), range, steps.map(([from, step]) => `${from}/${step}`)] as const
  const list = fc.array(fc.oneof(...plain, ...others), { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    list.map((parts) => parts.join(',')),
  )
}

const day = fc.integer({ min: 1, max: 31 })
const weekday = fc.integer({ min: 0, max: 7 })
const ofMonth = field(
  1,
  31,
  fc.constant('L'),
  day.map((each) => `${each}W`),
)
const ofWeek = field(
  0,
  7,
  weekday.map((each) => `${each}L`),
  fc.tuple(weekday, fc.integer({ min: 1, max: 5 })).map(([each, nth]) => `${each}#${nth}`),
)
const text = fc
  .tuple(
    fc.option(field(0, 59), { nil: undefined }),
    field(0, 59),
    field(0, 23),
    fc.oneof(ofMonth, fc.constantFrom('LW', 'L', '?', '29', '30', '31')),
    field(1, 12, fc.constantFrom('FEB', 'JAN')),
    fc.oneof(
      ofWeek,
      ofWeek.map((each) => `+${each}`),
      fc.constant('MON-FRI'),
    ),
  )
  .map((fields) => fields.filter((each) => each !== undefined).join(' '))
const time = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2500, 0, 1) })

it('finds the same times as the search of the library with a time zone', () => {
  fc.assert(
    fc.property(text, time, (written, after) => {
      const line = readLine(written)
      fc.pre(typeof line !== 'string')
      const found = new CronDate(new Date(after), 0).increment(
        line,
        { mode: '5-or-6-parts', utcOffset: 0 },
        true,
      )
      expect([written, nextOfLine(line, after)]).toEqual([written, found?.getTime()])
    }),
    { seed: 1, numRuns: samples(3000) },
  )
})

it.each([
  ['0 0 29 2 *', '2096-02-29T00:00:00Z', '2104-02-29T00:00:00.000Z'],
  ['0 0 29 2 +1', '2072-02-29T00:00:00Z', '2112-02-29T00:00:00.000Z'],
  ['0 0 1W * *', '2026-08-01T00:00:00Z', '2026-08-03T00:00:00.000Z'],
  ['0 0 31W * *', '2026-05-01T00:00:00Z', '2026-05-29T00:00:00.000Z'],
  ['0 0 29W 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['* * * * *', '3500-01-01T00:00:00Z', '3500-01-01T00:01:00.000Z'],
  ['0 0 L * *', '2028-02-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 LW * *', '2026-02-01T00:00:00Z', '2026-02-27T00:00:00.000Z'],
  ['0 0 * * 5L', '2026-01-01T00:00:00Z', '2026-01-30T00:00:00.000Z'],
  ['0 0 * * 1#5', '2026-01-01T00:00:00Z', '2026-03-30T00:00:00.000Z'],
  ['0 0 13 * 5', '2026-01-03T00:00:00Z', '2026-01-09T00:00:00.000Z'],
  ['0 0 13 * +5', '2026-01-03T00:00:00Z', '2026-02-13T00:00:00.000Z'],
  ['30 2 * * 1-5', '2026-02-27T12:00:00Z', '2026-03-02T02:30:00.000Z'],
  ['0 6 * * MON', '2026-03-02T06:00:00Z', '2026-03-09T06:00:00.000Z'],
  ['59 59 23 31 12 *', '2026-12-31T23:59:58.999Z', '2026-12-31T23:59:59.000Z'],
  ['* * * * * *', '2026-12-31T23:59:59.001Z', '2027-01-01T00:00:00.000Z'],
])('finds of %s after %s the time %s', (written, after, expected) => {
  const line = readLine(written)

  expect(typeof line !== 'string' && new Date(nextOfLine(line, Date.parse(after))!).toISOString()).toBe(
    expected,
  )
})

it.each(['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '0 0 31W 2 *'])(
  'rejects %s, which matches no date',
  (written) => {
    expect(readLine(written)).toBe('it names no date of the calendar')
  },
)
