import type { ChangesOf, Plural, RecordModel, RecordOf } from './records.ts'

/** What happens to a record by itself. */
export type EventKind = 'starts' | 'completes' | 'fails' | 'cancels' | 'waits' | 'fires' | 'skips' | 'expires'

/** What is said of an event: what it is, and one sentence. */
export interface EventWords {
  readonly kind: EventKind
  readonly text: string
}

/** What is said of what happens to the records of a resource by themselves, before and after. */
export interface EventsOf<P extends Plural> {
  /** Says what happens where a record becomes another one at its moment; `undefined` where nothing does. */
  tells(record: RecordOf<P>, next: ChangesOf<P>, model: RecordModel): EventWords | undefined
}
