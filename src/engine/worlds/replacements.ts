import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { ReplacingAct, WorldState } from './world-state.ts'

/** Runs the acts that replace everything in a world, and undoes the last of them. */
export class Replacements {
  readonly #read: () => WorldState
  readonly #restore: (before: WorldState) => void
  #before: { readonly act: ReplacingAct; readonly state: WorldState } | undefined
  #isReplacing = false

  constructor(read: () => WorldState, restore: (before: WorldState) => void) {
    this.#read = read
    this.#restore = restore
  }

  /** Replaces everything, as one act. If the function throws, everything is as before. */
  make(act: ReplacingAct, replace: () => void): void {
    if (this.#isReplacing) {
      replace()
      return
    }
    this.#before = { act, state: this.#read() }
    this.#isReplacing = true
    try {
      replace()
    } catch (error) {
      this.undo()
      throw error
    } finally {
      this.#isReplacing = false
    }
  }

  undo(): ReplacingAct {
    const before = this.#before
    if (before === undefined) {
      throw new UnderstudyError(
        'CONFLICT',
        'There is nothing to undo. First reset, restore, import or start a scenario.',
      )
    }
    this.clear()
    this.#restore(before.state)
    return before.act
  }

  clear(): void {
    this.#before = undefined
  }
}
