import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import { isPromise } from '../../shared/built-ins.ts'
import { parameterNames } from '../../shared/path-templates.ts'
import { oneOf } from '../../shared/suggest.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { isNested } from '../../shared/values.ts'
import { isAsymmetric } from './compare.ts'
import type { MatcherResult, Received, RequestPattern } from './types.ts'

/**
 * Evaluates the requests of the value given to `expect`, asynchronously if they must be fetched.
 *
 * @param asked The operations, each with the pattern of its requests.
 * @param seeks True if finding a request is sufficient. Otherwise a journal that has dropped requests cannot
 * decide.
 */
export function readJournal(
  matcher: string,
  received: unknown,
  asked: readonly (readonly [operation: string, pattern?: RequestPattern | undefined])[],
  seeks: boolean,
  judge: (requests: readonly JournalEntry[]) => MatcherResult,
): MatcherResult | Promise<MatcherResult> {
  if (!hasJournal(received)) {
    throw new UnderstudyError(
      'ARGUMENT_INVALID',
      `${matcher}: expected an understudy, a world of one or a client, which have a journal; found ${describe(received)}.`,
    )
  }
  const { endpoints } = received
  const known = Array.isArray(endpoints)
    ? [...new Set(endpoints.map(({ operation }) => operation.id))]
    : undefined
  for (const [operation, pattern] of asked) {
    checkOperation(matcher, operation, known)
    if (endpoints !== undefined) checkParameters(matcher, operation, pattern, endpoints)
  }
  const { journal } = received
  const conclude = (requests: readonly JournalEntry[], lost: number | null) => {
    const result = judge(requests)
    if (seeks && result.pass) return result
    if (lost !== 0) refuseToTell(matcher, lost)
    if (result.unsure !== undefined) refuseToGuess(matcher, result.unsure)
    return result
  }
  const requests = journal.entries()
  const lost = journal.lost === undefined ? 0 : journal.lost()
  return isPromise(requests) || isPromise(lost)
    ? Promise.all([requests, lost]).then((both) => conclude(...both))
    : conclude(requests, lost)
}

/** A request that the journal has dropped may have matched. */
function refuseToTell(matcher: string, lost: number | null): never {
  const found =
    lost === null
      ? 'this understudy keeps no journal'
      : `the journal has lost the ${lost} oldest requests, so it cannot tell`
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `${matcher}: ${found}; createUnderstudy({ journal: { entries } }) says how many it keeps.`,
  )
}

/** A body that is not in the journal may have matched. */
function refuseToGuess(matcher: string, { sequence, operation, request: { omitted } }: JournalEntry): never {
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `${matcher}: the body of request ${sequence}, ${operation}, has ${omitted} characters and was not kept, so it cannot tell; leave body out of the pattern.`,
  )
}

function hasJournal(received: unknown): received is Received {
  if ((typeof received !== 'object' && typeof received !== 'function') || received === null) return false
  return 'journal' in received && isNested(received.journal) && typeof received.journal.entries === 'function'
}

function checkOperation(matcher: string, operation: unknown, known: readonly string[] | undefined): void {
  if (typeof operation !== 'string') {
    throw new UnderstudyError(
      'ARGUMENT_INVALID',
      `${matcher}: an operation is named by its id; found ${describe(operation)}.`,
    )
  }
  if (known === undefined || known.includes(operation)) return
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `${matcher}: there is no operation ${operation}; expected ${oneOf(operation, known)}.`,
  )
}

/** An unknown path parameter matches no request, which would make a negated expectation succeed. */
function checkParameters(
  matcher: string,
  operation: string,
  { params }: RequestPattern = {},
  endpoints: NonNullable<Received['endpoints']>,
): void {
  if (params === undefined || isAsymmetric(params)) return
  const paths = endpoints.flatMap((endpoint) =>
    endpoint.operation.id === operation ? (endpoint.route?.path ?? []) : [],
  )
  const names = [...new Set(paths.flatMap(parameterNames))]
  const unknown = Object.keys(params).find((name) => !names.includes(name))
  if (paths.length === 0 || unknown === undefined) return
  const there = names.length > 0 ? `it has ${names.join(', ')}` : 'it has none'
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `${matcher}: the paths of ${operation} have no parameter ${unknown}; ${there}.`,
  )
}

/** Describes a value without printing its content. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  const type = typeof value
  return type === 'object' ? 'an object without one' : `a ${type}`
}
