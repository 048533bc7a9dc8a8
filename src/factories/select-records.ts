import { Query } from '@msw/data'
import type { WireRecord } from '../resources/resource.ts'
import { checkOptions, type OptionChecks, wholeNumber } from '../shared/check-options.ts'
import { quote } from '../shared/errors.ts'
import { suggest } from '../shared/suggest.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import type { FirstOptions, Predicate, SelectionOptions } from './collection-types.ts'

/** A query of the library, or a function that creates one from an empty query. */
export type RecordQuery = Predicate<WireRecord>

/** Source of records to select from. */
export interface Source {
  /** Name of the records in messages. */
  readonly name: string
  /** The attributes of the records; `undefined` if they may have any. */
  readonly attributes: readonly string[] | undefined
  records(): readonly WireRecord[]
  /** Returns the key of a record. */
  keyOf(record: WireRecord): string
}

const selectionChecks: OptionChecks<SelectionOptions<WireRecord>> = {
  cursor: true,
  skip: wholeNumber(0),
  take: true,
  orderBy: true,
  strict: true,
}

/** Selects records by the library's own query language. */
export function selectRecords(
  source: Source,
  predicate?: RecordQuery,
  options: SelectionOptions<WireRecord> = {},
): WireRecord[] {
  const { name } = source
  const records = source.records()
  checkOptions(name, options, selectionChecks)
  const { cursor, skip = 0, take = Number.POSITIVE_INFINITY, orderBy, strict } = options
  const query = toQuery(source, predicate)
  const criteria = [orderBy ?? []].flat()
  for (const each of criteria) checkAttributes(source, Object.keys(each), 'orderBy')
  const selected: WireRecord[] = []
  const step = take < 0 ? -1 : 1
  let index = step === 1 ? 0 : records.length - 1
  if (cursor !== undefined)
    index = records.findIndex((record) => source.keyOf(record) === source.keyOf(cursor))
  let skipped = 0
  for (; selected.length < Math.abs(take); index += step) {
    const record = records[index]
    if (record === undefined) break
    if (query !== undefined && !query.test(record)) continue
    if (skipped < skip) skipped++
    else selected.push(record)
  }
  if (strict && selected.length === 0) {
    throw new UnderstudyError(
      'NOT_FOUND',
      `${name}: expected a record that matches the query, which is strict; found none.`,
    )
  }
  for (const each of criteria.reverse()) {
    selected.sort((one, other) => compareBy(each, one, other))
  }
  return selected
}

/** Selects the first record; by its key, if the predicate is a record. */
export function selectFirst(
  source: Source,
  predicate: RecordQuery | WireRecord | undefined,
  { strict }: FirstOptions = {},
): WireRecord | undefined {
  if (!isRecord(predicate)) return selectRecords(source, predicate, { strict, take: 1 })[0]
  const key = source.keyOf(predicate)
  return selectRecords(source, new Query((record) => source.keyOf(record) === key), { strict, take: 1 })[0]
}

/** Reports whether a condition is a record, not a query. */
function isRecord(predicate: RecordQuery | WireRecord | undefined): predicate is WireRecord {
  return typeof predicate === 'object' && !(predicate instanceof Query)
}

/** @throws UnderstudyError for an object of values, which only `count` takes. */
function toQuery(source: Source, predicate: RecordQuery | undefined) {
  if (predicate !== undefined && !isQuery(predicate)) refuseValues(source, predicate)
  if (typeof predicate !== 'function') return predicate
  return predicate(source.attributes === undefined ? new Query() : new CheckedQuery(source))
}

/** Reports whether a condition is a query, not values. */
export function isQuery(where: unknown): where is RecordQuery {
  return typeof where === 'function' || where instanceof Query
}

function refuseValues({ name }: Source, found: unknown): never {
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `${name}: expected a query such as (q) => q.where({ id: 1 }); found ${quote(found)}.`,
  )
}

/** Condition of a query on a record. */
type Condition = Parameters<Query<WireRecord>['and']>[number]

/** Condition of a query that is not a query itself. */
export type PlainCondition = Parameters<Query<WireRecord>['where']>[0]

/** Query that rejects unknown attributes. The library would find nothing. */
class CheckedQuery extends Query<WireRecord> {
  readonly #source: Source

  constructor(source: Source, predicate?: (record: WireRecord) => unknown) {
    super(predicate)
    this.#source = source
  }

  override where(condition: PlainCondition): Query<WireRecord> {
    return this.#checked([condition], super.where(condition))
  }

  override and(...conditions: Condition[]): Query<WireRecord> {
    return this.#checked(conditions, super.and(...conditions))
  }

  override or(...conditions: Condition[]): Query<WireRecord> {
    return this.#checked(conditions, super.or(...conditions))
  }

  #checked(conditions: readonly Condition[], query: Query<WireRecord>): Query<WireRecord> {
    for (const condition of conditions) {
      if (typeof condition === 'function' || condition instanceof Query) continue
      checkAttributes(this.#source, Object.keys(condition), 'the query')
    }
    return new CheckedQuery(this.#source, (record) => query.test(record))
  }
}

/** Refuses a name that is no attribute: no record would match, and it would determine no order. */
export function checkAttributes(
  { name, attributes }: Pick<Source, 'name' | 'attributes'>,
  requested: readonly string[],
  place: string,
): void {
  if (attributes === undefined) return
  const [unknown] = requested.filter((attribute) => !attributes.includes(attribute)).map(String)
  if (unknown === undefined) return
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `${name}: expected one of ${attributes.join(', ')} in ${place}; found ${quote(unknown)}.${suggest(unknown, attributes)}`,
  )
}

/** Returns the member of a value that may be a record. It may have any type. */
function valueIn(value: unknown, name: string): string | number {
  return Reflect.get(Object(value), name)
}

/** Compares by each named attribute, in turn. */
function compareBy(criteria: object, one: unknown, other: unknown): number {
  for (const [name, direction] of Object.entries(criteria)) {
    const left = valueIn(one, name)
    const right = valueIn(other, name)
    if (typeof direction === 'object') {
      const order = compareBy(direction, left, right)
      if (order !== 0) return order
    } else if (left > right) return direction === 'asc' ? 1 : -1
    else if (left < right) return direction === 'asc' ? -1 : 1
  }
  return 0
}
