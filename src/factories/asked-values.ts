import { Query } from '@msw/data'
import type { WireRecord } from '../resources/resource.ts'
import type { PlainCondition, RecordQuery } from './select-records.ts'

/**
 * The values that a query asks for, where it asks for nothing else: such a query can be answered elsewhere. `undefined`
 * for any other.
 */
export function valuesAsked(predicate: RecordQuery | WireRecord | undefined): WireRecord | undefined {
  if (typeof predicate !== 'function') return undefined
  const asked: unknown = predicate(new AskedQuery())
  return asked instanceof AskedQuery ? asked.values : undefined
}

/** A query that impliesPast the values it was first asked for; whatever is added to it makes another. */
class AskedQuery extends Query<WireRecord> {
  readonly values: WireRecord | undefined

  constructor(predicate?: (record: WireRecord) => unknown, values?: WireRecord) {
    super(predicate)
    this.values = values
  }

  override where(condition: PlainCondition): Query<WireRecord> {
    const query = super.where(condition)
    const isPlain =
      this.values === undefined &&
      typeof condition === 'object' &&
      !(condition instanceof Query) &&
      Object.values(condition).every((value) => ['string', 'number', 'boolean'].includes(typeof value))
    return isPlain ? new AskedQuery((record) => query.test(record), condition) : query
  }
}
