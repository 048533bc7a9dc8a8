import { expect, it } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { worldOf } from '../src/integrations/playwright/open-there.ts'

it.each([
  [
    'an id of Playwright',
    'a30a6eba6312f6b87ea5-8a2d7f3b1c9e4d5f6a7b',
    'test-a30a6eba6312f6b87ea5-8a2d7f3b1c9e4d5f6a7b-0',
  ],
  ['one that is too long', `${'a'.repeat(60)}-repeat1`, `test-${'a'.repeat(42)}-repeat1-0`],
  ['one of other letters', 'größe', 'test-gr--e-0'],
])('names a world by %s', (_, testId, name) => {
  expect(worldOf({ testId, retry: 0 })).toBe(name)
  expect(createUnderstudy().worlds.create(worldOf({ testId, retry: 0 })).name).toBe(name)
  expect(worldOf({ testId, retry: 1 })).not.toBe(name)
})
