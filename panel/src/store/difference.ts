import type { ResourceDescription, WorldControls } from '../library.ts'
import { nameRecord } from '../records/select.ts'
import { type Act, act } from './acts.ts'
import { isSteady } from './record-lines.ts'
import type { AnyRecord } from './table.ts'

type Difference = Awaited<ReturnType<WorldControls['diff']>>

interface Changes {
  readonly created: readonly AnyRecord[]
  readonly updated: readonly {
    readonly record: AnyRecord
    readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
  }[]
  readonly deleted: readonly AnyRecord[]
}

interface ResourceChanges extends Changes {
  readonly description: ResourceDescription
}

/** Returns the changes of each resource, parents before children. */
export function changesByResource(
  difference: Difference,
  resources: readonly ResourceDescription[],
): ResourceChanges[] {
  // Resources that a fixture added are in the difference, too, but not in its type.
  const found = new Map<string, Changes>(Object.entries(difference))
  return resources.flatMap((description) => {
    const changes = found.get(description.plural)
    return changes === undefined ? [] : [{ description, ...changes }]
  })
}

/**
 * Returns the acts that reverse the changes and deletions of a difference. They leave alone what the application has
 * changed since.
 */
export function reversalOf(difference: Difference, resources: readonly ResourceDescription[]): Act[] {
  const all = changesByResource(difference, resources)
  return [
    ...all.flatMap(({ description, deleted }) =>
      deleted.map((record) => act('create', description.plural, record)),
    ),
    ...all.flatMap(({ description, updated }) =>
      updated.map(({ record, changes }) => {
        const before = Object.entries(changes).map(([name, { from }]) => [name, from])
        return act('update', nameRecord(description, record), Object.fromEntries(before))
      }),
    ),
  ]
}

/** An expected difference, as `toHaveChanged` takes it. */
export type ExpectedDifference = Readonly<Record<string, object>>

/** As many records of one kind are expected one by one; of more, their number. */
const mostRecords = 4

/** Returns the expectation of a difference, without values that depend on time or chance. */
export function expectationOf(
  difference: Difference,
  resources: readonly ResourceDescription[],
): ExpectedDifference {
  const expected = changesByResource(difference, resources).map(
    ({ description, created, updated, deleted }) => {
      const nameOf = (record: AnyRecord) => nameRecord(description, record).where
      const kinds = {
        created: created.map((record) => ({ ...nameOf(record), status: record.status })),
        updated: updated.map(({ record, changes }) => ({
          record: nameOf(record),
          changes: Object.fromEntries(
            Object.entries(changes).flatMap(([name, { to }]) => (isSteady(name, to) ? [[name, { to }]] : [])),
          ),
        })),
        deleted: deleted.map(nameOf),
      }
      const filled = Object.entries(kinds).filter(([, records]) => records.length > 0)
      const shortened = filled.map(([kind, records]) => [
        kind,
        records.length > mostRecords ? records.length : records,
      ])
      return [description.plural, Object.fromEntries(shortened)] as const
    },
  )
  return Object.fromEntries(expected.filter(([, kinds]) => Object.keys(kinds).length > 0))
}
