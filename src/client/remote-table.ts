import { freeze } from '../factories/freeze.ts'
import { type Predicate, selectRecords } from '../factories/select-records.ts'
import type { WireRecord } from '../resources/resource.ts'
import { pathOf, type Transport } from './transport.ts'
import type { RemoteTable, RemoteTables } from './types.ts'

interface Listed {
  /** The attribute that identifies a record. */
  readonly key: string
  /** The attribute within whose value the key is unique. */
  readonly scope: string | null
  readonly records: readonly WireRecord[]
}

type Draft = (draft: object) => void | Promise<void>

/** Creates the collections of a world, each at its first use. */
export function createRemoteTables(transport: Transport, world: string): RemoteTables {
  return new Proxy({} as RemoteTables, {
    get: (_, plural) =>
      typeof plural === 'symbol' || plural === 'then' ? undefined : createTable(transport, world, plural),
  })
}

function createTable(transport: Transport, world: string, plural: string): RemoteTable {
  const path = `${pathOf('worlds', world)}/records${pathOf(plural)}`
  const list = async () => freeze(await transport.send<Listed>('GET', path))
  /** The records that match, in order, with the path of each. */
  const select = async (predicate: unknown, options: object) => {
    const listed = await list()
    const found = isRecord(predicate)
      ? listed.records.filter((record) => keyOf(listed, record) === keyOf(listed, predicate))
      : selectRecords(listed.records, predicate as Predicate, options)
    return found.map((record) => ({ record, path: `${path}${pathOf(keyOf(listed, record))}` }))
  }
  const first = async (predicate: unknown, options: { readonly strict?: boolean } = {}) =>
    (await select(predicate, { ...options, take: 1 }))[0]
  const change = async ({ record, path }: { record: WireRecord; path: string }, data: Draft) => {
    const draft: Record<string, unknown> = structuredClone(record)
    await data(draft)
    const changed = Object.entries(draft).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(record[name]),
    )
    if (changed.length === 0) return record
    return freeze(await transport.send<WireRecord>('PATCH', path, { body: Object.fromEntries(changed) }))
  }
  const create = async (values: unknown) =>
    freeze(await transport.send<WireRecord>('POST', path, { body: values }))
  const removeAll = async (predicate: unknown, options: object) => {
    const found = await select(predicate, options)
    for (const { path } of found) await transport.send('DELETE', path)
    return found.map(({ record }) => record)
  }

  const table = {
    findFirst: async (predicate: unknown, options?: { readonly strict?: boolean }) =>
      (await first(predicate, options))?.record,
    findMany: async (predicate: unknown, options = {}) =>
      (await select(predicate, options)).map(({ record }) => record),
    count: async () => (await list()).records.length,
    all: async () => [...(await list()).records],
    create,
    async createMany(count: number, values: (index: number) => unknown) {
      const created: WireRecord[] = []
      for (let index = 0; index < count; index++) created.push(await create(values(index)))
      return created
    },
    async update(predicate: unknown, { data, ...options }: { data: Draft; strict?: boolean }) {
      const found = await first(predicate, options)
      return found && change(found, data)
    },
    async updateMany(predicate: unknown, { data, ...options }: { data: Draft; strict?: boolean }) {
      const found = await select(predicate, options)
      const changed: WireRecord[] = []
      for (const each of found) changed.push(await change(each, data))
      return changed
    },
    async delete(predicate: unknown, options?: { readonly strict?: boolean }) {
      const found = await first(predicate, options)
      if (found) await transport.send('DELETE', found.path)
      return found?.record
    },
    deleteMany: (predicate: unknown, options = {}) => removeAll(predicate, options),
    async clear() {
      await removeAll(undefined, {})
    },
  }
  return table satisfies { [Name in keyof RemoteTable]: unknown } as unknown as RemoteTable
}

/** Tells a record from a query. */
function isRecord(predicate: unknown): predicate is WireRecord {
  return typeof predicate === 'object' && predicate !== null && !('test' in predicate)
}

/** The key of a record, as the admin API has it in a path. */
function keyOf({ key, scope }: Listed, record: WireRecord): string {
  return scope === null ? String(record[key]) : `${record[scope]}/${record[key]}`
}
