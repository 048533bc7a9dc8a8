import type { RecordModel } from '../resources/records.ts'
import * as limits from '../shared/limits.ts'
import { isSlices, type Slices } from '../shared/slices.ts'
import { type Timestamp, toTimestamp } from '../shared/timestamps.ts'
import type { NotedChanges } from './change.ts'
import { DueCounts, type DueTime, type DueTimes, type LeftOut } from './due-times.ts'
import type { Table } from './table.ts'

/** A model that notes what is written in it. */
interface NotingModel extends RecordModel {
  noting<Result>(changes: NotedChanges, run: () => Result): Result
}

/** Lets happen what is due in a model: one step of its clock after the other, each as work that may take long. */
export class Settlement {
  /** Told of what a step has left out, where that is anything. */
  limited: (leftOut: LeftOut) => void = () => undefined
  readonly #model: NotingModel
  readonly #dueTimes: DueTimes
  readonly #tableOf: (plural: string) => Table
  readonly #now: () => number
  /** The step that somebody has begun, and whether it is at work just now. */
  #step: Slices<LeftOut> | undefined
  #isAtWork = false
  #at: Timestamp | undefined
  /** What is being settled just now, and how often what was in this step. */
  #due: DueTime | undefined
  #counts = new DueCounts()
  /** What has been made since the last step began. */
  #made = 0

  constructor(model: NotingModel, dueTimes: DueTimes, tableOf: (plural: string) => Table, now: () => number) {
    this.#model = model
    this.#dueTimes = dueTimes
    this.#tableOf = tableOf
    this.#now = now
  }

  /** The moment of what is being settled, at which the clock stands for it. */
  get at(): Timestamp | undefined {
    return this.#at
  }

  mayMake(count: number): boolean {
    if (this.#made + count > limits.settledRecords) {
      if (this.#due !== undefined) this.#counts.leaveOut(this.#due)
      return false
    }
    this.#made += count
    return true
  }

  /** Tells whether anything is due. What is made from here on is counted anew. */
  isDue(): boolean {
    if (this.#isAtWork) return false
    this.#made = 0
    if (this.#step !== undefined) return true
    const { next } = this.#dueTimes
    return next !== undefined && next.at <= toTimestamp(this.#now())
  }

  /** Finishes what somebody has begun, then does what is due now. */
  *settling(): Slices<LeftOut> {
    if (this.#step !== undefined) yield* this.#step
    this.#step = this.#settleUntil(toTimestamp(this.#now()))
    return yield* this.#step
  }

  /** Leaves off in the middle: what is due belongs to a state that is over. */
  abandon(): void {
    this.#step?.return({})
  }

  *#settleUntil(now: Timestamp): Slices<LeftOut> {
    const counts = new DueCounts()
    this.#counts = counts
    try {
      this.#isAtWork = true
      while (this.#dueTimes.next !== undefined && this.#dueTimes.next.at <= now) {
        const due = this.#dueTimes.take()!
        const { resource, record } = this.#find(due)
        // A record that was changed meanwhile has another moment, or none.
        if (record === undefined || record[resource.due!.at] !== due.at) continue
        const isWithin = counts.isWithin(resource.due!, due)
        this.#at = due.at
        this.#due = due
        const happen = () =>
          isWithin
            ? resource.due!.run(record, this.#model)
            : resource.due!.limit!.skip(record, this.#model, now)
        const { following } = due
        const changes: NotedChanges = []
        if (following !== undefined) changes.following = following
        const done = following === undefined ? happen() : this.#model.noting(changes, happen)
        if (isSlices(done)) while (done.next().done !== true) yield* this.#pause()
        if (changes.length > 0) following?.note(due.at, changes)
        this.#at = undefined
        this.#due = undefined
        yield* this.#pause()
      }
      const { leftOut } = counts
      if (Object.keys(leftOut).length > 0) this.limited(leftOut)
      return leftOut
    } finally {
      this.#step = undefined
      this.#at = undefined
      this.#due = undefined
      this.#isAtWork = false
    }
  }

  /** Lets others have their turn: for them, the clock stands where it stands. */
  *#pause(): Slices {
    const at = this.#at
    this.#at = undefined
    this.#isAtWork = false
    yield
    this.#isAtWork = true
    this.#at = at
  }

  #find({ plural, key }: DueTime) {
    const table = this.#tableOf(plural)
    return { resource: table.resource, record: table.row(key)?.record }
  }
}
