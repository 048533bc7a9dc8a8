import type { Understudy } from './create-understudy.ts'

/** An understudy that answers otherwise; all else is the good one's, with its getters, which tell what an import brought. */
export function withAnswers(good: Understudy, answers: Partial<Understudy>): Understudy {
  // It has every member that the good one has.
  return Object.defineProperties({} as Understudy, {
    ...Object.getOwnPropertyDescriptors(good),
    ...Object.getOwnPropertyDescriptors(answers),
  })
}
