import { isPromise } from '../../shared/built-ins.ts'
import { quote } from '../../shared/errors.ts'
import { hidden } from '../../shared/hidden.ts'
import { isCredential } from '../../shared/secret-names.ts'
import { expectedName, noSuch } from '../../shared/suggest.ts'
import { isNested } from '../../shared/values.ts'
import { type Comparison, compare, isAsymmetric, isObject, joinNamed } from './compare.ts'
import { refuse } from './refuse.ts'
import type { Changed, Difference, DifferenceFrom, ExpectedDifference, MatcherResult } from './types.ts'

const matcher = 'toHaveChanged'
const kinds = ['created', 'updated', 'deleted'] as const

/** Calls a function with the difference of the state, asynchronously for a client. */
export function readDifference(
  received: unknown,
  expected: ExpectedDifference,
  from: DifferenceFrom | undefined,
  conclude: (difference: Difference) => MatcherResult,
): MatcherResult | Promise<MatcherResult> {
  if (!hasDifference(received))
    refuse(matcher, 'expected a mock, a world or a client as the argument of expect.')
  if (!isObject(expected))
    refuse(
      matcher,
      `expected an object of resources, such as { backfills: { deleted: 1 } }; found ${quote(expected)}.`,
    )
  const read = (difference: Difference) => {
    checkExpected(expected, Object.keys(difference))
    return conclude(difference)
  }
  const difference = received.diff(from)
  return isPromise(difference) ? difference.then(read) : read(difference)
}

export function compareDifference(expected: ExpectedDifference, difference: Difference): Comparison {
  const compared = Object.entries(expected).map(([plural, changes = {}]): [string, Comparison] => [
    plural,
    joinNamed(
      kinds.flatMap((kind) => {
        const wanted = changes[kind]
        return wanted === undefined ? [] : [[kind, compareRecords(wanted, difference[plural]?.[kind] ?? [])]]
      }),
    ),
  ])
  return joinNamed(compared)
}

/** Describes the number of changed records of each resource in one line; empty if nothing changed. */
export function describeDifference(difference: Difference): string {
  const parts = Object.entries(difference).flatMap(([plural, changes]) => {
    const counts = kinds.flatMap((kind) =>
      changes[kind].length === 0 ? [] : `${changes[kind].length} ${kind}`,
    )
    return counts.length === 0 ? [] : `${plural} (${counts.join(', ')})`
  })
  return parts.join(', ')
}

/** Compares records with a count, or with one pattern for each of them in any order. */
function compareRecords(wanted: unknown, records: readonly unknown[]): Comparison {
  if (typeof wanted === 'number') return compare(wanted, records.length)
  return compare(wanted, Array.isArray(wanted) ? arrange(wanted, records) : records)
}

/** Returns the records, each in the place of its pattern: the one that fits, or the nearest. */
function arrange(patterns: readonly unknown[], records: readonly unknown[]): unknown[] {
  const distances = patterns.map((pattern) => records.map((record) => compare(pattern, record).differences))
  const patternOf = new Map<number, number>()
  /** Finds a fitting record for a pattern; a pattern that has it already takes another one. */
  const place = (pattern: number, tried: Set<number>): boolean =>
    records.some((_, index) => {
      if (distances[pattern]?.[index] !== 0 || tried.has(index)) return false
      tried.add(index)
      const other = patternOf.get(index)
      if (other !== undefined && !place(other, tried)) return false
      patternOf.set(index, pattern)
      return true
    })
  const missed = [...patterns.keys()].filter((pattern) => !place(pattern, new Set()))
  for (const pattern of missed) {
    const free = [...records.keys()].filter((index) => !patternOf.has(index))
    const [nearest] = free.toSorted(
      (one, other) => (distances[pattern]?.[one] ?? 0) - (distances[pattern]?.[other] ?? 0),
    )
    if (nearest !== undefined) patternOf.set(nearest, pattern)
  }
  const order = (index: number) => patternOf.get(index) ?? records.length
  const arranged = [...records.keys()].toSorted((one, other) => order(one) - order(other))
  return arranged.map((index) => records[index])
}

/** Replaces credentials in the compared values of a message. */
export function withoutSecrets(value: unknown): unknown {
  if (isAsymmetric(value)) return value
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    isAsymmetric(inner) || !isCredential(name, inner) ? withoutSecrets(inner) : hideCredential(inner),
  ])
  return Object.fromEntries(members)
}

/** Hides a credential; of a changed one, the previous and the present value. */
function hideCredential(value: unknown): unknown {
  if (!isObject(value)) return hidden
  return Object.fromEntries(Object.keys(value).map((side) => [side, hidden]))
}

function checkExpected(expected: ExpectedDifference, plurals: readonly string[]): void {
  for (const [plural, changes] of Object.entries(expected)) {
    if (!plurals.includes(plural)) refuse(matcher, noSuch('resource', plural, plurals))
    if (changes === undefined) continue
    if (!isObject(changes)) refuse(matcher, `${plural}: expected an object with ${kinds.join(', ')}.`)
    for (const [kind, wanted] of Object.entries(changes)) {
      if (!kinds.some((known) => known === kind))
        refuse(matcher, `${plural}: expected ${expectedName('key', kind, kinds)}; found ${quote(kind)}.`)
      const isCount = Number.isInteger(wanted) && Number(wanted) >= 0
      if (wanted !== undefined && !(isCount || Array.isArray(wanted) || isAsymmetric(wanted)))
        refuse(matcher, `${plural}.${kind}: expected a number of records, or a list with a pattern for each.`)
    }
  }
}

function hasDifference(received: unknown): received is Changed {
  const isHolder = isNested(received) || typeof received === 'function'
  return isHolder && 'diff' in received && typeof received.diff === 'function'
}
