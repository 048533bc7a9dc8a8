import { quote } from './errors.ts'
import { unknownKey } from './suggest.ts'
import { parseDuration } from './timestamps.ts'
import { UnderstudyError } from './understudy-error.ts'
import { isObject } from './values.ts'

/** The check of an option's value. */
export interface OptionCheck {
  /** The expected value, in words. */
  readonly expected: string
  accepts(value: unknown): boolean
  /** Checks of the members, for a value that is an object. */
  readonly members?: Readonly<Record<string, true | OptionCheck>>
}

/** A check for each option of a type, which the compiler requires. True accepts any value. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: true | OptionCheck }

/** Creates the check of a whole number. */
export function wholeNumber(least: number, most?: number): OptionCheck {
  return {
    expected: `a whole number ${most === undefined ? `of ${least} or more` : `from ${least} to ${most}`}`,
    accepts: (value) =>
      Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= (most ?? Number(value)),
  }
}

export const duration: OptionCheck = {
  expected: 'milliseconds, or a duration such as 5s',
  accepts: (value) =>
    (typeof value === 'string' || typeof value === 'number') && parseDuration(value) !== undefined,
}

/**
 * Rejects unknown options, which would have no effect, and wrong values.
 *
 * @param caller The function in messages; empty for `createUnderstudy`.
 * @throws UnderstudyError `OPTION_INVALID`, with the names that there are.
 * @example
 * checkOptions('createClient', options, { world: true, adminToken: true })
 */
export function checkOptions(
  caller: string,
  options: object,
  checks: Readonly<Record<string, true | OptionCheck>>,
): void {
  const start = caller === '' ? '' : `${caller}: `
  if (!isObject(options)) throw refusal(`${start}options`, 'an object', quote(options))
  checkMembers(start, options, checks)
}

function checkMembers(
  start: string,
  options: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, true | OptionCheck>>,
): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    const place = start + name
    if (check === undefined) {
      const { expected, found } = unknownKey(name, Object.keys(checks))
      throw refusal(place, expected, found)
    }
    if (check === true || value === undefined) continue
    if (!check.accepts(value)) throw refusal(place, check.expected, quote(value))
    if (check.members !== undefined && isObject(value)) checkMembers(`${place}.`, value, check.members)
  }
}

function refusal(place: string, expected: string, found: string): UnderstudyError {
  return new UnderstudyError('OPTION_INVALID', `${place}: expected ${expected}; found ${found}.`)
}
