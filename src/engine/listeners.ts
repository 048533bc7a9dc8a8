import { isPromise } from '../shared/built-ins.ts'

/** Listeners of a subject. Logs an error of a listener; it does not affect the others. */
export class Listeners<Message> {
  readonly #listeners = new Set<Subscription<Message>>()
  readonly #subject: string
  #hasEnded = false
  isEmpty = true

  /** @param subject what they listen to, as messages call it: `journal`. */
  constructor(subject: string) {
    this.#subject = subject
  }

  /** Adds a listener, and returns a function that removes it. After the end, it calls `ended` at once. */
  add(hear: (message: Message) => void, ended?: () => void): () => void {
    const listener: Subscription<Message> = { hear, ended, hasFailed: false }
    this.#listeners.add(listener)
    this.isEmpty = false
    if (this.#hasEnded) this.end()
    return () => {
      this.#listeners.delete(listener)
      this.isEmpty = this.#listeners.size === 0
    }
  }

  notify(message: Message): void {
    for (const listener of [...this.#listeners]) this.#call(listener, () => listener.hear(message))
  }

  /** Notifies all listeners of the end, and removes them. */
  end(): void {
    this.#hasEnded = true
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    this.isEmpty = true
    for (const listener of listeners) this.#call(listener, () => listener.ended?.())
  }

  #call(listener: Subscription<Message>, call: () => unknown): void {
    const report = (error: unknown) => {
      if (listener.hasFailed) return
      listener.hasFailed = true
      const subject = this.#subject
      console.error(
        `[understudy] A listener of the ${subject} threw an error. Later errors of it are not logged. Correct that function.`,
        error,
      )
    }
    try {
      // One that is asynchronous fails later.
      const called = call()
      if (isPromise(called)) called.catch(report)
    } catch (error) {
      report(error)
    }
  }
}

interface Subscription<Message> {
  readonly hear: (message: Message) => void
  readonly ended: (() => void) | undefined
  hasFailed: boolean
}
