import type { WireRecord } from '../resources/resource.ts'
import { checkOptions, type OptionChecks, wholeNumber } from '../shared/check-options.ts'
import * as limits from '../shared/limits.ts'
import { asText, ownValue } from '../shared/values.ts'
import type {
  Counts,
  NewestOptions,
  PagedRecords,
  PageOptions,
  RowOptions,
  SpreadOptions,
  Where,
} from './collection-types.ts'
import { tally, withValues } from './count-records.ts'
import { compareKeys, readSearch, sortKeyOf } from './search.ts'
import { checkAttributes } from './select-records.ts'
import type { Table } from './table.ts'

const rowChecks: OptionChecks<RowOptions<WireRecord>> = {
  where: true,
  search: true,
  orderBy: true,
  reverse: true,
}
const pageChecks: OptionChecks<PageOptions<WireRecord>> = {
  ...rowChecks,
  offset: wholeNumber(0),
  limit: wholeNumber(0, limits.pageRecords),
}
const spreadChecks: OptionChecks<SpreadOptions<WireRecord>> = {
  ...rowChecks,
  parts: wholeNumber(1, limits.pageRecords),
}
const newestChecks: OptionChecks<NewestOptions<WireRecord>> = {
  where: true,
  limit: wholeNumber(1, limits.pageRecords),
}

/** Returns a page of the records that match, and their total number. */
export function pageOf(table: Table, options: PageOptions<WireRecord>): PagedRecords<WireRecord> {
  checkOptions(table.name, options, pageChecks)
  const { offset = 0, limit = 50 } = options
  const found = select(table, options)
  if (!options.reverse) return { records: found.slice(offset, offset + limit), count: found.length }
  const end = Math.max(0, found.length - offset)
  return { records: found.slice(Math.max(0, end - limit), end).reverse(), count: found.length }
}

/** Returns the number of records for each value of an attribute, in each part of the records found. */
export function spreadOf(table: Table, attribute: string, options: SpreadOptions<WireRecord>): Counts[] {
  checkOptions(table.name, options, spreadChecks)
  checkAttributes(table, [attribute], 'the attribute')
  const { parts = 100 } = options
  const found = select(table, options)
  const count = Math.min(parts, found.length)
  const startOf = (part: number) => Math.ceil((part * found.length) / count)
  const slices = Array.from({ length: count }, (_, part) => found.slice(startOf(part), startOf(part + 1)))
  const counts = tally(slices, attribute)
  return options.reverse ? counts.reverse() : counts
}

/** Returns the last records of each value of an attribute. */
export function newestOf(
  table: Table,
  attribute: string,
  options: NewestOptions<WireRecord>,
): Record<string, WireRecord[]> {
  checkOptions(table.name, options, newestChecks)
  checkAttributes(table, [attribute], 'the attribute')
  const { limit = 1 } = options
  const newest = new Map<string, WireRecord[]>()
  let count = 0
  for (const record of having(table, options.where).toReversed()) {
    if (count >= limits.newestRecords) break
    const value = asText(ownValue(record, attribute) ?? null)
    const group = newest.get(value) ?? []
    if (group.length === limit) continue
    newest.set(value, group)
    group.push(record)
    count++
  }
  return Object.fromEntries([...newest].map(([value, group]) => [value, group.reverse()]))
}

/** Returns the records that match, in order. Callers apply `reverse`. */
function select(table: Table, options: RowOptions<WireRecord>): readonly WireRecord[] {
  const { where, search = '', orderBy = {} } = options
  const order = Object.entries(orderBy).filter(([, direction]) => direction !== undefined)
  checkAttributes(
    table,
    order.map(([name]) => name),
    'orderBy',
  )
  const test = readSearch(search, table.attributes)
  const all = having(table, where)
  const selected = test === undefined ? all : all.filter(test)
  return order.length === 0 ? selected : sorted(selected, order)
}

/** Returns the records with these values, by an index if there is one. */
function having(table: Table, where: Where<WireRecord> = {}): readonly WireRecord[] {
  const indexed = Object.keys(where).find((attribute) => table.resource.references?.[attribute])
  const records = indexed === undefined ? table.records() : table.where(indexed, where[indexed])
  return withValues(table, records, where)
}

/** Sorts by attributes, in turn. Records without a value come last, in both directions. */
function sorted(
  records: readonly WireRecord[],
  order: readonly (readonly [name: string, direction: unknown])[],
): WireRecord[] {
  // Once per record: a comparison would write the text again for each pair.
  const keyed = records.map((record) => ({
    record,
    keys: order.map(([name]) => sortKeyOf(ownValue(record, name))),
  }))
  keyed.sort((one, other) => {
    for (const [index, [, direction]] of order.entries()) {
      const [left = null, right = null] = [one.keys[index], other.keys[index]]
      if (left === right) continue
      if (left === null) return 1
      if (right === null) return -1
      const compared = compareKeys(left, right)
      if (compared !== 0) return direction === 'desc' ? -compared : compared
    }
    return 0
  })
  return keyed.map(({ record }) => record)
}
