import type { WireRecord } from '../resources/resource.ts'
import { ownValue } from '../shared/values.ts'

/** Predicate of a search. */
type Finder = (record: WireRecord) => boolean

const units: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, min: 6e4, h: 36e5, d: 864e5 }

/**
 * Parses a search: `status:failed`, `took:>1h`, and texts that may occur anywhere. All parts must match.
 * Returns `undefined` for an empty search.
 *
 * @param attributes are those that records have; `undefined` where they may have any.
 */
export function readSearch(text: string, attributes: readonly string[] | undefined): Finder | undefined {
  const tokens = text.match(/\w+:"[^"]*"|"[^"]*"|\S+/g) ?? []
  if (tokens.length === 0) return undefined
  const tests = tokens.map((token) => readToken(token, attributes))
  return (record) => tests.every((test) => test(record))
}

function readToken(token: string, attributes: readonly string[] | undefined): Finder {
  const [, name, rest = ''] = /^(\w+):(.*)$/.exec(token) ?? []
  if (name === 'took') return readLength(rest)
  // An address is no attribute, though it has a colon.
  if (name !== undefined && (attributes?.includes(name) ?? true)) {
    const wanted = rest.replaceAll('"', '')
    return (record) => shownText(ownValue(record, name)) === wanted
  }
  const wanted = token.replaceAll('"', '').toLowerCase()
  return (record) => {
    for (const name in record) if (shownText(record[name]).toLowerCase().includes(wanted)) return true
    return false
  }
}

function readLength(text: string): Finder {
  const [, sign = '>', count = '0', unit = 's'] = /^([<>]?)(\d+(?:\.\d+)?)([a-z]*)$/.exec(text) ?? []
  const limit = Number(count) * (units[unit] ?? 1e3)
  return ({ created_at: start, completed_at: end }) => {
    if (typeof start !== 'string' || typeof end !== 'string') return false
    const length = Date.parse(end.replace(' ', 'T')) - Date.parse(start.replace(' ', 'T'))
    return sign === '<' ? length < limit : length > limit
  }
}

/** Returns the text of a value in one line; empty for no value. */
function shownText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Compares two values for an order: numbers by size, all others as texts. */
export function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [left, right] = [shownText(one), shownText(other)]
  return left < right ? -1 : left > right ? 1 : 0
}
