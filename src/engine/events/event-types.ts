import type { EventWords } from '../../resources/event-words.ts'
import type { LeftOut } from '../../resources/records.ts'

/** Something that happens by itself: when, what, to which record. */
export interface WorldEvent extends EventWords {
  /** When, on the world's clock: `2026-01-01T00:00:05.000Z`. */
  readonly at: string
  /** The resource of the record, and the record's key: `***` where that is a credential. */
  readonly plural: string
  readonly key: string
  /** The record's name, where it has one. */
  readonly name: string | null
  /** References of the record: `{ pipeline_uuid: 'daily_sales', pipeline_schedule_id: 1 }`. */
  readonly belongsTo: Readonly<Record<string, string | number | null>>
}

/** Which of the events to come are asked for. */
export interface NextOptions {
  /** Maximum number of events, 1 to 1,000. Default 20. */
  readonly limit?: number
  /** Until which moment: milliseconds from now, or a text such as `'3d'`. Default: all that is known. */
  readonly within?: string | number
}

/** An event that is known to come, as far as the present tells. */
export interface UpcomingEvent extends WorldEvent {
  /** Time until the event, in milliseconds. */
  readonly wait: number
}

/** The events to come, the first first. */
export interface Upcoming {
  readonly events: readonly UpcomingEvent[]
  /** Total number of scheduled events, regardless of the limit. */
  readonly count: number
}

/** New time of the clock, and the events that happened. */
export interface Advanced {
  /** Time of the clock in milliseconds since the epoch, and as text: `2026-01-01T00:00:05.000Z`. */
  readonly now: number
  readonly at: string
  /** Events that happened, in order; at most 1,000. */
  readonly events: readonly WorldEvent[]
  /** Total number of events that happened. */
  readonly count: number
  /** As `advance` says it. */
  readonly leftOut: LeftOut
}
