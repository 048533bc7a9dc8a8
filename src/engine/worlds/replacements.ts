import { doAtOnce, type Slices } from '../../shared/slices.ts'
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

  /** Replaces, as one act whatever it is made of; where it fails, everything stands as before. */
  make(act: ReplacingAct, run: () => void): void {
    doAtOnce(this.making(act, oneStep(run)))
  }

  /** The same of work that may take long: nobody else may be at work in the world meanwhile. */
  *making(act: ReplacingAct, work: Slices): Slices {
    if (this.#isAtWork) {
      yield* work
      return
    }
    this.#before = { act, standing: this.#look() }
    this.#isAtWork = true
    try {
      yield* work
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

function* oneStep(run: () => void): Slices {
  run()
  yield
}
