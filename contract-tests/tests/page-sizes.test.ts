import { expect, it } from 'vitest'
import { PageSizes } from '../runner/page-sizes.ts'

it.each<[string, readonly (readonly [asked: number, got: number, fits: boolean])[]]>([
  ['a shorter page as the maximum of the target', [[1, 1, true], [5, 2, true], [2, 2, true], [4, 2, true]]],
  ['no second maximum', [[3, 2, true], [4, 3, false]]],
  ['no maximum below the size of an earlier page', [[4, 4, true], [5, 3, false]]],
  ['no page above the requested size, and no empty one that is not the last', [[2, 3, false], [2, 0, false]]],
])('accepts %s', (_, pages) => {
  const sizes = new PageSizes()

  expect(pages.map(([limit, got]) => sizes.fits(limit, got))).toEqual(pages.map(([, , fits]) => fits))
}) // biome-ignore format: one case a line
