import type { WireRecord } from '../resources/resource.ts'
import type { Timestamp } from '../wire/timestamps.ts'

/** One write to a table. */
export interface Change {
  readonly table: string
  readonly key: string
  /** The record before; `undefined` where it is new. */
  readonly previous: WireRecord | undefined
  /** The record after; `undefined` where it is gone. */
  readonly next: WireRecord | undefined
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
