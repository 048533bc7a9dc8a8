import type { ChangesOf, Plural, RecordModel, RecordOf } from './records.ts'

/** Kind of a scheduled event. */
export type EventKind = 'starts' | 'completes' | 'fails' | 'cancels' | 'waits' | 'fires' | 'skips' | 'expires'

/** Description of an event: its kind and one sentence. */
export interface EventWords {
  readonly kind: EventKind
  readonly text: string
}

/** Descriptions of the scheduled events of a resource, before and after they happen. */
export interface EventsOf<P extends Plural> {
  /** Describes what happens when a record changes at its scheduled time; `undefined` if nothing does. */
  describe(record: RecordOf<P>, next: ChangesOf<P>, model: RecordModel): EventWords | undefined
}
