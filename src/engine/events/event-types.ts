import type { EventWords } from '../../resources/event-words.ts'
import type { LeftOut } from '../../resources/records.ts'

/** Scheduled event: its time, its kind and its record. */
export interface WorldEvent extends EventWords {
  /** Time of the world's clock: `2026-01-01T00:00:05.000Z`. */
  readonly at: string
  /** Resource of the record, and the record's key: `***` if that is a credential. */
  readonly plural: string
  readonly key: string
  /** Name of the record, if it has one. */
  readonly name: string | null
  /** References of the record: `{ pipeline_uuid: 'daily_sales', pipeline_schedule_id: 1 }`. */
  readonly belongsTo: Readonly<Record<string, string | number | null>>
}

/** Filter of scheduled events. */
export interface NextOptions {
  /** Maximum number of events, 1 to 1,000. Default 20. */
  readonly limit?: number
  /** End of the period: milliseconds from now, or a text such as `'3d'`. Default: no end. */
  readonly within?: string | number
}

/** Scheduled event, as predicted from the present state. */
export interface ScheduledEvent extends WorldEvent {
  /** Time until the event, in milliseconds. */
  readonly wait: number
}

/** Scheduled events in order. */
export interface ScheduledEvents {
  readonly events: readonly ScheduledEvent[]
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
  /** Due events that exceed the limit of one step, as `advance` returns them. */
  readonly leftOut: LeftOut
}
