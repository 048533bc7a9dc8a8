import type { LeftOut } from '../resources/records.ts'
import { isDate } from '../shared/built-ins.ts'
import { earliestTime, latestTime, parseDuration, parseTime } from '../shared/timestamps.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { isObject } from '../shared/values.ts'
import type { Advanced, NextOptions, ScheduledEvents } from './events/event-types.ts'

/**
 * Source of the mock's time: `frozen` (advanced manually), `system`, a custom source, or a multiple of the
 * system's speed. The multiple starts at a timestamp such as `2026-01-31 20:00:00`, by default now.
 */
export type ClockOption =
  | 'frozen'
  | 'system'
  | { now(): number }
  | { readonly speed: number; readonly start?: string }

/** Reports whether a value is a speed with an optional start time and nothing else. */
export function isRate(value: unknown): boolean {
  if (!isObject(value)) return false
  const { speed, start, ...others } = value
  const isTimestamp = typeof start === 'string' && parseTime(start) !== undefined
  return isSpeed(speed) && (start === undefined || isTimestamp) && Object.keys(others).length === 0
}

const isSpeed = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value > 0

/** Source of time, and the common start time of all clocks of a mock. */
export interface TimeSource {
  readonly option: ClockOption
  readonly began: ClockState['running']
}

export function startTime(option: ClockOption = 'frozen'): TimeSource {
  if (typeof option === 'string' || 'now' in option) return { option, began: { at: 0, origin: 0, speed: 1 } }
  const origin = Date.now()
  const { speed, start } = option
  return { option, began: { at: start === undefined ? origin : toStartTime(start), origin, speed } }
}

/** Default start of a frozen clock: 2026-01-01 00:00:00, in milliseconds since the epoch. */
const defaultStart = Date.UTC(2026, 0, 1)

/** Result of one step of the clock. */
export interface ClockStep {
  /** Number of records, by plural, with more due events than one step applies. Empty if there are no more events. */
  readonly leftOut: LeftOut
}

/**
 * Clock of a world, without timers: the model applies due events when the clock moves, and at the next
 * request or read.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Returns the speed as a multiple of the source's speed; 0 if the clock is frozen. */
  speed(): number
  /**
   * Moves the clock forward.
   *
   * @param duration milliseconds, or a text such as `'5s'`, `'20m'`, `'3d'`.
   * @returns the due events that exceed the limit of one step.
   * @example
   * understudy.clock.advance('5s')
   */
  advance(duration: string | number): ClockStep
  /**
   * Returns the scheduled events in order: runs end, backfills start and end, schedules fire, tokens expire.
   * They follow from the present state; later requests and events can change them.
   *
   * @throws UnderstudyError if an option is invalid.
   * @example
   * const { events } = await understudy.clock.next({ limit: 1 }) // events[0].text: 'Run 7 of daily_sales fails.'
   */
  next(options?: NextOptions): Promise<ScheduledEvents>
  /**
   * Advances the clock to the next scheduled event and returns the events at that time. Does nothing if there
   * is none.
   *
   * @example
   * const { at, events } = await understudy.clock.advanceToNext()
   */
  advanceToNext(): Promise<Advanced>
  /** Stops the clock, now or at a given time (`Date`, or a text such as `2026-01-31 12:00:00`). */
  freeze(at?: Date | string): void
  /** Resets the clock to its start: frozen at its initial time, or in step with its source. */
  reset(): void
  /**
   * Runs the clock from its present time.
   *
   * @param speed multiple of the source's speed; default 1.
   * @example
   * understudy.clock.run(60)
   */
  run(speed?: number): void
}

/** Complete state of a clock, in milliseconds. */
export interface ClockState {
  readonly start?: number | undefined
  readonly frozenAt?: number | undefined
  /** Time of the clock when its source was at `origin`, and its speed since then. */
  readonly running: { readonly at: number; readonly origin: number; readonly speed: number }
  /** Present time of the clock and of its source. */
  readonly now: number
  readonly source: number
}

export class WorldClock implements Omit<Clock, 'next' | 'advanceToNext'> {
  /** Called after each manual change of the clock. */
  changed: () => void = () => undefined
  applyDueEvents: () => LeftOut = () => ({})
  /** Custom source of time. Default: the system clock. */
  readonly #ownSource: { now(): number } | undefined
  readonly #began: ClockState['running']
  #start: number | undefined
  #frozenAt: number | undefined
  /** Time of the clock when its source was at `origin`, and its speed since then. */
  #running: ClockState['running']

