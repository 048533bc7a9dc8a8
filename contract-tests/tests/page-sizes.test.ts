import { expect, it } from 'vitest'
import { PageSizes } from '../runner/page-sizes.ts'

it('accepts a shorter page as the maximum of the target', () => {
  const sizes = new PageSizes()

  expect(sizes.fits(1, 1)).toBe(true)
  expect(sizes.fits(5, 2)).toBe(true)
  expect(sizes.fits(2, 2)).toBe(true)
  expect(sizes.fits(4, 2)).toBe(true)
})

it('rejects a second maximum', () => {
  const sizes = new PageSizes()

  expect(sizes.fits(3, 2)).toBe(true)
  expect(sizes.fits(4, 3)).toBe(false)
})

it('rejects a maximum below the size of an earlier page', () => {
  const sizes = new PageSizes()

  expect(sizes.fits(4, 4)).toBe(true)
  expect(sizes.fits(5, 3)).toBe(false)
})

it('rejects a page above the requested size, and an empty one that is not the last', () => {
  const sizes = new PageSizes()

  expect(sizes.fits(2, 3)).toBe(false)
  expect(sizes.fits(2, 0)).toBe(false)
})
