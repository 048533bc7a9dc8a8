import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { WorldControls } from '../../../src/admin/client/types.ts'
import type { JournalEntry } from '../../../src/engine/journal/journal-entry.ts'

/** As many as the journal of a world keeps. */
const most = 1_000

/** The requests of a world, as far as they were read; what reads them gives what puts them in their place. */
export class RequestLog {
  /** The newest first. */
  readonly entries: ReadonlySignal<readonly JournalEntry[]>
  /** Errors that came under HTTP 200. */
  readonly hiddenErrors = computed(
    () => this.#entries.value.filter(({ status, httpStatus }) => status !== 200 && httpStatus === 200).length,
  )
  readonly #entries = signal<readonly JournalEntry[]>([])

  constructor() {
    this.entries = this.#entries
  }

  /** Reads all of them. */
  async readAll({ journal }: Pick<WorldControls, 'journal'>): Promise<() => void> {
    const entries = await journal.entries()
    return () => {
      this.#entries.value = entries.slice(-most).reverse()
    }
  }

  /** Reads what has come since. */
  async readNew({ journal }: Pick<WorldControls, 'journal'>): Promise<() => void> {
    const entries = await journal.entries({ after: this.last })
    return () => {
      const fresh = entries.filter(({ sequence }) => sequence > this.last).reverse()
      if (fresh.length > 0) this.#entries.value = [...fresh, ...this.#entries.peek()].slice(0, most)
    }
  }

  /** The sequence of the newest that was read. */
  get last(): number {
    return this.#entries.peek()[0]?.sequence ?? 0
  }
}
