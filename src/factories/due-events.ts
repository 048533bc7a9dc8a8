import type { LeftOut, RecordModel } from '../resources/records.ts'
import * as limits from '../shared/limits.ts'
import type { Timestamp } from '../shared/timestamps.ts'
import type { NotedChanges } from './change.ts'
import { DueCounts, type DueTime, type DueTimes } from './due-times.ts'
import type { Table } from './table.ts'

/** A model that can note the changes made in it. */
interface NotingModel extends RecordModel {
  noting<Result>(changes: NotedChanges, run: () => Result): Result
}

/** Applies the due events of a model: each at its own due time, in order. */
export class DueEvents {
  /** Called with the events that one step left out, where there are any. */
  limited: (leftOut: LeftOut) => void = () => undefined
  readonly #model: NotingModel
  readonly #dueTimes: DueTimes
  readonly #tableOf: (plural: string) => Table
  /** The event that is being applied. */
  #current: DueTime | undefined
  isApplying = false
  #counts = new DueCounts()
  /** Records that were created since the last step or request began. */
  created = 0

  constructor(model: NotingModel, dueTimes: DueTimes, tableOf: (plural: string) => Table) {
    this.#model = model
    this.#dueTimes = dueTimes
    this.#tableOf = tableOf
  }

  /** The due time of the event that is being applied: the clock shows it meanwhile. */
  get at(): Timestamp | undefined {
    return this.#current?.at
  }

  /** Reports whether so many more records may be created in this step, and counts them. */
  mayCreate(count: number): boolean {
    if (this.created + count > limits.dueRecords) {
      if (this.#current !== undefined) this.#counts.leaveOut(this.#current)
      return false
    }
    this.created += count
    return true
  }

  /** Applies all events that are due by now. Returns how many records had more events than one step applies. */
  apply(now: Timestamp): LeftOut {
    const counts = new DueCounts()
    this.#counts = counts
    this.isApplying = true
    try {
      for (let due = this.#takeDue(now); due !== undefined; due = this.#takeDue(now)) this.#applyOne(due, now)
    } finally {
      this.#current = undefined
      this.isApplying = false
    }
    const { leftOut } = counts
    if (Object.keys(leftOut).length > 0) this.limited(leftOut)
    return leftOut
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
    const isWithin = this.#counts.isWithin(event, due)
    const happen = () =>
      isWithin ? event.run(record, this.#model) : event.limit?.skip(record, this.#model, now)
    const { following } = due
    this.#current = due
    if (following === undefined) happen()
    else {
      const changes: NotedChanges = []
      changes.following = following
      this.#model.noting(changes, happen)
      if (changes.length > 0) following.note(due.at, changes)
    }
    this.#current = undefined
  }
}
