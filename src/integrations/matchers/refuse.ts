import { UnderstudyError } from '../../shared/understudy-error.ts'

/** Fails a matcher that was called with an invalid argument, or that cannot decide. */
export function refuse(matcher: string, problem: string): never {
  throw new UnderstudyError('ARGUMENT_INVALID', `${matcher}: ${problem}`)
}
