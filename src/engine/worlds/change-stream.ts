import { afterCurrentTask } from '../after-current-task.ts'
import { Listeners } from '../listeners.ts'

/**
 * Changed part of a world: `records/` and a plural, `resources`, `requests` (new journal entries), `journal`
 * (cleared), or `worlds` (created or evicted).
 */
export type ChangedPart =
  | 'clock'
  | 'faults'
  | 'assumptions'
  | 'snapshots'
  | 'requests'
  | 'journal'
  | 'resources'
  | 'worlds'
  | `records/${string}`

/** Changes since the previous message. */
export interface WorldChange {
  readonly parts: readonly ChangedPart[]
}

/** Feed of changes from any source: a request, code, the admin API, or time. */
export interface ChangeFeed {
  /**
   * Calls a function with the changed parts, once for all simultaneous changes. It names the parts to read
   * again, not their values. Returns a function that unsubscribes; `ended` is called after the removal of the world.
   *
   * @example
   * const stop = understudy.changes.subscribe(({ parts }) => console.log(parts)) // ['clock', 'records/pipeline_runs']
   */
  subscribe(listener: (change: WorldChange) => void, ended?: () => void): () => void
}

/** Reports the changes of a world. It costs nothing without listeners. */
export class ChangeStream implements ChangeFeed {
  readonly #listeners = new Listeners<WorldChange>('changes')
  readonly #parts = new Set<ChangedPart>()
  /** True if there is a listener. */
  isHeard = false

  note(part: ChangedPart): void {
    if (!this.isHeard) return
    if (this.#parts.size === 0) afterCurrentTask(() => this.#notify())
    this.#parts.add(part)
  }

  subscribe(hear: (change: WorldChange) => void, ended?: () => void): () => void {
    const stop = this.#listeners.add(hear, ended)
    this.isHeard = true
    return () => {
      stop()
      this.isHeard = !this.#listeners.isEmpty
    }
  }

  dispose(): void {
    this.isHeard = false
    this.#listeners.end()
  }

  #notify(): void {
    const parts = [...this.#parts].sort()
    this.#parts.clear()
    this.#listeners.notify({ parts })
  }
}