  constructor({ option, began }: TimeSource, start: number = defaultStart) {
    this.#ownSource = typeof option === 'object' && 'now' in option ? option : undefined
    this.#began = began
    this.#running = began
    this.#start = option === 'frozen' ? start : undefined
    this.#frozenAt = this.#start
  }

  /** Time of a frozen clock; `undefined` if it runs. */
  get frozenAt(): number | undefined {
    return this.#frozenAt
  }

  get startsFrozen(): boolean {
    return this.#start !== undefined
  }

  state(): ClockState {
    return {
      start: this.#start,
      frozenAt: this.#frozenAt,
      running: this.#running,
      now: this.now(),
      source: this.#source(),
    }
  }

  /**
   * Continues from the state of another clock. The time between the two counts as passed, as the source
   * measures it. If the source moved back, no time has passed, except for a clock that shows the time of the
   * machine.
   */
  load({ start, frozenAt, running, now, source: before }: ClockState): void {
    this.#start = start
    this.#frozenAt = frozenAt
    const source = this.#source()
    const isSetBack =
      source < before &&
      (this.#ownSource !== undefined || running.at !== running.origin || running.speed !== 1)
    this.#running = isSetBack ? { ...running, at: now, origin: source } : running
    this.changed()
  }

  /** Sets a frozen clock back to its previous time. */
  putBack(frozenAt: number | undefined): void {
    if (frozenAt !== undefined) this.#frozenAt = frozenAt
    this.changed()
  }

  /** Sets the start time of a clock that starts frozen, and moves it there. */
  startAt(start: number): void {
    if (this.#start === undefined) return
    this.#start = start
    this.reset()
  }

  now(): number {
    let now = this.#frozenAt
    if (now === undefined) {
      const { at, origin, speed } = this.#running
      // `Date.now` is looked up at each use, because fake timers may replace it later.
      const source = this.#ownSource === undefined ? Date.now() : this.#ownSource.now()
      now = at + Math.floor((source - origin) * speed)
    }
    return Math.max(earliestTime, Math.min(now, latestTime))
  }

  #source(): number {
    return this.#ownSource === undefined ? Date.now() : this.#ownSource.now()
  }

  speed(): number {
    return this.#frozenAt === undefined ? this.#running.speed : 0
  }

  advance(duration: string | number): ClockStep {
    const milliseconds = parseDuration(duration)
    if (milliseconds === undefined) {
      throw new UnderstudyError(
        'ARGUMENT_INVALID',
        `Failed to advance the clock: expected milliseconds or a text such as '5s' (ms, s, m, h, d, w); found ${JSON.stringify(duration)}.`,
      )
    }
    if (this.#frozenAt === undefined)
      this.#running = { ...this.#running, at: this.#running.at + milliseconds }
    else this.#frozenAt += milliseconds
    this.changed()
    return { leftOut: this.applyDueEvents() }
  }

  freeze(at?: Date | string): void {
    this.applyDueEvents()
    this.#frozenAt = at === undefined ? this.now() : toStartTime(at)
    this.changed()
    this.applyDueEvents()
  }

  reset(): void {
    this.#frozenAt = this.#start
    this.#running = this.#began
    this.changed()
  }

  /** Continues a running clock at the same speed, from a given time if there is one. */
  runFrom(text: string | undefined): void {
    const startTime = typeof text === 'string' && !this.startsFrozen ? parseTime(text) : undefined
    if (startTime === undefined) return
    this.#running = { ...this.#running, at: startTime, origin: this.#source() }
    this.changed()
  }

  run(speed = 1): void {
    if (!isSpeed(speed)) {
      throw new UnderstudyError(
        'ARGUMENT_INVALID',
        `Failed to run the clock: expected a speed above 0, such as 60; found ${typeof speed === 'number' ? speed : JSON.stringify(speed)}.`,
      )
    }
    this.#running = { at: this.now(), origin: this.#source(), speed }
    this.#frozenAt = undefined
    this.changed()
  }
}

function toStartTime(at: Date | string): number {
  const milliseconds = typeof at === 'string' ? parseTime(at) : isDate(at) ? at.getTime() : undefined
  if (milliseconds !== undefined && !Number.isNaN(milliseconds)) return milliseconds
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `Failed to freeze the clock: expected a Date or a text such as '2026-01-31 12:00:00'; found ${JSON.stringify(at)}.`,
  )
}
