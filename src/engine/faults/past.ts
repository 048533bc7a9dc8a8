import type { ModelState } from '../../factories/model.ts'

/** How many states are remembered at most. */
const mostRemembered = 1_000

/** The states a world has been in, for reads that lag behind. */
export class Past {
  /** Each state with the moment from which it held, in milliseconds since the epoch. */
  #states: { readonly from: number; readonly state: ModelState }[] = []

  /** Remembers a state that holds from now on; forgets what ended longer ago than the longest lag. */
  remember(now: number, state: ModelState, longestLag: number): void {
    const last = this.#states.at(-1)
    if (last?.from === now) this.#states.pop()
    this.#states.push({ from: now, state })
    const needed = this.#states.findLastIndex(({ from }) => from <= now - longestLag)
    this.#states = this.#states.slice(Math.max(needed, this.#states.length - mostRemembered, 0))
  }

  /** The state that held at a moment: the oldest known where the moment is before all. */
  at(moment: number): ModelState | undefined {
    return (this.#states.findLast(({ from }) => from <= moment) ?? this.#states[0])?.state
  }
}
