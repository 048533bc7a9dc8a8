import type { Model, ModelEvent } from '../../factories/model.ts'
import * as limits from '../../shared/limits.ts'
import type { Timestamp } from '../../shared/timestamps.ts'
import { estimateSize } from '../../shared/values.ts'

/** A model that follows the present one at a distance. */
interface Lagging {
  readonly model: Model
  /** The number of the event that it takes next. */
  next: number
}

interface PastEvent {
  at: Timestamp
  readonly event: ModelEvent
  /** Estimated bytes of the record that it has replaced. */
  readonly size: number
}

/**
 * Past states of a world, for stale reads. For each lag there is one model, which applies each write once the
 * lag has passed.
 */
export class LaggingModels {
  readonly #lagging = new Map<number, Lagging>()
  #events: PastEvent[] = []
  /** Number of events before the first one that is stored. */
  #forgotten = 0
  /** Estimated bytes of the stored events. */
  #size = 0

  /** Keeps models for these lags, in milliseconds, and no others; a new one begins with the present. */
  follow(lags: ReadonlySet<number>, create: (lag: number) => Model): void {
    for (const lag of this.#lagging.keys()) if (!lags.has(lag)) this.#lagging.delete(lag)
    for (const lag of lags) {
      if (!this.#lagging.has(lag)) {
        this.#lagging.set(lag, { model: create(lag), next: this.#forgotten + this.#events.length })
      }
    }
    this.#forget()
  }

  /** Notes what has happened at a time; where the clock was put back, nothing before happened later than that. */
  note(event: ModelEvent, at: Timestamp): void {
    for (let index = this.#events.length - 1; ; index--) {
      const noted = this.#events[index]
      if (noted === undefined || noted.at <= at) break
      noted.at = at
    }
    const size = event.kind === 'write' ? estimateSize(event.change.previous) : 0
    this.#events.push({ at, event, size })
    this.#size += size
    if (this.#events.length <= limits.staleWrites && this.#size <= limits.staleBytes) return
    // More than is stored: the views that lag furthest come nearer.
    do {
      const oldest = this.#events[0]?.at ?? at
      for (const lagging of this.#lagging.values()) this.#take(lagging, oldest)
      this.#forget(this.#size > limits.staleBytes ? 1 : 256)
    } while (this.#size > limits.staleBytes && this.#events.length > 0)
  }

  /** The model of a lag as it was at a time. */
  modelOf(lag: number, time: Timestamp): Model | undefined {
    const lagging = this.#lagging.get(lag)
    if (lagging === undefined) return undefined
    this.#take(lagging, time)
    this.#forget()
    return lagging.model
  }

  #take(lagging: Lagging, time: Timestamp): void {
    for (;;) {
      const next = this.#events[lagging.next - this.#forgotten]
      if (next === undefined || next.at > time) return
      lagging.next += 1
      lagging.model.follow(next.event)
    }
  }

  /** Drops the events that every model has taken; by default seldom, so that it costs little each time. */
  #forget(least = 256): void {
    const needed = [...this.#lagging.values()].reduce(
      (first, { next }) => Math.min(first, next),
      this.#forgotten + this.#events.length,
    )
    const count = needed - this.#forgotten
    if (count < this.#events.length && count < least) return
    for (const { size } of this.#events.slice(0, count)) this.#size -= size
    this.#events = this.#events.slice(count)
    this.#forgotten = needed
  }
}
