import type { WireRecord } from '../resources/resource.ts'
import { findNonJson } from '../shared/non-json.ts'
import type { Edit } from './collection-types.ts'

/**
 * Returns only the attributes that a function changes in a copy of a record. Another write may have changed
 * the others meanwhile.
 */
export async function changesOf(record: WireRecord, data: Edit<WireRecord>['data']): Promise<WireRecord> {
  const draft: Record<string, unknown> = structuredClone(record)
  await data(draft)
  return Object.fromEntries(
    Object.entries(draft).filter(
      ([attribute, value]) =>
        findNonJson(value) !== undefined || JSON.stringify(value) !== JSON.stringify(record[attribute]),
    ),
  )
}
