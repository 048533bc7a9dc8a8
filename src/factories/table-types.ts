import type { Switches } from '../assumptions/switches.ts'
import type { Page } from '../resources/records.ts'
import type { Reference, Resource, WireRecord } from '../resources/resource.ts'
import type { Timestamp } from '../shared/timestamps.ts'
import type { ChangedBytes } from './change.ts'

/** Members of the model that a table uses. */
export interface TableHost {
  readonly seed: number
  readonly switches: Switches
  now(): Timestamp
  /** Throws if a record refers to a missing one; `previous` is the record before the change, if there is one. */
  checkReferences(resource: Resource, record: WireRecord, previous: WireRecord | undefined): void
  /**
   * The records that a deletion deletes or changes, directly or indirectly. A record that loses several references occurs
   * for each of them.
   */
  concernedBy(resource: Resource, record: WireRecord): Iterable<Dependant>
  /** Deletes every record that refers to a record before its deletion, or clears the reference. */
  release(resource: Resource, record: WireRecord): void
  /** Called on each change of a table, with its plural. */
  readonly changed: (plural: string) => void
  /** Called on each write: `previous` is absent for an insert, `next` for a removal. */
  wrote(
    resource: Resource,
    key: string,
    previous: WireRecord | undefined,
    next: WireRecord | undefined,
    bytes: ChangedBytes,
  ): void
}

/** A record that refers to another by an attribute. */
export interface Dependant {
  readonly resource: Resource
  readonly key: string
  readonly record: WireRecord
  readonly attribute: string
  readonly whenDeleted: Reference['whenDeleted']
}

/** Start, length and filter of a list. */
export interface Selection extends Page {
  readonly where?: { readonly attribute: string; readonly value: unknown } | undefined
  readonly accepts?: ((record: WireRecord) => boolean) | undefined
}
