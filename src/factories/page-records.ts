import type { WireRecord } from '../resources/resource.ts'
import type { NamesOf } from '../shared/known-names.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import type {
  Counts,
  NewestOptions,
  PagedRecords,
  PageOptions,
  RowOptions,
  SpreadOptions,
  Where,
} from './collection-types.ts'
import type { PageSource } from './page-source.ts'
import { compareValues, readSearch } from './search.ts'
import type { Store } from './store.ts'

type Meant<Of extends RowOptions<WireRecord>> = Of & { readonly where?: Where<WireRecord> | undefined }
type Ordered = readonly WireRecord[]

const rowNames: NamesOf<RowOptions<WireRecord>> = { where: true, search: true, orderBy: true, reverse: true }
const pageNames: NamesOf<PageOptions<WireRecord>> = { ...rowNames, offset: true, limit: true }
const spreadNames: NamesOf<SpreadOptions<WireRecord>> = { ...rowNames, parts: true }
const newestNames: NamesOf<NewestOptions<WireRecord>> = { where: true, limit: true }

/** The last search of each table, for those who go through its pages. */
const lastSearches = new WeakMap<
  Store,
  { readonly revision: number; readonly asked: string; readonly found: Ordered }
>()

/** Returns a page of the records that match, and their total number. */
export function pageOf(
  source: PageSource,
  options: Meant<PageOptions<WireRecord>>,
): PagedRecords<WireRecord> {
  source.checkOptions(options, pageNames)
  const offset = wholeNumber(source, 'offset', options.offset ?? 0, 0, Number.MAX_SAFE_INTEGER)
  const limit = wholeNumber(source, 'limit', options.limit ?? 50, 0, source.most.page)
  const found = select(source, options)
  if (!options.reverse) return { records: found.slice(offset, offset + limit), count: found.length }
  const end = Math.max(0, found.length - offset)
  return { records: found.slice(Math.max(0, end - limit), end).reverse(), count: found.length }
}

/** Returns the number of records for each value of an attribute, in each part of the records found. */
export function spreadOf(
  source: PageSource,
  attribute: string,
  options: Meant<SpreadOptions<WireRecord>>,
): Counts[] {
  source.checkOptions(options, spreadNames)
  source.check([attribute], 'the attribute')
  const parts = wholeNumber(source, 'parts', options.parts ?? 100, 1, source.most.page)
  const found = select(source, options)
  const count = Math.min(parts, found.length)
  const spread = Array.from({ length: count }, () => new Map<string, number>())
  for (const [index, record] of found.entries()) {
    const value = source.textIn(record, attribute)
    const part = spread[Math.floor((index * count) / found.length)]
    part?.set(value, (part.get(value) ?? 0) + 1)
  }
  const counts: Counts[] = spread.map((part) => Object.fromEntries(part))
  return options.reverse ? counts.reverse() : counts
}

/** The last records of each value of an attribute. */
export function newestOf(
  source: PageSource,
  attribute: string,
  options: Meant<NewestOptions<WireRecord>>,
): Record<string, WireRecord[]> {
  source.checkOptions(options, newestNames)
  source.check([attribute], 'the attribute')
  const limit = wholeNumber(source, 'limit', options.limit ?? 1, 1, source.most.page)
  const found = source.having(options.where)
  const newest = new Map<string, WireRecord[]>()
  let told = 0
  for (const record of found.toReversed()) {
    if (told >= source.most.newest) break
    const value = source.textIn(record, attribute)
    const group = newest.get(value)
    if (group === undefined) newest.set(value, [record])
    else if (group.length < limit) group.push(record)
    else continue
    told++
  }
  return Object.fromEntries([...newest].map(([value, group]) => [value, group.reverse()]))
}

/** Returns the records that match, in order. Callers apply `reverse`. */
function select(source: PageSource, options: Meant<RowOptions<WireRecord>>): Ordered {
  const { where, search = '', orderBy = {} } = options
  const order = Object.entries(orderBy).filter(([, direction]) => direction !== undefined)
  const names = order.map(([name]) => name)
  source.check(names, 'orderBy')
  const test = readSearch(search, source)
  const all = source.having(where)
  if (test === undefined && order.length === 0) return all
  const { store } = source
  const { revision } = store
  const asked = JSON.stringify([where, search, order])
  const last = lastSearches.get(store)
  if (last !== undefined && last.revision === revision && last.asked === asked) return last.found
  const kept = test === undefined ? all : all.filter(test)
  const found = order.length === 0 ? kept : kept.toSorted(comparing(source, order))
  lastSearches.set(store, { revision, asked, found })
  return found
}

/** An order by attributes, in turn; what has none of a value comes last, in whichever direction. */
function comparing({ valueIn }: PageSource, order: readonly (readonly [name: string, direction: unknown])[]) {
  return (one: WireRecord, other: WireRecord): number => {
    for (const [name, direction] of order) {
      const [left, right] = [valueIn(one, name) ?? null, valueIn(other, name) ?? null]
      if (left === right) continue
      if (left === null) return 1
      if (right === null) return -1
      const compared = compareValues(left, right)
      if (compared !== 0) return direction === 'desc' ? -compared : compared
    }
    return 0
  }
}

function wholeNumber(source: PageSource, name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `${source.name}: expected ${name} to be a whole number from ${least} to ${most}; found ${JSON.stringify(value)}.`,
  )
}
