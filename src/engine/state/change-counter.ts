/** How often what an understudy keeps has changed, for whoever keeps it elsewhere. */
export class ChangeCounter {
  #count = 0
  #heard: (() => void) | undefined

  get count(): number {
    return this.#count
  }

  note(): void {
    this.#count += 1
    const heard = this.#heard
    if (heard === undefined) return
    this.#heard = undefined
    heard()
  }

  /** Calls a function at the next change, once. */
  whenNext(heard: (() => void) | undefined): void {
    this.#heard = heard
  }
}
