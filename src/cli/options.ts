import { InvalidArgumentError } from '@commander-js/extra-typings'
import { parseDuration } from '../wire/timestamps.ts'

/** Reads a whole number within bounds, for an option. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}

/** Reads a secret that goes into a header, for an option. */
export function secret(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('Expected a text of visible ASCII characters, without spaces.')
}

/** Reads a duration such as `90s` or `1h`, for an option. */
export function duration(text: string): string {
  if (parseDuration(text) !== undefined) return text
  throw new InvalidArgumentError('Expected a duration such as 90s, 20m or 1h.')
}
