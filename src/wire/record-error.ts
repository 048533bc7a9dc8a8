import type { Flaw } from './issues.ts'

/** Thrown where a record cannot be written: says which attributes are wrong, and what was expected of them. */
export class RecordError extends Error {
  readonly flaws: readonly Flaw[]

  constructor(action: string, flaws: readonly Flaw[]) {
    const reasons = flaws
      .slice(0, 3)
      .map(({ path, expected, found }) => `${path}: expected ${expected}; found ${found}`)
    super(`[understudy] ${action}: ${reasons.join('. ')}.`)
    this.name = 'RecordError'
    this.flaws = flaws
  }
}
