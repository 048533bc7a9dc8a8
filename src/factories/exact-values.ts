import { Query } from '@msw/data'
import type { WireRecord } from '../resources/resource.ts'
import type { PlainCondition, RecordQuery } from './select-records.ts'

/**
 * Returns the values that a query compares, if it has no other condition. The server can answer such a query.
 */
export function exactValues(predicate: RecordQuery | WireRecord | undefined): WireRecord | undefined {
  if (typeof predicate !== 'function') return undefined
  const recorded: unknown = predicate(new RecordedQuery())
  return recorded instanceof RecordedQuery ? recorded.values : undefined
}

/** Query that records its first values. Further conditions create a plain query. */
class RecordedQuery extends Query<WireRecord> {
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
    return isPlain ? new RecordedQuery((record) => query.test(record), condition) : query
  }
}
