import { UnderstudyError } from '../../shared/understudy-error.ts'

/** Fails a matcher that has an invalid argument or cannot decide. */
export function refuse(matcher: string, problem: string): never {
  throw new UnderstudyError('ARGUMENT_INVALID', `${matcher}: ${problem}`)
}
