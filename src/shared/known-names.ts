import { unknownKey } from './suggest.ts'
import { UnderstudyError } from './understudy-error.ts'

/** The names of all properties of a type: the compiler asks for each. */
export type NamesOf<Options> = { readonly [Name in keyof Required<Options>]: true }

/**
 * Rejects unknown options: a misspelt one would have no effect.
 *
 * @throws UnderstudyError `OPTION_INVALID`, with the names that there are.
 * @example
 * checkNames('createClient', options, { world: true, adminToken: true })
 */
export function checkNames(caller: string, options: object, names: object): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name))
  if (unknown === undefined) return
  const { expected, found } = unknownKey(unknown, Object.keys(names))
  throw new UnderstudyError('OPTION_INVALID', `${caller}: ${unknown}: expected ${expected}; found ${found}.`)
}
