import type { AsymmetricPattern } from './types.ts'

/** How far a value is from what is expected of it, and both sides of that: only what was asked about. */
export interface Comparison {
  readonly differences: number
  readonly expected: unknown
  readonly received: unknown
}

/** How scalars are compared: as the JSON values they are, or as the text that paths, queries and headers consist of. */
export type Scalars = 'values' | 'text'

/** Compares a value with what is expected of it: an object may have more, an array may not. */
export function compare(expected: unknown, received: unknown, scalars: Scalars = 'values'): Comparison {
  // A matcher that fits is shown as what it fits, so that a diff has nothing to say about it.
  if (isAsymmetric(expected)) {
    return expected.asymmetricMatch(received) ? same(received) : different(expected, received)
  }
  if (Array.isArray(expected)) {
    // A parameter that is given once is a text, however many there might have been.
    const items = scalars === 'text' && typeof received === 'string' ? [received] : received
    return Array.isArray(items) ? compareItems(expected, items, scalars) : different(expected, received)
  }
  if (isObject(expected)) {
    return isObject(received) ? compareObjects(expected, received, scalars) : different(expected, received)
  }
  const wanted = scalars === 'text' && expected !== undefined ? String(expected) : expected
  return wanted === received ? same(received) : different(wanted, received)
}

/** Tells objects with attributes from arrays, dates and the like, in whichever realm they were made. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

export function isAsymmetric(value: unknown): value is AsymmetricPattern {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  )
}

/** Joins comparisons under names; what is absent on a side is left out there. */
export function joinNamed(parts: readonly (readonly [name: string, part: Comparison])[]): Comparison {
  const side = (name: 'expected' | 'received') =>
    Object.fromEntries(
      parts.flatMap(([key, part]) => (part[name] === undefined ? [] : [[key, part[name]] as const])),
    )
  return {
    differences: parts.reduce((sum, [, part]) => sum + part.differences, 0),
    expected: side('expected'),
    received: side('received'),
  }
}

function compareObjects(
  expected: Record<string, unknown>,
  received: Record<string, unknown>,
  scalars: Scalars,
): Comparison {
  return joinNamed(
    Object.entries(expected).map(([name, value]) => [
      name,
      compare(value, Object.hasOwn(received, name) ? received[name] : undefined, scalars),
    ]),
  )
}

function compareItems(expected: readonly unknown[], received: readonly unknown[], scalars: Scalars) {
  const common = expected.slice(0, received.length)
  const parts = common.map((item, index) => compare(item, received[index], scalars))
  const missing = expected.slice(common.length)
  const missed = missing.reduce((sum: number, item) => sum + Math.max(1, count(item)), 0)
  const further = received.slice(common.length)
  return {
    differences: parts.reduce((sum, part) => sum + part.differences, missed + further.length),
    expected: [...parts.map((part) => part.expected), ...missing],
    received: [...parts.map((part) => part.received), ...further],
  }
}

function same(value: unknown): Comparison {
  return { differences: 0, expected: value, received: value }
}

function different(expected: unknown, received: unknown): Comparison {
  return { differences: Math.max(1, count(expected)), expected, received }
}

/** How many scalars are expected: so a body that is missing is further off than one with a wrong attribute. */
function count(expected: unknown): number {
  if (isAsymmetric(expected) || typeof expected !== 'object' || expected === null) return 1
  return Object.values(expected).reduce((sum: number, value) => sum + count(value), 0)
}
