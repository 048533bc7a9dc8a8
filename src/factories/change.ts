import type { WireRecord } from '../resources/resource.ts'
import type { Timestamp } from '../shared/timestamps.ts'

/** One write to a table. */
export interface Change {
  readonly table: string
  readonly key: string
  /** The previous record; `undefined` for a created record. */
  readonly previous: WireRecord | undefined
  /** The new record; `undefined` for a deleted record. */
  readonly next: WireRecord | undefined
  /** Estimated bytes of both records. */
  readonly weight: number
}

/** Estimated bytes of a write. A record that another world shares counts as 0. */
export interface ChangedBytes {
  /** Bytes of the previous record. */
  readonly freed: number
  /** Bytes of the new record. */
  readonly taken: number
}

/** Scheduled changes at one timestamp. */
export interface LaterChanges {
  readonly at: Timestamp
  readonly changes: readonly Change[]
}

/** Scheduled events that follow from recorded changes, directly or indirectly. */
export interface Following {
  /** Number of scheduled events that followed. */
  count: number
  /** Stored changes. */
  stored: LaterChanges[]
  /** Reports whether to store the changes of an event. Default: no changes. */
  shouldStore?: ((changes: NotedChanges) => boolean) | undefined
}

/** Recorded changes, and the scheduled events that follow from them. */
export interface NotedChanges extends Array<Change> {
  following?: Following
}
