import { CronDate, CronPattern } from 'croner'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextOfLine, readLine } from '../src/shared/cron-line.ts'
import { samples } from './support/depth.ts'

/** A field of a cron line: any, a value, a range, steps or a list. */
function field(least: number, most: number): fc.Arbitrary<string> {
  const value = fc.integer({ min: least, max: most })
  const range = fc
    .tuple(value, value)
    .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`)
  const steps = fc.tuple(fc.constantFrom('*', `${least}-${most}`), fc.integer({ min: 1, max: most }))
  const plain = [value.map(String), range, steps.map(([from, step]) => `${from}/${step}`)] as const
  const list = fc.array(fc.oneof(...plain), { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    list.map((parts) => parts.join(',')),
  )
}

const text = fc
  .tuple(
    fc.option(field(0, 59), { nil: undefined }),
    field(0, 59),
    field(0, 23),
    fc.oneof(field(1, 31), fc.constantFrom('?', '29', '30', '31')),
    fc.oneof(field(1, 12), fc.constantFrom('FEB', 'JAN', 'jan-mar', 'Dec')),
    fc.oneof(field(0, 7), fc.constantFrom('?', 'MON-FRI', 'FRI-SUN', 'SUN-TUE', 'sat,SUN')),
  )
  .map((fields) => fields.filter((each) => each !== undefined).join(' '))
const time = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2500, 0, 1) })

it('finds the same times as croner', () => {
  fc.assert(
    fc.property(text, time, (written, after) => {
      const line = readLine(written)
      const options = { mode: '5-or-6-parts', utcOffset: 0 } as const
      const pattern = new CronPattern(written, undefined, options)
      const found = new CronDate(new Date(after), 0).increment(pattern, options, true)
      const next = typeof line === 'string' ? undefined : nextOfLine(line, after)
      expect([written, next]).toEqual([written, found?.getTime()])
    }),
    { seed: 1, numRuns: samples(3000) },
  )
})

it.each([
  ['0 0 29 2 *', '2096-02-29T00:00:00Z', '2104-02-29T00:00:00.000Z'],
  ['* * * * *', '3500-01-01T00:00:00Z', '3500-01-01T00:01:00.000Z'],
  ['0 0 13 * 5', '2026-01-03T00:00:00Z', '2026-01-09T00:00:00.000Z'],
  ['59 59 23 31 12 *', '2026-12-31T23:59:58.999Z', '2026-12-31T23:59:59.000Z'],
  ['* * * * * *', '2026-12-31T23:59:59.001Z', '2027-01-01T00:00:00.000Z'],
])('finds of %s after %s the time %s', (written, after, expected) => {
  const line = readLine(written)

  expect(typeof line !== 'string' && new Date(nextOfLine(line, Date.parse(after))!).toISOString()).toBe(
    expected,
  )
})

it.each(['0 0 30 2 *', '0 0 31 2,4,6,9,11 *'])('rejects %s, which matches no date', (written) => {
  expect(readLine(written)).toBe('it names no date of the calendar')
})

it.each([
  ['5/15 * * * *', 'Invalid value for minute: 5/15'],
  ['*/0 * * * *', 'Invalid value for minute: */0'],
  ['5-1 * * * *', 'Invalid value for minute: 5-1'],
  ['1, * * * *', 'Invalid value for minute: 1,'],
  ['0 0 0 * *', 'Invalid value for day: 0'],
  ['0 0 * january *', 'Invalid value for month: january'],
  ['0 0 L * *', 'Invalid value for day: L'],
  ['0x1 * * * *', 'Invalid value for minute: 0x1'],
  ['0 0 * * 1#2', 'it has characters that no line has'],
])('rejects %s with the reason', (written, reason) => {
  expect(readLine(written)).toBe(reason)
})
