import type { ReceivedRecord } from '../runner/replies.ts'
import { besideTheGraph } from './boundary-values.ts'
import type { ComparedKind } from './relation.ts'

/** Which of the two is spoken to. */
export type Side = 'model' | 'target'

/** A record that a sequence has made, on both sides. */
export interface TrackedRecord {
  readonly kind: ComparedKind
  /** What identifies it in paths. */
  readonly keys: Readonly<Record<Side, string>>
  /** The pipeline it belongs to. */
  readonly home: TrackedRecord | undefined
  /** The schedule it belongs to. */
  readonly schedule?: TrackedRecord | undefined
  /** When its creation was sent and when that was answered, on our clock. */
  readonly created: { readonly sent: number; readonly received: number }
  /** What a client has written of it. */
  written: ReceivedRecord
  /** The secrets of a schedule. */
  readonly tokens?: Readonly<Record<Side, string>>
  isGone: boolean
  /** Whether it has not been read since it was made: what is first seen then is its creation's. */
  isUnread?: boolean
  /** Whether something was written to what it shows since it was made. */
  isTouched: boolean
  /** What the target has chosen of it, by attribute, or by operation and attribute. */
  readonly chosen: Map<string, unknown>
}

/** Takes down that something was written to a record: what the target had chosen of it may move, but for its birth. */
export function touch(tracked: TrackedRecord): void {
  tracked.isTouched = true
  touchHome(tracked)
  for (const choice of [...tracked.chosen.keys()]) if (choice !== 'created_at') tracked.chosen.delete(choice)
}

/** Notes a write within a pipeline: a target may change the pipeline's `updated_at` with it. */
export function touchHome({ home }: TrackedRecord): void {
  if (home !== undefined) home.isTouched = true
}

/** Tells whether a block may stand beside the graph of its pipeline, in a list of its own (`callback-lists`). */
export function isAside({ written }: TrackedRecord): boolean {
  return besideTheGraph.includes(String(written.type))
}

/** A path segment for something, on a side. */
export function segment(tracked: TrackedRecord, side: Side): string {
  return encodeURIComponent(tracked.keys[side])
}
