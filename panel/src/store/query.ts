import { type Signal, signal } from '@preact/signals'
import type { ChangedPart, WorldControls } from '../library.ts'

/** A part of the world that a query reads: one of the stream of changes, or one that depends on others. */
export type LivePart = ChangedPart | 'scheduled' | 'errors' | 'scenarios' | 'found'

/** Reads an answer; `known` is the previous one. */
export type Read<Value> = (of: WorldControls, known: Value | undefined) => Promise<Value> | Value

type OnFailure = (error: unknown, world: string) => unknown

/** A query about a world, and its last answer. Of several concurrent reads, the latest one counts. */
export class Query<Value> {
  readonly of: WorldControls
  readonly part: LivePart
  readonly answer: Signal<Value | undefined> = signal(undefined)
  readonly #load: Read<Value>
  readonly #fail: OnFailure
  #watchers = 0
  #reads = 0

  constructor(of: WorldControls, part: LivePart, load: Read<Value>, fail: OnFailure) {
    this.of = of
    this.part = part
    this.#load = load
    this.#fail = fail
  }

  get isWatched(): boolean {
    return this.#watchers > 0
  }

  /** Reads the answer if necessary; returns the function that ends the watch. */
  watch(): () => void {
    this.#watchers += 1
    if (this.#reads === 0) void this.read()
    return () => {
      this.#watchers -= 1
    }
  }

  async read(): Promise<void> {
    this.#reads += 1
    const readNumber = this.#reads
    try {
      const known = this.answer.peek()
      const answer = await this.#load(this.of, known)
      if (readNumber === this.#reads && !this.#isKnown(answer, known)) this.answer.value = answer
    } catch (error) {
      this.#fail(error, this.of.name)
    }
  }

  /** Reads from the beginning, without the known answer. */
  async restart(): Promise<void> {
    this.answer.value = undefined
    await this.read()
  }

  /** An equal answer stays the same object, so that the view does not draw it again. */
  #isKnown(answer: Value, known: Value | undefined): boolean {
    if (answer === known || this.part === 'requests') return answer === known
    return JSON.stringify(answer) === JSON.stringify(known)
  }
}
