import { changesOf } from '../../factories/changes.ts'
import type {
  Counts,
  Edit,
  Methods,
  PagedRecords,
  PageOptions,
  SpreadOptions,
} from '../../factories/collection-types.ts'
import type { Deletion } from '../../factories/deletion.ts'
import { exactValues } from '../../factories/exact-values.ts'
import {
  checkAttributes,
  isQuery,
  type RecordQuery,
  selectFirst,
  selectRecords,
} from '../../factories/select-records.ts'
import type { WireRecord } from '../../resources/resource.ts'
import { freeze } from '../../shared/values.ts'
import { type AdminTransport, type Call, pathOf } from './transport.ts'
import type { RemoteTable, RemoteTables } from './types.ts'

interface ListedTable {
  readonly key: string
  /** The attribute within whose value the key is unique. */
  readonly scope: string | null
  readonly attributes: readonly string[] | null
  readonly records: readonly WireRecord[]
}

/** Creates the collections of a world, each at its first use. */
export function createRemoteTables(transport: AdminTransport, world: string): RemoteTables {
  return new Proxy({} as RemoteTables, {
    get: (_, plural) =>
      typeof plural === 'symbol' || plural === 'then' ? undefined : createTable(transport, world, plural),
  })
}

type Data = Edit<WireRecord>['data']
type SelectOptions = Parameters<typeof selectRecords>[2]

function createTable(transport: AdminTransport, world: string, plural: string): AnyRemoteTable {
  const path = `${pathOf('worlds', world)}/records${pathOf(plural)}`
  const pages = `${pathOf('worlds', world)}/pages${pathOf(plural)}`
  const list = async () => {
    const listed = freeze(await transport.send<ListedTable>('GET', path))
    const keyOf = (record: WireRecord) => keyIn(listed, record)
    const attributes = listed.attributes ?? undefined
    return { name: plural, attributes, keyOf, records: () => listed.records }
  }
  const at = (record: WireRecord, key: string) => ({ record, path: `${path}${pathOf(key)}` })
  /** Finds the matching records, in order, with the path of each. */
  const select = async (predicate: RecordQuery | undefined, options: SelectOptions) => {
    const source = await list()
    return selectRecords(source, predicate, options).map((record) => at(record, source.keyOf(record)))
  }
  /** Finds the first record with these values without listing the others; `undefined` if the page has none. */
  const firstOfPage = async (where: WireRecord) => {
    const call = { query: toQuery({ where, limit: 1 }) }
    const paged = await transport.send<ListedPage>('GET', pages, call).catch(() => undefined)
    const [record] = freeze(paged?.records ?? [])
    return paged && record && at(record, keyIn(paged, record))
  }
  const first = async (predicate: RecordQuery | WireRecord | undefined, options: SelectOptions) => {
    const values = exactValues(predicate)
    const found = values && (await firstOfPage(values))
    if (found !== undefined) return found
    // The list reports an error in the query, or finds records that have no path.
    const source = await list()
    const record = selectFirst(source, predicate, options)
    return record && at(record, source.keyOf(record))
  }
  const change = async ({ record, path }: ReturnType<typeof at>, data: Data) => {
    const changes = await changesOf(record, data)
    if (Object.keys(changes).length === 0) return record
    return freeze(await transport.send<WireRecord>('PATCH', path, { body: changes }))
  }
  const create = async (values: unknown) =>
    freeze(await transport.send<WireRecord>('POST', path, { body: values }))
  const removeAll = async (predicate: RecordQuery | undefined, options: SelectOptions) => {
    const found = await select(predicate, options)
    for (const { path } of found) await transport.send('DELETE', path)
    return found.map(({ record }) => record)
  }

  const page = async (options: PageOptions<WireRecord> = {}) => {
    const call = { query: toQuery(options) }
    const { records, count } = freeze(await transport.send<PagedRecords<WireRecord>>('GET', pages, call))
    return { records, count }
  }
  const spread = async (attribute: string, options: SpreadOptions<WireRecord> = {}) => {
    const call = { query: toQuery(options) }
    const path = `${pages}/spread${pathOf(attribute)}`
    return (await transport.send<{ spread: Counts[] }>('GET', path, call)).spread
  }

  const table = {
    findFirst: async (predicate, options) => (await first(predicate, options))?.record,
    findMany: async (predicate, options) => (await select(predicate, options)).map(({ record }) => record),
    async where(attribute, value) {
      const source = await list()
      checkAttributes(source, [attribute], 'where')
      return source.records().filter((record) => record[attribute] === value)
    },
    count: async (where = {}) =>
      isQuery(where) ? (await select(where, {})).length : (await page({ where, limit: 0 })).count,
    countBy: async (attribute, where = {}) => (await spread(attribute, { where, parts: 1 }))[0] ?? {},
    page,
    spread,
    async newest(attribute, options = {}) {
      const call = { query: toQuery(options) }
      const path = `${pages}/newest${pathOf(attribute)}`
      return freeze(await transport.send<{ newest: Newest }>('GET', path, call)).newest
    },
    all: async () => [...(await list()).records()],
    create,
    async createMany(count, values) {
      const created: WireRecord[] = []
      for (let index = 0; index < count; index++) created.push(await create(values(index)))
      return created
    },
    async update(predicate, { data, strict }) {
      const found = await first(predicate, { strict })
      return found && change(found, data)
    },
    async updateMany(predicate, { data, ...options }) {
      const found = await select(predicate, options)
      const changed: WireRecord[] = []
      for (const each of found) changed.push(await change(each, data))
      return changed
    },
    async delete(predicate, options) {
      const found = await first(predicate, options)
      if (found) await transport.send('DELETE', found.path)
      return found?.record
    },
    async deletion(predicate, options) {
      const found = await first(predicate, options)
      return found && transport.send<Deletion>('GET', `${found.path}/deletion`)
    },
    deleteMany: (predicate, options) => removeAll(predicate, options),
    async clear() {
      await removeAll(undefined, {})
    },
  } satisfies Methods<AnyRemoteTable>
  // Only the types of the caller guarantee that a record exists.
  return table as AnyRemoteTable
}

type ListedPage = PagedRecords<WireRecord> & Pick<ListedTable, 'key' | 'scope'>
type Newest = Readonly<Record<string, readonly WireRecord[]>>

/** A selection of records in the form of the admin API. */
function toQuery(options: PageOptions<WireRecord> & SpreadOptions<WireRecord>): NonNullable<Call['query']> {
  const { where, orderBy, ...others } = options
  return {
    ...others,
    ...(where !== undefined && { where: JSON.stringify(where) }),
    ...(orderBy !== undefined && {
      orderBy: Object.entries(orderBy)
        .filter(([, direction]) => direction !== undefined)
        .map(([name, direction]) => (direction === 'desc' ? `-${name}` : name))
        .join(','),
    }),
  }
}

type AnyRemoteTable = RemoteTable<WireRecord, WireRecord>

/** The key of a record in the paths of the admin API. */
function keyIn({ key, scope }: Pick<ListedTable, 'key' | 'scope'>, record: WireRecord): string {
  return scope === null ? String(record[key]) : `${record[scope]}/${record[key]}`
}
