import TinyQueue from 'tinyqueue'
import type { LeftOut, RecordModel } from '../resources/records.ts'
import type { Resource } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import { type Timestamp, toMilliseconds } from '../shared/timestamps.ts'
import type { Following, NotedChanges } from './change.ts'
import type { Table } from './table.ts'

/** A model that can note the changes made in it. */
interface NotingModel extends RecordModel {
  readonly memory: { readonly used: number; readonly limit: number }
  noting<Result>(changes: NotedChanges, run: () => Result): Result
}

/** Applies the due events of a model: each at its own due time, in order. */
export class DueEvents {
  /** Called with the events that one step left out, where there are any. */
  limited: (leftOut: LeftOut) => void = () => undefined
  readonly #model: NotingModel
  readonly #dueTimes: DueTimes
  readonly #tableOf: (plural: string) => Table
  /** Event that is currently applied; the clock shows its due time meanwhile. */
  current: DueTime | undefined
  #counts = new DueCounts()
  /** Number of records created since the last step or request began. */
  created = 0

  constructor(model: NotingModel, dueTimes: DueTimes, tableOf: (plural: string) => Table) {
    this.#model = model
    this.#dueTimes = dueTimes
    this.#tableOf = tableOf
  }

  /** Reports whether this step may create so many more records, and counts them. */
  mayCreate(count: number): boolean {
    if (this.created + count > limits.dueRecords || this.#isFull()) {
      if (this.current !== undefined) this.#counts.leaveOut(this.current)
      return false
    }
    this.created += count
    return true
  }

  /** Applies all events that are due by now. Returns how many records had more events than one step applies. */
  apply(now: Timestamp): LeftOut {
    const counts = new DueCounts()
    this.#counts = counts
    try {
      for (let due = this.#takeDue(now); due !== undefined; due = this.#takeDue(now)) this.#applyOne(due, now)
    } finally {
      this.current = undefined
    }
    const { leftOut } = counts
    if (Object.keys(leftOut).length > 0) this.limited(leftOut)
    return leftOut
  }

  /** Reports whether the records take as much memory as they may. */
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
    const isWithin = this.#counts.isWithin(event, due, this.#isFull())
    const happen = () =>
      isWithin ? event.run(record, this.#model) : event.limit?.skip(record, this.#model, now)
    const { following } = due
    this.current = due
    if (following === undefined) happen()
    else {
      const changes: NotedChanges = []
      changes.following = following
      this.#model.noting(changes, happen)
      if (changes.length > 0) {
        following.count += 1
        if (following.keeps?.(changes)) following.kept.push({ at: due.at, changes })
      }
    }
    this.current = undefined
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
 * schedule fires. Other records are ordered by key. The order depends on the records alone, so an exported or
 * restored state continues like its original.
 */
export class DueTimes {
  /** Which of two comes first. */
  readonly compare: (one: DueTime, other: DueTime) => number
  #queue: TinyQueue<DueTime>
  /** When the earliest event is due, in milliseconds since the epoch; `Infinity` without any. */
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

  /** Takes the earliest one out. */
  take(): DueTime | undefined {
    const taken = this.#queue.pop()
    this.#update()
    return taken
  }

  #update(): void {
    const { next } = this
    this.nextAt = next === undefined ? Number.POSITIVE_INFINITY : toMilliseconds(next.at)
  }

  list(): readonly DueTime[] {
    return [...this.#queue.data]
  }

  /** Replaces everything by an earlier list. */
  replace(list: readonly DueTime[]): void {
    this.#queue = new TinyQueue([...list], this.compare)
    this.#update()
  }
}

/** Number of events in the present step, per record and in total. */
class DueCounts {
  readonly #counts = new Map<string, number>()
  readonly #leftOut = new Map<string, Set<string>>()

  /** Number of records with omitted events, by plural. */
  get leftOut(): LeftOut {
    return Object.fromEntries([...this.#leftOut].map(([plural, keys]) => [plural, keys.size]))
  }

  /** Counts an omitted event of a record. */
  leaveOut({ plural, key }: Pick<DueTime, 'plural' | 'key'>): void {
    const keys = this.#leftOut.get(plural) ?? new Set()
    this.#leftOut.set(plural, keys.add(key))
  }

  /** Counts one more event and reports whether it is within the limits. */
  isWithin({ limit }: NonNullable<Resource['due']>, { plural, key }: DueTime, isFull: boolean): boolean {
    if (limit === undefined) return true
    const isWithin =
      !isFull && this.#count(`${plural}/${key}`) <= limit.most && this.#count(plural) <= limit.mostTogether
    if (!isWithin) this.leaveOut({ plural, key })
    return isWithin
  }

  #count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count
  }
}
