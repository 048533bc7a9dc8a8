import type { Model } from '../../factories/model.ts'
import { afterThisTurn } from '../after-this-turn.ts'
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
   * again, not their values. Returns a function that unsubscribes; `ended` is called when the world is
   * removed.
   *
   * @example
   * const stop = understudy.changes.subscribe(({ parts }) => console.log(parts)) // ['clock', 'records/pipeline_runs']
   */
  subscribe(listener: (change: WorldChange) => void, ended?: () => void): () => void
}

interface TableMark {
  readonly store: object
  readonly revision: number
}

/** Reports the changes of a world. It costs nothing without listeners. */
export class ChangeStream implements ChangeFeed {
  readonly #listeners = new Listeners<WorldChange>('changes')
  readonly #parts = new Set<ChangedPart>()
  readonly #model: () => Model
  #marks: ReadonlyMap<string, TableMark> = new Map()
  /** True if there is a listener. */
  isHeard = false
  #isAwaited = false

  constructor(model: () => Model) {
    this.#model = model
  }

  /** Notes that a part has changed; `records` where it may be any table. */
  note(part: Exclude<ChangedPart, `records/${string}`> | 'records'): void {
    if (!this.isHeard) return
    if (part !== 'records') this.#parts.add(part)
    if (this.#isAwaited) return
    this.#isAwaited = true
    afterThisTurn(() => this.#tell())
  }

  subscribe(hear: (change: WorldChange) => void, ended?: () => void): () => void {
    if (this.#listeners.isEmpty) this.#marks = this.#mark()
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

  #mark(): ReadonlyMap<string, TableMark> {
    const model = this.#model()
    const stored = model.resources.filter((resource) => resource.stored !== false)
    return new Map(
      stored.map(({ plural }) => {
        const store = model.table(plural).store
        return [plural, { store, revision: store.revision }]
      }),
    )
  }

  #tell(): void {
    this.#isAwaited = false
    const before = this.#marks
    this.#marks = this.#mark()
    for (const plural of new Set([...before.keys(), ...this.#marks.keys()])) {
      const [was, is] = [before.get(plural), this.#marks.get(plural)]
      if (was?.store !== is?.store || was?.revision !== is?.revision) this.#parts.add(`records/${plural}`)
    }
    const parts = [...this.#parts].sort()
    this.#parts.clear()
    if (parts.length === 0) return
    this.#listeners.tell({ parts })
  }
}
