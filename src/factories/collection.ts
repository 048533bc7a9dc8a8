import type { WireRecord } from '../resources/resource.ts'
import { changesOf } from './changes.ts'
import type { Collection, Edit, Methods } from './collection-types.ts'
import { countRecords, countRecordsBy } from './count-records.ts'
import { checkAttributes, selectFirst, selectRecords } from './select-records.ts'
import type { Table } from './table.ts'
import { refuseUnknown } from './validate.ts'

/** A collection of records of any attributes. */
type AnyCollection = Collection<WireRecord, WireRecord>

const collections = new WeakMap<Table, AnyCollection>()

/**
 * Returns the public collection of a table. `@msw/data` runs the queries, but not the writes: those of the
 * library scan an array, lose concurrent updates and drop the issues of a failed validation.
 */
export function collectionOf(table: Table, loadMore: LoadQueries): AnyCollection {
  let collection = collections.get(table)
  if (collection === undefined) {
    collection = Object.freeze(createCollection(table, loadMore))
    collections.set(table, collection)
  }
  return collection
}

/** Loads the queries that few callers need. The engine has one module for all such parts. */
type LoadQueries = () => Promise<
  Pick<typeof import('./page-records.ts'), 'pageOf' | 'spreadOf' | 'newestOf'> &
    Pick<typeof import('./deletion.ts'), 'planDeletion'>
>

function createCollection(table: Table, loadMore: LoadQueries): AnyCollection {
  const insert = (values: WireRecord) => {
    refuseUnknown(table.resource, values, 'create')
    return table.insert(structuredClone(values))
  }
  const collection = {
    findFirst: (predicate, options) => selectFirst(table, predicate, options),
    findMany: (predicate, options) => selectRecords(table, predicate, options),
    where(attribute, value) {
      checkAttributes(table, [attribute], 'where')
      return table.where(attribute, value).slice()
    },
    count: (where) => (where === undefined ? table.count() : countRecords(table, where)),
    countBy: (attribute, where) => countRecordsBy(table, attribute, where),
    page: async (options = {}) => (await loadMore()).pageOf(table, options),
    spread: async (attribute, options = {}) => (await loadMore()).spreadOf(table, attribute, options),
    newest: async (attribute, options = {}) => (await loadMore()).newestOf(table, attribute, options),
    all: () => table.records(),
    create: async (values) => insert(values),
    createMany: async (count, values) => Array.from({ length: count }, (_, index) => insert(values(index))),
    async update(predicate, { data, strict }) {
      const record = selectFirst(table, predicate, { strict })
      return record && edit(table, record, data)
    },
    async updateMany(predicate, { data, ...options }) {
      const records = selectRecords(table, predicate, options)
      return await Promise.all(records.map((record) => edit(table, record, data)))
    },
    delete(predicate, options) {
      const record = selectFirst(table, predicate, options)
      return record && table.remove(record)
    },
    async deletion(predicate, options) {
      const record = selectFirst(table, predicate, options)
      return record && (await loadMore()).planDeletion(table, record)
    },
    deleteMany: (predicate, options) =>
      selectRecords(table, predicate, options).map((record) => table.remove(record)),
    clear() {
      for (const record of table.records()) table.remove(record)
    },
  } satisfies Methods<AnyCollection>
  // Only the types of the caller know whether the record exists.
  return collection as AnyCollection
}

async function edit(table: Table, record: WireRecord, data: Edit<WireRecord>['data']): Promise<WireRecord> {
  const changes = await changesOf(record, data)
  refuseUnknown(table.resource, changes, 'update')
  return table.change(record, changes)
}
