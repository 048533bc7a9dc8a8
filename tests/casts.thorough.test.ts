import { expect, it } from 'vitest'
import { root } from './support/root.ts'

interface Cast {
  readonly kind: 'cast' | 'non-null'
  readonly path: string
  readonly source: string
}

// @ts-expect-error Scripts have no types.
const { findCasts } = (await import('../lab/measure/count-casts.mjs')) as {
  findCasts(root: string, folders: readonly string[]): readonly Cast[]
}

const casts = findCasts(root, ['src'])

it.each([
  ['cast', 59],
  ['non-null', 13],
])('has no more of each %s in `src` than the ceiling allows', (kind, ceiling) => {
  const found = casts.filter((cast) => cast.kind === kind)
  const list = found.map(({ path, source }) => `${path}: ${source}`).join('\n')

  expect(found.length, list).toBeLessThanOrEqual(ceiling)
  expect(found.length).toBeGreaterThan(0)
})
