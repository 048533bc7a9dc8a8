import { isPromise } from '../shared/built-ins.ts'
import { quote } from '../shared/errors.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { isNested } from '../shared/values.ts'
import type { Understudy } from './create-understudy.ts'

/**
 * Refuses a value that is no mock server. Adapters call this first.
 *
 * @throws UnderstudyError
 */
export function requireUnderstudy(given: unknown, adapter: string): asserts given is Understudy {
  const has = (name: string) => isNested(given) && typeof given[name] === 'function'
  if (has('dispatch') && has('attach')) return
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `${adapter}: expected the object that createUnderstudy() returns; found ${found(given, has('dispatch'))}.`,
  )
}

function found(given: unknown, isWorld: boolean): string {
  if (isWorld) return 'a world: pass the understudy that it is of, and the name of the world as an option'
  if (isPromise(given)) return 'a promise: await it first'
  if (typeof given === 'function') return 'a function: call it, and pass what it returns'
  return given === undefined ? 'nothing' : quote(given)
}
