import type { WireRecord } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
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
  const terms = [...new Set(text.match(/\w+:"[^"]*"|"[^"]*"|\S+/g))]
  if (terms.length === 0) return undefined
  if (terms.length > limits.searchTerms)
    throw new UnderstudyError(
      'ARGUMENT_INVALID',
      `Expected a search of at most ${limits.searchTerms} terms; found ${terms.length}.`,
    )
  const tests: Finder[] = []
  const words: string[] = []
  for (const term of terms) {
    const test = readAttributeTerm(term, attributes)
    if (test === undefined) words.push(term.replaceAll('"', '').toLowerCase())
    else tests.push(test)
  }
  if (words.length > 0) tests.push((record) => hasWords(record, words))
  return (record) => tests.every((test) => test(record))
}

/** Reads a term about one attribute; `undefined` for a text that may be in any of them. */
function readAttributeTerm(term: string, attributes: readonly string[] | undefined): Finder | undefined {
  const [, name, rest = ''] = /^(\w+):(.*)$/.exec(term) ?? []
  if (name === 'took') return readLength(rest)
  // A URL contains a colon, but names no attribute.
  if (name === undefined || !(attributes?.includes(name) ?? true)) return undefined
  const wanted = rest.replaceAll('"', '')
  return (record) => shownText(ownValue(record, name)) === wanted
}

/** Returns whether each word is in the text of some attribute. */
function hasWords(record: WireRecord, words: readonly string[]): boolean {
  const missing = new Set(words)
  for (const name in record) {
    const text = shownText(record[name]).toLowerCase()
    for (const word of missing) if (text.includes(word)) missing.delete(word)
    if (missing.size === 0) return true
  }
  return false
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

/** Returns the sort key of a value: numbers by size, all others as texts. */
export function sortKeyOf(value: unknown): number | string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'number' ? value : shownText(value)
}

/** Compares two sort keys. */
export function compareKeys(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [left, right] = [String(one), String(other)]
  return left < right ? -1 : left > right ? 1 : 0
}
