import { expect, it } from 'vitest'
import { TargetClock } from '../model-based/target-clock.ts'

it.each([
  ['in UTC', '2024-07-01 10:30:00', '2024-07-01 08:30:00.000000+00:00', true],
  ['an hour later, in summer time', '2024-07-01 10:30:00', '2024-07-01 07:30:00.000000+00:00', true],
  ['unchanged', '2024-07-01 10:30:00', '2024-07-01 10:30:00.000000+00:00', true],
  ['without its minutes', '2024-07-01 10:31:00', '2024-07-01 08:00:00.000000+00:00', false],
  ['without its seconds', '2024-07-01 10:30:59', '2024-07-01 08:30:00.000000+00:00', false],
])('compares a date that a list shows %s', (_, written, listed, isSame) => {
  const clock = new TargetClock()
  // A creation shows that short timestamps are two hours ahead of UTC.
  clock.isSame('2024-02-01 12:00:00', '2024-02-01 10:00:00.000000+00:00')

  expect(clock.isSameDate(listed, written)).toBe(isSame)
})
