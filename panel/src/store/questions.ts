import { type Signal, signal } from '@preact/signals'
import type { AnyTable } from './any-table.ts'

/** What a view wants to know of a table, as data: the same question is asked once, whoever asks it. */
export type Question =
  | { readonly kind: 'page'; readonly options: object }
  | { readonly kind: 'spread' | 'newest'; readonly attribute: string; readonly options: object }

interface AskedQuestion {
  readonly plural: string
  readonly question: Question
  readonly answer: Signal<unknown>
  watchers: number
  /** Counts how often it was asked, so that an old answer does not replace a new one. */
  turn: number
}

/** Answers that are kept of what nobody looks at any more: whoever comes back sees them until they are asked for again. */
const mostKept = 40

/** The questions that views have asked, with the answers as signals. */
export class Questions {
  readonly #asked = new Map<string, AskedQuestion>()
  readonly #table: (plural: string) => AnyTable

  constructor(table: (plural: string) => AnyTable) {
    this.#table = table
  }

  /** The answer; `undefined` until it is there. */
  answer(plural: string, question: Question): Signal<unknown> {
    return this.#of(plural, question).answer
  }

  /** Asks, and asks again when the table has changed, until what it returns is called. */
  watch(plural: string, question: Question, failed: (error: unknown) => void): () => void {
    const asked = this.#of(plural, question)
    asked.watchers += 1
    if (asked.watchers === 1) this.#ask(asked).then((set) => set(), failed)
    return () => {
      asked.watchers -= 1
      this.#dropOld()
    }
  }

  /** Asks again what is looked at of a table; what it gives puts the answers in their places. */
  async askAgain(plural: string): Promise<() => void> {
    const open = [...this.#asked.values()].filter((asked) => asked.plural === plural && asked.watchers > 0)
    const answers = await Promise.all(open.map((asked) => this.#ask(asked)))
    return () => {
      for (const set of answers) set()
    }
  }

  /** The tables of which something is looked at. */
  plurals(): string[] {
    return [...new Set([...this.#asked.values()].map(({ plural }) => plural))]
  }

  #of(plural: string, question: Question): AskedQuestion {
    const key = JSON.stringify([plural, question])
    const found = this.#asked.get(key)
    const asked = found ?? { plural, question, answer: signal(undefined), watchers: 0, turn: 0 }
    // The last that were asked for are at the end.
    this.#asked.delete(key)
    this.#asked.set(key, asked)
    return asked
  }

  async #ask(asked: AskedQuestion): Promise<() => void> {
    asked.turn += 1
    const { turn, plural, question } = asked
    const table = this.#table(plural)
    const value = await (question.kind === 'page'
      ? table.page(question.options)
      : table[question.kind](question.attribute, question.options))
    return () => {
      if (turn !== asked.turn) return
      if (JSON.stringify(asked.answer.peek()) !== JSON.stringify(value)) asked.answer.value = value
    }
  }

  #dropOld(): void {
    const closed = [...this.#asked].filter(([, { watchers }]) => watchers === 0)
    for (const [key] of closed.slice(0, Math.max(0, closed.length - mostKept))) this.#asked.delete(key)
  }
}
