import type { ResourceDescription, WorldControls } from '../library.ts'
import { nameRecord } from '../records/select.ts'
import { type Act, act } from './acts.ts'
import { isSteady, varies } from './record-lines.ts'
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
  // The type of a difference does not contain resources that a fixture added.
  const found = new Map<string, Changes>(Object.entries(difference))
  return resources.flatMap((description) => {
    const changes = found.get(description.plural)
    return changes === undefined ? [] : [{ description, ...changes }]
  })
}

/**
 * Returns the acts that reverse the changes and deletions of a difference, except for records that the application has
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

/** An expected difference, the argument of `toHaveChanged`. */
export type ExpectedDifference = Readonly<Record<string, object>>

/** Maximum number of records of one kind that a test expects one by one. Of more, it expects the number. */
const mostRecords = 4

/** Returns the expectation of a difference, without values that depend on time or chance. */
export function expectationOf(
  difference: Difference,
  resources: readonly ResourceDescription[],
): ExpectedDifference {
  const expected = changesByResource(difference, resources).map((changes) => {
    return [changes.description.plural, expectedChanges(changes)] as const
  })
  return Object.fromEntries(expected.filter(([, kinds]) => Object.keys(kinds).length > 0))
}

function expectedChanges({ description, created, updated, deleted }: ResourceChanges): object {
  const nameOf = (record: AnyRecord) => nameRecord(description, record).where
  const patterns = {
    created: created.map((record) => ({ ...nameOf(record), status: record.status })),
    updated: updated.map(({ record, changes }) => {
      const steady = Object.entries(changes).filter(([name, { to }]) => isSteady(name, to))
      return {
        record: nameOf(record),
        changes: Object.fromEntries(steady.map(([name, { to }]) => [name, { to }])),
      }
    }),
    deleted: deleted.map(nameOf),
  }
  // Counts records with a random key, such as tokens.
  const most = varies(description.key) ? 0 : mostRecords
  return Object.fromEntries(
    Object.entries(patterns)
      .filter(([, records]) => records.length > 0)
      .map(([kind, records]) => [kind, records.length > most ? records.length : records]),
  )
}
