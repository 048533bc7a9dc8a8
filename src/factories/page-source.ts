import type { Resource, WireRecord } from '../resources/resource.ts'
import { checkNames } from '../shared/known-names.ts'
import * as limits from '../shared/limits.ts'
import { asText, ownValue } from '../shared/values.ts'
import type { Where } from './collection-types.ts'
import { withValues } from './count-records.ts'
import { checkAttributes, type Source } from './select-records.ts'
import type { Store } from './store.ts'
import type { Table } from './table.ts'

/** Returns the records of a table as a source. */
export function sourceOf(table: Table): Source {
  return {
    records: table.records(),
    keyOf: (record) => table.keyOf(record),
    ...attributesOf(table),
  }
}

/** The attributes that its records have, and whose they are. */
export function attributesOf({ resource }: Table): Pick<Source, 'name' | 'attributes'> {
  const { plural, presents, attributes } = resource
  return { name: plural, attributes: presents === 'all' ? undefined : Object.keys(attributes.shape) }
}

/**
 * Source of pages. It is passed to the page module, which loads on demand, so that bundles do not contain
 * shared code twice.
 */
export interface PageSource {
  readonly name: string
  /** The attributes that records have; `undefined` where they may have any. */
  readonly attributes: readonly string[] | undefined
  readonly duration: Resource['duration']
  readonly store: Store
  /** Maximum number of records in a page, and of the newest records per value. */
  readonly most: { readonly page: number; readonly newest: number }
  /** Returns the value of a record's member. */
  valueIn(record: WireRecord, name: string): unknown
  /** The same, as filters write it. */
  textIn(record: WireRecord, name: string): string
  /** The records that have these values. */
  having(where: Where<WireRecord> | undefined): readonly WireRecord[]
  /** Refuses what is no attribute of its records. */
  check(names: readonly string[], place: string): void
  /** Refuses options that there are none of. */
  checkOptions(options: object, names: Readonly<Record<string, true>>): void
}

/** Returns the records of a table as a source of pages. */
export function pageSourceOf(table: Table): PageSource {
  const source = sourceOf(table)
  const { name, attributes } = source
  const { references = {}, duration } = table.resource
  return {
    name,
    attributes,
    duration,
    store: table.store,
    most: { page: limits.pageRecords, newest: limits.newestRecords },
    valueIn: ownValue,
    textIn: (record, name) => asText(ownValue(record, name) ?? null),
    having(where = {}) {
      const indexed = Object.keys(where).find((attribute) => attribute in references)
      return withValues(
        indexed === undefined ? source : { ...source, records: table.where(indexed, where[indexed]) },
        where,
      )
    },
    check: (names, place) => checkAttributes(source, names, place),
    checkOptions: (options, names) => checkNames(name, options, names),
  }
}
