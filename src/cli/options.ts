import { InvalidArgumentError } from 'commander'

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
