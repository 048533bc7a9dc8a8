import type { RecordOf, StoredPlural } from '../resources/records.ts'
import type { WireRecord } from '../resources/resource.ts'
import { isSameJson } from '../shared/values.ts'
import type { Store } from './store.ts'

/** A changed record as it is now, and the previous and present value of each changed attribute. */
export interface UpdatedRecord<Stored = WireRecord> {
  readonly record: Stored
  readonly changes: { readonly [A in keyof Stored]?: { readonly from: Stored[A]; readonly to: Stored[A] } }
}

/** Differences in the records of a resource between two states. */
export interface ResourceDifference<Stored = WireRecord> {
  readonly created: readonly Stored[]
  readonly updated: readonly UpdatedRecord<Stored>[]
  readonly deleted: readonly Stored[]
}

/** Differences between two states, for every resource by its plural. */
export type StateDifference = { readonly [P in StoredPlural]: ResourceDifference<RecordOf<P>> }

type Stores = ReadonlyMap<string, Store>

/** Returns how the records of one state differ from those of an earlier state, or of another world. */
export function compareStates(before: Stores, after: Stores): StateDifference {
  const plurals = new Set([...before.keys(), ...after.keys()])
  const differences = Array.from(plurals, (plural): [string, ResourceDifference] => [
    plural,
    compareStores(before.get(plural), after.get(plural)),
  ])
  // A model has a store for every resource of the table.
  return Object.fromEntries(differences) as unknown as StateDifference
}

function compareStores(before: Store | undefined, after: Store | undefined): ResourceDifference {
  const created: WireRecord[] = []
  const updated: UpdatedRecord[] = []
  const deleted: WireRecord[] = []
  // States share a store until one of them writes to it.
  if (before === after) return { created, updated, deleted }
  for (const { key, record } of after?.rows.items ?? []) {
    const previous = before?.byKey.get(key)?.record
    const update = previous && compareRecords(previous, record)
    if (previous === undefined) created.push(record)
    else if (update !== undefined) updated.push(update)
  }
  for (const { key, record } of before?.rows.items ?? []) if (!after?.byKey.has(key)) deleted.push(record)
  return { created, updated, deleted }
}

function compareRecords(from: WireRecord, to: WireRecord): UpdatedRecord | undefined {
  if (from === to) return undefined
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  const changed = [...names].filter((name) => !isSameJson(from[name], to[name]))
  if (changed.length === 0) return undefined
  const changes = changed.map((name) => [name, { from: from[name], to: to[name] }])
  return { record: to, changes: Object.fromEntries(changes) }
}
