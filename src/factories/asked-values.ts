import { Query } from '@msw/data'
import type { WireRecord } from '../resources/resource.ts'
import type { Condition, RecordQuery } from './select-records.ts'

/**
 * The values that a query asks for, where it asks for nothing else: such a query can be answered elsewhere. `undefined`
 * for any other.
 */
export function valuesAsked(predicate: RecordQuery | WireRecord | undefined): WireRecord | undefined {
  if (typeof predicate !== 'function') return undefined
  const asked: unknown = predicate(new AskedQuery() as Query<WireRecord>)
  return asked instanceof AskedQuery ? asked.values : undefined
}

/** A query that remembers the values it was first asked for; whatever is added to it makes another. */
class AskedQuery extends Query<WireRecord> {
  readonly values: WireRecord | undefined

  constructor(predicate?: (record: WireRecord) => unknown, values?: WireRecord) {
    super(predicate)
    this.values = values
  }

  override where(condition: Condition): Query<WireRecord> {
    const query = super.where(condition as (record: WireRecord) => unknown)
    const isPlain =
      this.values === undefined &&
      typeof condition === 'object' &&
      !(condition instanceof Query) &&
      Object.values(condition).every((value) => ['string', 'number', 'boolean'].includes(typeof value))
    return isPlain ? new AskedQuery((record) => query.test(record), condition as WireRecord) : query
  }
}
