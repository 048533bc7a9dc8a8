import { expect, it } from 'vitest'
import { PageSizes } from '../runner/page-sizes.ts'

it('takes a page that is shorter than was asked for the maximum of the target', () => {
  const sizes = new PageSizes()

  expect(sizes.fits(1, 1)).toBe(true)
  expect(sizes.fits(5, 2)).toBe(true)
  expect(sizes.fits(2, 2)).toBe(true)
  expect(sizes.fits(4, 2)).toBe(true)
})

it('takes no second maximum', () => {
  const sizes = new PageSizes()

  expect(sizes.fits(3, 2)).toBe(true)
  expect(sizes.fits(4, 3)).toBe(false)
})

it('takes no maximum below a page that was there', () => {
  const sizes = new PageSizes()

  expect(sizes.fits(4, 4)).toBe(true)
  expect(sizes.fits(5, 3)).toBe(false)
})

it('takes no page beyond what was asked, and none that is empty and goes on', () => {
  const sizes = new PageSizes()

  expect(sizes.fits(2, 3)).toBe(false)
  expect(sizes.fits(2, 0)).toBe(false)
})
