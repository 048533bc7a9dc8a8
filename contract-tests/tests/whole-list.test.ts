import { expect, it } from 'vitest'
import type { Exchange } from '../runner/client.ts'
import { readWhole } from '../runner/whole-list.ts'

/** Answers like a server that puts two of five backfills on a page, whatever the limit. */
function pages(requested: string[], next: (end: number) => boolean) {
  return async (path: string): Promise<Exchange> => {
    requested.push(path)
    const start = Number(/_offset=(\d+)/.exec(path)?.[1] ?? 0)
    const backfills = [1, 2, 3, 4, 5].slice(start, start + 2).map((id) => ({ id }))
    // Of an exchange only its body is read.
    return { body: { backfills, metadata: { count: 5, next: next(start + 2) } } } as unknown as Exchange
  }
}

it('reads a list to its end with pages of any size', async () => {
  const requested: string[] = []
  const list = await readWhole(
    pages(requested, (end) => end < 5),
    '/api/backfills?pipeline_uuid=a',
    'backfills',
  )

  expect(list?.records.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  expect(list?.isWhole).toBe(true)
  expect(requested).toEqual([
    '/api/backfills?pipeline_uuid=a',
    '/api/backfills?pipeline_uuid=a&_limit=100&_offset=2',
    '/api/backfills?pipeline_uuid=a&_limit=100&_offset=4',
  ])
})

it('ends at an empty page, and returns the page before it', async () => {
  const list = await readWhole(
    pages([], () => true),
    '/api/backfills',
    'backfills',
  )

  expect(list?.records).toHaveLength(5)
  expect(list?.last.body).toMatchObject({ backfills: [{ id: 5 }], metadata: { next: true } })
})
