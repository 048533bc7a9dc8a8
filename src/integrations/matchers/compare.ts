import type { AsymmetricPattern } from './types.ts'

/** The distance between a value and the expected one, and both values, reduced to the expected parts. */
export interface Comparison {
  readonly differences: number
  readonly expected: unknown
  readonly received: unknown
}

/** Comparison of scalars: as JSON values, or as text (paths, queries and headers). */
export type Scalars = 'values' | 'text'

/** Compares a value with the expected one. Objects may have additional attributes, arrays no additional elements. */
export function compare(expected: unknown, received: unknown, scalars: Scalars = 'values'): Comparison {
  // Shows a matching asymmetric matcher as the received value, so that a diff does not list it.
  if (isAsymmetric(expected)) {
    return expected.asymmetricMatch(received) ? same(received) : different(expected, received)
  }
  if (Array.isArray(expected)) {
    // A single query parameter is a text, not an array.
    const items = scalars === 'text' && typeof received === 'string' ? [received] : received
    return Array.isArray(items) ? compareItems(expected, items, scalars) : different(expected, received)
  }
  if (isObject(expected)) {
    return isObject(received) ? compareObjects(expected, received, scalars) : different(expected, received)
  }
  const wanted = scalars === 'text' && expected !== undefined ? String(expected) : expected
  return wanted === received ? same(received) : different(wanted, received)
}

/** Distinguishes plain objects from arrays, dates and similar values of any realm. */
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

/** Combines comparisons under names. Omits a part on the side where it is absent. */
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

/** Counts the expected scalars, so that a missing body is farther away than one with a wrong attribute. */
function count(expected: unknown): number {
  if (isAsymmetric(expected) || typeof expected !== 'object' || expected === null) return 1
  return Object.values(expected).reduce((sum: number, value) => sum + count(value), 0)
}
