import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import { quote } from '../../shared/errors.ts'
import { hidden } from '../../shared/hidden.ts'
import { hideNamed } from '../../shared/hide-in-text.ts'
import { isSecretHeader, isSecretName } from '../../shared/secret-names.ts'
import { expectedName } from '../../shared/suggest.ts'
import { type Comparison, compare, isAsymmetric, isObject, joinNamed } from './compare.ts'
import { refuse } from './refuse.ts'
import type { RequestPattern } from './types.ts'

const parts = ['params', 'query', 'headers', 'body', 'status'] as const

/** A received request and its distance from the expected one. */
export interface Miss {
  readonly request: JournalEntry
  readonly comparison: Comparison
}

/** Refuses a pattern that no request can match: a typing error would look like a missing request. */
export function checkPattern(matcher: string, pattern: unknown): void {
  if (pattern === undefined) return
  const names = parts.join(', ')
  if (!isObject(pattern)) refuse(matcher, `expected an object with ${names} as the pattern.`)
  for (const [part, value] of Object.entries(pattern)) {
    if (!parts.some((name) => name === part))
      refuse(matcher, `expected ${expectedName('key', part, parts)} in the pattern; found ${quote(part)}.`)
    const isNamed = part === 'params' || part === 'query' || part === 'headers'
    if (isNamed && value !== undefined && !isObject(value))
      refuse(matcher, `${part} of a pattern is an object of values by name.`)
    refuseCredentials(matcher, part, value, part === 'headers' ? isSecretHeader : isSecretName)
  }
}

function compareRequest(
  pattern: RequestPattern,
  { params, query, status, request }: JournalEntry,
): Comparison {
  const given = parts.filter((part) => pattern[part] !== undefined)
  const compared = {
    params: () => compare(pattern.params, params, 'text'),
    query: () => compare(pattern.query, query, 'text'),
    headers: () => compare(inLowerCase(pattern.headers), inLowerCase(request.headers), 'text'),
    body: () => compare(pattern.body, request.body),
    status: () => compare(pattern.status, status),
  }
  return joinNamed(given.map((part) => [part, compared[part]()]))
}

export function fits(request: JournalEntry, operation: string, pattern: RequestPattern = {}): boolean {
  return request.operation === operation && compareRequest(pattern, request).differences === 0
}

/** Returns whether a request might fit a pattern although the journal omits its large body. */
export function mayFit(
  request: JournalEntry,
  operation: string,
  { body, ...rest }: RequestPattern = {},
): boolean {
  return body !== undefined && request.request.omitted !== undefined && fits(request, operation, rest)
}

/** Returns the request of an operation with the fewest differences, the latest of several; `undefined` if there is none. */
export function nearestMiss(
  requests: readonly JournalEntry[],
  operation: string,
  pattern: RequestPattern = {},
): Miss | undefined {
  return requests
    .filter((request) => request.operation === operation)
    .map((request) => ({ request, comparison: compareRequest(pattern, request) }))
    .filter(({ comparison }) => comparison.differences > 0)
    .toReversed()
    .toSorted((one, other) => one.comparison.differences - other.comparison.differences)[0]
}

/** The journal contains no credentials, so none can match; and the message would print it. */
function refuseCredentials(
  matcher: string,
  path: string,
  value: unknown,
  isSecretHere: (name: string) => boolean,
): void {
  if (isAsymmetric(value) || typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const isComparable = inner === undefined || inner === null || inner === hidden || isAsymmetric(inner)
    const isSecret = isSecretHere(name) || (typeof inner === 'string' && hideNamed(inner) !== inner)
    if (isSecret && !isComparable)
      refuse(
        matcher,
        `the request log stores no credentials, so ${path}.${name} cannot be compared; expect '***' where one was sent.`,
      )
    refuseCredentials(matcher, `${path}.${name}`, inner, isSecretHere)
  }
}

function inLowerCase(headers: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return isAsymmetric(headers)
    ? headers
    : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
