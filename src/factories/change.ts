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

/** What changed by itself at a moment. */
export interface LaterChanges {
  readonly at: Timestamp
  readonly changes: readonly Change[]
}

/** What follows by the clock from changes that somebody notes, and from what follows from them. */
export class Following {
  /** Says whether what has followed is kept; nothing is, where nobody says so. */
  keeps: ((changes: NotedChanges) => boolean) | undefined
  /** How many more changes may be kept, where somebody keeps them. */
  room = 0
  /** What is kept of it, and how often something has followed. */
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
  /** How many more there were, of what is kept as one. */
  more?: number
}
