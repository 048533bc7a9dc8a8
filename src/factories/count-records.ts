import type { WireRecord } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { asText, ownValue } from '../shared/values.ts'
import type { Counts, Where } from './collection-types.ts'
import { checkAttributes, isQuery, type RecordQuery, type Source, selectRecords } from './select-records.ts'

/** Counts the records that have these values, or match a query. */
export function countRecords(source: Source, where: Where<WireRecord> | RecordQuery): number {
  const found = isQuery(where) ? selectRecords(source, where) : withValues(source, source.records(), where)
  return found.length
}

/** Counts the records with each value of an attribute. */
export function countRecordsBy(source: Source, attribute: string, where: Where<WireRecord> = {}): Counts {
  checkAttributes(source, [attribute], 'the attribute')
  const [counts = {}] = tally([withValues(source, source.records(), where)], attribute)
  return counts
}

/**
 * Counts the records of each part by the value of an attribute.
 *
 * @throws UnderstudyError if it has too many values.
 */
export function tally(parts: readonly (readonly WireRecord[])[], attribute: string): Counts[] {
  let size = 0
  return parts.map((records) => {
    const counts = new Map<string, number>()
    for (const record of records) {
      const value = asText(ownValue(record, attribute) ?? null)
      const before = counts.get(value)
      if (before === undefined && ++size > limits.countedValues)
        throw new UnderstudyError(
          'ARGUMENT_INVALID',
          `Expected an attribute with at most ${limits.countedValues} values to count; ${attribute} has more.`,
        )
      counts.set(value, (before ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  })
}

/** Selects the records that have these values. */
export function withValues(
  source: Source,
  records: readonly WireRecord[],
  where: Where<WireRecord>,
): readonly WireRecord[] {
  const wanted = Object.entries(where).filter(([, value]) => value !== undefined)
  checkAttributes(
    source,
    wanted.map(([name]) => name),
    'the filter',
  )
  if (wanted.length === 0) return records
  return records.filter((record) => wanted.every(([name, value]) => isSame(ownValue(record, name), value)))
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other)
}
