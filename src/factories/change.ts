import type { WireRecord } from '../resources/resource.ts'

/** One write to a table. */
export interface Change {
  readonly table: string
  readonly key: string
  /** The record before; `undefined` where it is new. */
  readonly previous: WireRecord | undefined
  /** The record after; `undefined` where it is gone. */
  readonly next: WireRecord | undefined
}
