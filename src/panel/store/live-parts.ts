/** Where the clock stood when it was read, and how fast it runs since. */
export interface ClockReading {
  readonly now: number
  readonly speed: number
  readonly readAt: number
}

/** What of a world is to be asked for again: a table by its plural, or one of the others. */
export type LivePart =
  | 'clock'
  | 'faults'
  | 'requests'
  | 'journal'
  | 'upcoming'
  | 'errors'
  | 'worlds'
  | 'resources'
  | 'wrong-server'
  | `records/${string}`
