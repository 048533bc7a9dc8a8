import type { RuleId } from '../rules/index.ts'

/** What the two plays of a scenario have shown of a rule that the first found broken. */
interface Suspect<Evidence> {
  readonly evidence: Evidence
  isBrokenAgain: boolean
  holdsAgain: boolean
}

/**
 * A scenario that is played twice where it finds something: what the second play sees broken again is said, and what it
 * sees hold is unsteady. What it does not come to stays as it was seen.
 */
export class Confirmation<Evidence> {
  readonly #suspects = new Map<RuleId, Suspect<Evidence>>()
  #isSecond = false

  /** Whether the first play has found anything. */
  get isNeeded(): boolean {
    return this.#suspects.size > 0
  }

  /** Begins the second play. */
  beginAgain(): void {
    this.#isSecond = true
  }

  /** Takes a broken rule down. */
  broken(id: RuleId, evidence: () => Evidence): void {
    const suspect = this.#suspects.get(id)
    if (suspect !== undefined) suspect.isBrokenAgain ||= this.#isSecond
    // What shows in the second play alone may come of the first.
    else if (!this.#isSecond)
      this.#suspects.set(id, { evidence: evidence(), isBrokenAgain: false, holdsAgain: false })
  }

  /** Takes down that a rule holds; tells whether it is one that was found broken. */
  holds(id: RuleId): boolean {
    const suspect = this.#suspects.get(id)
    if (suspect !== undefined) suspect.holdsAgain ||= this.#isSecond
    return suspect !== undefined
  }

  /** What was found broken, and whether it stayed so. */
  *settled(): Generator<readonly [id: RuleId, evidence: Evidence, isSteady: boolean]> {
    for (const [id, { evidence, isBrokenAgain, holdsAgain }] of this.#suspects)
      yield [id, evidence, isBrokenAgain || !holdsAgain]
  }
}
