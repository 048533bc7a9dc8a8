import type { WireRecord } from '../resources/resource.ts'
import type { Timestamp } from '../shared/timestamps.ts'

/**
 * One write to a table. A class, as is whatever the journal keeps of each request: V8 takes a literal whose objects live
 * for a while to be one whose objects live for good, and what these hold then costs its collector dear.
 */
export class Change {
  declare readonly table: string
  declare readonly key: string
  /** The record before; `undefined` where it is new. */
  declare readonly previous: WireRecord | undefined
  /** The record after; `undefined` where it is gone. */
  declare readonly next: WireRecord | undefined

  constructor(table: string, key: string, previous: WireRecord | undefined, next: WireRecord | undefined) {
    this.table = table
    this.key = key
    this.previous = previous
    this.next = next
  }
}

/** Scheduled changes at one timestamp. */
export interface LaterChanges {
  readonly at: Timestamp
  readonly changes: readonly Change[]
}

/** Scheduled events that follow from recorded changes, directly or indirectly. */
export class Following {
  /** Says whether what has followed is kept; nothing is, where nobody says so. */
  keeps: ((changes: NotedChanges) => boolean) | undefined
  /** Number of further changes that may be stored. */
  room = 0
  /** Stored changes, and the number of scheduled events that followed. */
  kept: LaterChanges[] = []
  count = 0

  note(at: Timestamp, changes: NotedChanges): void {
    this.count += 1
    if (this.keeps?.(changes)) this.kept.push({ at, changes })
  }
}

/** Changes as they are noted, and what follows from them, where anything may. */
export interface NotedChanges extends Array<Change> {
  following?: Following
  /** Number of further changes that are not stored individually. */
  more?: number
}
