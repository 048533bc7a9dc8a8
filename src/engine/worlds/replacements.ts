import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { KeptWorld, ReplacingAct } from './world-state.ts'

type Standing = KeptWorld['state']

/** What replaces everything there is in a world: the last of it can be taken back. */
export class Replacements {
  readonly #look: () => Standing
  readonly #goBack: (before: Standing) => void
  #before: { readonly act: ReplacingAct; readonly standing: Standing } | undefined
  #isAtWork = false

  constructor(look: () => Standing, goBack: (before: Standing) => void) {
    this.#look = look
    this.#goBack = goBack
  }

  /** Replaces everything, as one act. Where the function throws, everything is as before. */
  make(act: ReplacingAct, replace: () => void): void {
    if (this.#isAtWork) {
      replace()
      return
    }
    this.#before = { act, standing: this.#look() }
    this.#isAtWork = true
    try {
      replace()
    } catch (error) {
      this.undo()
      throw error
    } finally {
      this.#isAtWork = false
    }
  }

  /** Takes the last one back, and says what it was. */
  undo(): ReplacingAct {
    const before = this.#before
    if (before === undefined) throw new UnderstudyError('CONFLICT', 'There is nothing to take back.')
    this.forget()
    this.#goBack(before.standing)
    return before.act
  }

  forget(): void {
    this.#before = undefined
  }
}
