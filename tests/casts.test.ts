import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countCasts } from './support/count-casts.ts'

const source = join(import.meta.dirname, '../src')

it('counts casts and non-null assertions, but not `as const`', () => {
  const text = "const one = list[0]!\nconst other = one as unknown as Text\nconst names = ['a'] as const"

  expect(countCasts('sample.ts', text)).toEqual({ casts: 2, nonNull: 1 })
})

it('has no more casts and non-null assertions in `src` than the ceiling allows', () => {
  const counts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, ...countCasts(file, readFileSync(join(source, file), 'utf8')) }))
  const total = (name: 'casts' | 'nonNull') => counts.reduce((sum, count) => sum + count[name], 0)
  const most = counts
    .toSorted((one, other) => other.casts + other.nonNull - one.casts - one.nonNull)
    .slice(0, 10)
    .map(({ file, casts, nonNull }) => `${file}: ${casts} casts, ${nonNull} non-null`)
    .join('\n')

  expect(counts.length).toBeGreaterThan(100)
  expect(total('casts'), most).toBeLessThanOrEqual(59)
  expect(total('nonNull'), most).toBeLessThanOrEqual(13)
})
