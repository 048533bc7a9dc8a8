import type { ReceivedRecord } from '../runner/replies.ts'
import { besideTheGraph } from './boundary-values.ts'
import type { ComparedKind } from './relation.ts'

/** The receiver of a request. */
export type Side = 'model' | 'target'

/** A record that a sequence has created on both sides. */
export interface TrackedRecord {
  readonly kind: ComparedKind
  /** The keys that identify it in paths. */
  readonly keys: Readonly<Record<Side, string>>
  /** The pipeline it belongs to. */
  readonly home: TrackedRecord | undefined
  /** The schedule it belongs to. */
  readonly schedule?: TrackedRecord | undefined
  /** The times of the request and the reply of its creation, on our clock. */
  readonly created: { readonly sent: number; readonly received: number }
  /** The attributes that the sequence has written. */
  written: ReceivedRecord
  /** The secrets of a schedule. */
  readonly tokens?: Readonly<Record<Side, string>>
  isGone: boolean
  /** True until the first read, in which a difference belongs to the creation. */
  isUnread?: boolean
  /** True if a write after its creation changed its reply. */
  isTouched: boolean
  /** The choices of the target, by attribute, or by operation and attribute. */
  readonly chosen: Map<string, unknown>
}

/** Returns the name of a kind of record in bodies. */
export function singularOf(kind: ComparedKind): string {
  return kind === 'schedule' || kind === 'run' ? `pipeline_${kind}` : kind
}

/** Records a write to a record: the choices of the target may change, except the time of its creation. */
export function touch(tracked: TrackedRecord): void {
  tracked.isTouched = true
  touchHome(tracked)
  for (const choice of [...tracked.chosen.keys()]) if (choice !== 'created_at') tracked.chosen.delete(choice)
}

/** Records a write within a pipeline: a target may also change the pipeline's `updated_at`. */
export function touchHome({ home }: TrackedRecord): void {
  if (home !== undefined) home.isTouched = true
}

/** Returns whether a block may be outside the graph of its pipeline, in a separate list (`callback-lists`). */
export function isOutsideGraph({ written }: TrackedRecord): boolean {
  return besideTheGraph.includes(String(written.type))
}

/** Returns the path segment of a record, on a side. */
export function segment(tracked: TrackedRecord, side: Side): string {
  return encodeURIComponent(tracked.keys[side])
}
