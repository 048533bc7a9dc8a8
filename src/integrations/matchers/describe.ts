import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import type { Comparison } from './compare.ts'
import type { Miss } from './pattern.ts'
import type { MatcherContext } from './types.ts'

const most = 20

/** One request in a line: `PUT /api/backfills/7 (updateBackfill, main, #3, 200)`. */
export function toLine({ method, path, operation, world, sequence, status }: JournalEntry): string {
  return `${method} ${path} (${operation ?? 'no operation'}, ${world}, #${sequence}, ${status})`
}

export function toLines(requests: readonly JournalEntry[]): string {
  const lines = requests.slice(0, most).map(toLine)
  if (requests.length > most) lines.push(`and ${requests.length - most} more`)
  return lines.join('\n')
}

/** Lists the received operations with counts, in the order of their first requests. */
export function toCounts(requests: readonly JournalEntry[]): string {
  const counts = new Map<string, number>()
  for (const { operation = 'no operation' } of requests)
    counts.set(operation, (counts.get(operation) ?? 0) + 1)
  return [...counts].map(([operation, count]) => `${operation} (${count})`).join(', ') || 'nothing'
}

/** Describes the received requests, if the expected one is missing. */
export function describeOthers(where: string, requests: readonly JournalEntry[]): string {
  return `Received ${where}: ${toCounts(requests)}. If the app sends the request later, wait for it first, such as with vi.waitFor.`
}

/** Describes a request that does not match, and its differences. */
export function toDiff(context: MatcherContext, { request, comparison }: Miss): string {
  return [toLine(request), '', printDiff(context, comparison)].join('\n')
}

export function printDiff(
  { utils }: MatcherContext,
  { expected, received }: Pick<Comparison, 'expected' | 'received'>,
): string {
  // Neither runner has a diff for every pair of values.
  return (
    utils.diff(expected, received) ||
    `Expected: ${utils.printExpected(expected)}\nReceived: ${utils.printReceived(received)}`
  )
}
