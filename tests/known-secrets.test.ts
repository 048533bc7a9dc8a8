import { expect, it } from 'vitest'
import { KnownSecrets } from '../src/shared/known-secrets.ts'

it('finds overlapping occurrences of a value as one span, and values that overlap each other', () => {
  const secrets = new KnownSecrets<string>(3)
  for (const value of ['xxxx', 'key-abc', 'abc-def', 'abab']) secrets.set(value, value)
  const placesIn = (text: string) => secrets.findIn(text).map(({ start, end }) => [start, end])

  expect(placesIn('x'.repeat(10))).toEqual([[0, 10]])
  expect(placesIn('ababab, abab')).toEqual([
    [0, 6],
    [8, 12],
  ])
  expect(placesIn('key-abc-def')).toEqual([
    [0, 7],
    [4, 11],
  ])
})
