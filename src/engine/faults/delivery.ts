import * as limits from '../../shared/limits.ts'

/** Delivery of a reply, set by faults. The adapter carries it out; times are real milliseconds. */
export interface Delivery {
  /** Time until the reply begins. */
  readonly delay?: number
  /** Time that the head of the reply takes. */
  readonly headTime?: number
  /** Time that the body of the reply takes. */
  readonly bodyTime?: number
  /** `hang`: it never comes; `drop`: the connection closes without one; `reset`: it breaks off in the middle of the body. */
  readonly end?: 'hang' | 'drop' | 'reset'
}

/** Registers a function that ends a wait when the client leaves. Returns a function that unregisters it. */
export type Leaving = (end: () => void) => () => void

const stays: Leaving = () => () => undefined

/**
 * Waits of an adapter. They end early at the end of the adapter or the mock: no timer outlives them.
 */
export class Waits {
  readonly #pending = new Set<(isOver: boolean) => void>()
  #state: 'open' | 'hurried' | 'over' = 'open'

  /** Resolves after a time: to true, or to false if the client has left or the mock has ended. */
  pause(milliseconds: number, leaving: Leaving = stays): Promise<boolean> {
    return this.#wait(milliseconds, leaving)
  }

  /** Resolves when the client has left, or the adapter or the mock ends. */
  async forever(leaving: Leaving = stays): Promise<void> {
    await this.#wait(undefined, leaving)
  }

  /** Ends every wait now. Waiting replies are sent at once. */
  hurry(): void {
    this.#state = 'hurried'
    for (const end of [...this.#pending]) end(false)
  }

  /** Ends every wait now. Waiting replies are not sent. */
  dispose(): void {
    this.#state = 'over'
    for (const end of [...this.#pending]) end(true)
  }

  #wait(milliseconds: number | undefined, leaving: Leaving): Promise<boolean> {
    if (this.#state !== 'open') return Promise.resolve(this.#state === 'hurried')
    return new Promise((resolve) => {
      const end = (isOver: boolean) => {
        clearTimeout(timer)
        this.#pending.delete(end)
        resolve(!isOver)
        stay?.()
      }
      let stay: (() => void) | undefined
      const timer =
        milliseconds === undefined ? undefined : setTimeout(end, Math.min(milliseconds, limits.wait), false)
      this.#pending.add(end)
      stay = leaving(() => end(true))
    })
  }
}
