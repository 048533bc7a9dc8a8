import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { ClockOption } from '../engine/clock.ts'
import { parseDuration } from '../shared/timestamps.ts'

/** Returns a parser of whole numbers within bounds, for an option. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}

/** Parses a secret for a header, for an option. */
export function secret(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('Expected a text of visible ASCII characters, without spaces.')
}

type PairReader = (text: string, before?: Record<string, string>) => Record<string, string>

/** Parses `name=value` pairs, separated by commas, for an option. */
export const readPairs = pairReader('name=value')

/** Parses `name=file` pairs, separated by commas, for an option. */
export const namesWithFiles = pairReader('name=file, such as junit=report.xml')

function pairReader(form: string): PairReader {
  return (text, before = {}) => {
    const pairs = text.split(',').map((pair) => {
      const [name, ...rest] = pair.split('=')
      if (!name || rest.length === 0) throw new InvalidArgumentError(`Expected ${form}.`)
      return [name, rest.join('=')] as const
    })
    return { ...before, ...Object.fromEntries(pairs) }
  }
}

/** Parses a duration such as `90s` or `1h`, for an option. */
export function duration(text: string): string {
  if (parseDuration(text) !== undefined) return text
  throw new InvalidArgumentError('Expected a duration such as 90s, 20m or 1h.')
}

/** Parses a clock mode for an option: `frozen`, `system`, or a speed such as `60x`. */
export function clockOption(text: string): ClockOption {
  if (text === 'frozen' || text === 'system') return text
  const [, digits] = /^(\d+(?:\.\d+)?)x$/.exec(text) ?? []
  const speed = Number(digits)
  if (!(speed > 0 && speed <= 1e6))
    throw new InvalidArgumentError('Expected frozen, system, or a speed such as 60x.')
  return { speed }
}

const units = new Map([
  ['', 1],
  ['KB', 1024],
  ['MB', 1024 ** 2],
  ['GB', 1024 ** 3],
])

/** A number of bytes below this one was probably meant in another unit. */
const leastWithoutUnit = 64 * 1024

/** Parses a number of bytes, such as `134217728` or `128MB`, for an option. */
export function size(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})(KB|MB|GB)?$/i.exec(text) ?? []
  const bytes = Number(digits) * (units.get(unit.toUpperCase()) ?? Number.NaN)
  if (unit === '' && bytes < leastWithoutUnit)
    throw new InvalidArgumentError(`That is ${bytes} bytes. Add a unit, such as ${digits}MB.`)
  if (!Number.isNaN(bytes)) return bytes
  throw new InvalidArgumentError('Expected a number of bytes, or a size such as 64MB.')
}
