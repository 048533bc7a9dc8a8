/** A journal that takes part in a budget. */
export interface BudgetedJournal {
  readonly weight: number
  /** Drops the oldest requests until it takes so many bytes, or nothing is left. */
  lighten(weight: number): void
}

/** The bytes that the journals of all worlds may take together. */
export class JournalBudget {
  readonly #most: number
  readonly #told: (() => void) | undefined
  readonly #journals = new Set<BudgetedJournal>()
  #weight = 0
  #hasDropped = false

  /** @param told called once, when the first request is dropped to stay within the budget. */
  constructor(most: number, told?: () => void) {
    this.#most = most
    this.#told = told
  }

  /** Counts what a journal has taken, or given back. */
  count(journal: BudgetedJournal, weight: number): void {
    this.#weight += weight
    if (journal.weight > 0) this.#journals.add(journal)
    else this.#journals.delete(journal)
  }

  /** Has the heaviest journals drop their oldest requests while all together take too much. */
  keep(): void {
    if (this.#weight <= this.#most) return
    if (!this.#hasDropped) {
      this.#hasDropped = true
      this.#told?.()
    }
    while (this.#weight > this.#most && this.#journals.size > 0) {
      const heaviest = [...this.#journals].reduce((one, other) => (other.weight > one.weight ? other : one))
      // An eighth at once: who is heaviest is not looked for with each request.
      heaviest.lighten(Math.min(heaviest.weight * 0.875, heaviest.weight - (this.#weight - this.#most)))
    }
  }
}
