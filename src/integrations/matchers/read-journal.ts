import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import { isPromise } from '../../shared/built-ins.ts'
import { parameterNames } from '../../shared/path-templates.ts'
import { noSuch } from '../../shared/suggest.ts'
import { isNested } from '../../shared/values.ts'
import { isAsymmetric } from './compare.ts'
import { mayFit } from './pattern.ts'
import { refuse } from './refuse.ts'
import type { MatcherResult, Received, RequestPattern } from './types.ts'

/** An operation, with the pattern of its requests. */
export type ExpectedRequest = readonly [operation: string, pattern?: RequestPattern | undefined]

interface JournalResult extends MatcherResult {
  /** True if requests and bodies that are not in the journal cannot change the result. */
  readonly isFinal: boolean
}

/** Evaluates the requests of the value given to `expect`, asynchronously for a client. */
export function readJournal(
  matcher: string,
  received: unknown,
  expected: readonly ExpectedRequest[],
  compare: (requests: readonly JournalEntry[]) => JournalResult,
): MatcherResult | Promise<MatcherResult> {
  if (!hasJournal(received))
    refuse(
      matcher,
      `expected a mock, a world or a client, which have a request log; found ${describe(received)}.`,
    )
  const { journal, endpoints } = received
  for (const [operation, pattern] of expected) checkExpectation(matcher, operation, pattern, endpoints)
  const conclude = (requests: readonly JournalEntry[], lost: number | null) => {
    const result = compare(requests)
    if (result.isFinal) return result
    if (lost !== 0) refuse(matcher, describeLost(lost))
    const unsure = requests.find((request) =>
      expected.some(([operation, pattern]) => mayFit(request, operation, pattern)),
    )
    if (unsure !== undefined) refuse(matcher, describeUnsure(unsure))
    return result
  }
  const requests = journal.entries()
  const lost = journal.lost === undefined ? 0 : journal.lost()
  return isPromise(requests) || isPromise(lost)
    ? Promise.all([requests, lost]).then((both) => conclude(...both))
    : conclude(requests, lost)
}

function describeLost(lost: number | null): string {
  const found =
    lost === null
      ? 'this mock has no request log'
      : `the request log has dropped the ${lost} oldest requests, so the result is unknown`
  return `${found}; createUnderstudy({ journal: { entries } }) sets its length.`
}

function describeUnsure({ sequence, operation, request: { omitted } }: JournalEntry): string {
  return `the body of request ${sequence}, ${operation}, has ${omitted} characters and is not in the request log. Leave body out of the pattern.`
}

function hasJournal(received: unknown): received is Received {
  const isHolder = isNested(received) || typeof received === 'function'
  if (!isHolder || !('journal' in received)) return false
  return isNested(received.journal) && typeof received.journal.entries === 'function'
}

/** Refuses an unknown operation or path parameter: it matches no request, so a negated expectation would succeed. */
function checkExpectation(
  matcher: string,
  operation: unknown,
  { params = {} }: RequestPattern = {},
  endpoints: Received['endpoints'],
): void {
  if (typeof operation !== 'string')
    refuse(matcher, `expected the id of an operation, such as 'listPipelines'; found ${describe(operation)}.`)
  if (!Array.isArray(endpoints)) return
  const ids = [...new Set(endpoints.map((endpoint) => endpoint.operation.id))]
  if (!ids.includes(operation)) refuse(matcher, noSuch('operation', operation, ids))
  const paths = endpoints.flatMap((endpoint) =>
    endpoint.operation.id === operation ? (endpoint.route?.path ?? []) : [],
  )
  if (isAsymmetric(params) || paths.length === 0) return
  const names = [...new Set(paths.flatMap(parameterNames))]
  const unknown = Object.keys(params).find((name) => !names.includes(name))
  if (unknown !== undefined)
    refuse(
      matcher,
      `the paths of ${operation} have no parameter ${unknown}; they have ${names.join(', ') || 'none'}.`,
    )
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object without one' : `a ${typeof value}`
}
