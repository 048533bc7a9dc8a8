import TinyQueue from 'tinyqueue'
import type { LeftOut, RecordModel } from '../resources/records.ts'
import * as limits from '../shared/limits.ts'
import { type Timestamp, toMilliseconds } from '../shared/timestamps.ts'
import type { Following, NotedChanges } from './change.ts'
import type { Table } from './table.ts'

/** A model that can record its changes. */
interface NotingModel extends RecordModel {
  readonly memory: { readonly used: number; readonly limit: number }
  noting<Result>(changes: NotedChanges, run: () => Result): Result
}

/** Applies the due events of a model: each at its own due time, in order. */
export class DueEvents {
  /** Called with the events that one step omitted, if there are any. */
  limited: (leftOut: LeftOut) => void = () => undefined
  readonly #model: NotingModel
  readonly #dueTimes: DueTimes
  readonly #tableOf: (plural: string) => Table
  /** Event in progress; the clock shows its due time meanwhile. */
  current: DueTime | undefined
  /** Number of records created since the last step or request began. */
  created = 0
  /** Number of events in this step, of records that can skip events. */
  #fired = 0
  /** Keys of the records with events that this step omitted, by plural. */
  #leftOut = new Map<string, Set<string>>()

  constructor(model: NotingModel, dueTimes: DueTimes, tableOf: (plural: string) => Table) {
    this.#model = model
    this.#dueTimes = dueTimes
    this.#tableOf = tableOf
  }

  /** Reports whether this step may create a number of further records, and counts them. */
  mayCreate(count: number): boolean {
    if (this.created + count > limits.dueRecords || this.#isFull()) {
      if (this.current !== undefined) this.#leaveOut(this.current)
      return false
    }
    this.created += count
    return true
  }

  /** Applies all events that are due by now. Returns how many records had more events than one step applies. */
  apply(now: Timestamp): LeftOut {
    this.#fired = 0
    this.#leftOut = new Map()
    try {
      for (let due = this.#takeDue(now); due !== undefined; due = this.#takeDue(now)) this.#applyOne(due, now)
    } finally {
      this.current = undefined
    }
    const leftOut = Object.fromEntries(Array.from(this.#leftOut, ([plural, keys]) => [plural, keys.size]))
    if (this.#leftOut.size > 0) this.limited(leftOut)
    return leftOut
  }

  /** Reports whether the records exceed their memory. */
  #isFull(): boolean {
    const { used, limit } = this.#model.memory
    return used > limit
  }

  #takeDue(now: Timestamp): DueTime | undefined {
    const { next } = this.#dueTimes
    return next !== undefined && next.at <= now ? this.#dueTimes.take() : undefined
  }

  #applyOne(due: DueTime, now: Timestamp): void {
    const table = this.#tableOf(due.plural)
    const event = table.resource.due
    const record = table.get(due.key)
    // A record that changed meanwhile has another due time, or none.
    if (event === undefined || record === undefined || record[event.at] !== due.at) return
    const { following } = due
    this.current = due
    const happen = () =>
      this.#skips(event, due) ? event.skip?.(record, this.#model, now) : event.run(record, this.#model)
    if (following === undefined) happen()
    else {
      const changes: NotedChanges = []
      changes.following = following
      this.#model.noting(changes, happen)
      if (changes.length > 0) {
        following.count += 1
        if (following.shouldStore?.(changes)) following.stored.push({ at: due.at, changes })
      }
    }
    this.current = undefined
  }

  /** Reports whether an event exceeds the limit: a hundred minutely schedules and a year's advance stay bounded. */
  #skips({ skip }: { readonly skip?: unknown }, due: DueTime): boolean {
    if (skip === undefined) return false
    this.#fired++
    const isExcess = this.#fired > limits.firings || this.#isFull()
    if (isExcess) this.#leaveOut(due)
    return isExcess
  }

  #leaveOut({ plural, key }: DueTime): void {
    const keys = this.#leftOut.get(plural) ?? new Set()
    this.#leftOut.set(plural, keys.add(key))
  }
}

/** Due time of a scheduled event of a record. */
export interface DueTime {
  readonly at: string
  readonly plural: string
  readonly key: string
  /** From what it follows, if there is a reader. */
  readonly following?: Following | undefined
}

/**
 * Queue of due events. At equal times, records that refer to others come first: a run ends before its
 * schedule fires. Other records follow by key. The order depends on the records alone, so an exported or
 * restored state continues like its original.
 */
export class DueTimes {
  /** Compares two entries by their order. */
  readonly compare: (one: DueTime, other: DueTime) => number
  #queue: TinyQueue<DueTime>
  /** Due time of the earliest event, in milliseconds since the epoch; `Infinity` without events. */
  nextAt = Number.POSITIVE_INFINITY

  /** @param plurals the tables, each after those it refers to. */
  constructor(plurals: readonly string[]) {
    const ranks = new Map(plurals.map((plural, index) => [plural, -index]))
    const rankOf = ({ plural }: DueTime) => ranks.get(plural) ?? 0
    this.compare = (one, other) => {
      if (one.at !== other.at) return one.at < other.at ? -1 : 1
      const order = rankOf(one) - rankOf(other) || one.key.length - other.key.length
      return order || (one.key < other.key ? -1 : 1)
    }
    this.#queue = new TinyQueue([], this.compare)
  }

  /** Earliest due time. */
  get next(): DueTime | undefined {
    return this.#queue.peek()
  }

  add(at: string, plural: string, key: string, following?: Following): void {
    this.#queue.push(following === undefined ? { at, plural, key } : { at, plural, key, following })
    this.nextAt = Math.min(this.nextAt, toMilliseconds(at))
  }

  /** Removes and returns the earliest entry. */
  take(): DueTime | undefined {
    const taken = this.#queue.pop()
    this.#update()
    return taken
  }

  list(): readonly DueTime[] {
    return [...this.#queue.data]
  }

  /** Replaces all entries by an earlier list. */
  replace(list: readonly DueTime[]): void {
    this.#queue = new TinyQueue([...list], this.compare)
    this.#update()
  }

  #update(): void {
    const { next } = this
    this.nextAt = next === undefined ? Number.POSITIVE_INFINITY : toMilliseconds(next.at)
  }
}
