import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import { ClientLint, describeIssue } from '../../traffic/client-lint.ts'
import { fromJournal } from '../../traffic/from-journal.ts'
import { describeOthers, printDiff, toCounts, toDiff, toLine, toLines } from './describe.ts'
import { checkPattern, fits, nearestMiss } from './pattern.ts'
import { compareDifference, describeDifference, readDifference, withoutSecrets } from './read-difference.ts'
import { readJournal } from './read-journal.ts'
import { refuse } from './refuse.ts'
import type {
  DifferenceFrom,
  ExpectedDifference,
  MatcherContext,
  MatcherResult,
  OrderedRequest,
  RequestPattern,
  UnderstudyMatchers,
} from './types.ts'

type MatcherOutcome = MatcherResult | Promise<MatcherResult>

function toHaveReceived(
  this: MatcherContext,
  received: unknown,
  operation: string,
  pattern?: RequestPattern,
): MatcherOutcome {
  checkPattern('toHaveReceived', pattern)
  return readJournal('toHaveReceived', received, [[operation, pattern]], (requests) => {
    const fitting = requests.filter((request) => fits(request, operation, pattern))
    const pass = fitting.length > 0
    const message = () =>
      pass
        ? `Received, and expected not to be:\n${toLines(fitting)}`
        : explainMiss(this, requests, operation, pattern)
    return { ...toResult(this, 'toHaveReceived', quote(operation), pass, message), isFinal: pass }
  })
}

function toHaveReceivedTimes(
  this: MatcherContext,
  received: unknown,
  operation: string,
  times: number,
  pattern?: RequestPattern,
): MatcherOutcome {
  const matcher = 'toHaveReceivedTimes'
  checkPattern(matcher, pattern)
  if (!Number.isInteger(times) || times < 0)
    refuse(matcher, `expected a whole number of times; found ${JSON.stringify(times)}.`)
  return readJournal(matcher, received, [[operation, pattern]], (requests) => {
    const fitting = requests.filter((request) => fits(request, operation, pattern))
    const pass = fitting.length === times
    const message = () => {
      const { printExpected, printReceived } = this.utils
      const numbers = `Expected: ${pass ? 'not ' : ''}${printExpected(times)}\nReceived: ${printReceived(fitting.length)}`
      const missed = fitting.length < times ? nearestMiss(requests, operation, pattern) : undefined
      return [
        fitting.length > 0 ? `${numbers}\n\n${toLines(fitting)}` : numbers,
        ...(missed ? [`The nearest of the others:\n${toDiff(this, missed)}`] : []),
        ...(fitting.length === 0 && !missed ? [describeOthers('instead', requests)] : []),
      ].join('\n\n')
    }
    const result = toResult(this, matcher, `${quote(operation)}, ${times}`, pass, message)
    return { ...result, isFinal: fitting.length > times }
  })
}

function toHaveReceivedInOrder(
  this: MatcherContext,
  received: unknown,
  ordered: readonly OrderedRequest[],
): MatcherOutcome {
  const matcher = 'toHaveReceivedInOrder'
  if (!Array.isArray(ordered) || ordered.length === 0)
    refuse(matcher, "expected a list such as ['createBackfill', 'deleteBackfill'].")
  const steps = ordered.map((step: OrderedRequest) => (typeof step === 'string' ? ([step] as const) : step))
  for (const [, pattern] of steps) checkPattern(matcher, pattern)
  return readJournal(matcher, received, steps, (requests) => {
    const found: JournalEntry[] = []
    let rest = requests
    // The first match is always the best choice: it leaves the most requests for the later steps.
    for (const [operation, pattern] of steps) {
      const next = rest.find((request) => fits(request, operation, pattern))
      if (next === undefined) break
      found.push(next)
      rest = rest.slice(rest.indexOf(next) + 1)
    }
    const missing = steps[found.length]
    const message = () => {
      if (missing === undefined) return `Received in this order:\n${toLines(found)}`
      const [operation, pattern] = missing
      const place = `Step ${found.length + 1} of ${steps.length}, ${operation}, is missing`
      const earlier = requests
        .slice(0, requests.length - rest.length)
        .findLast((request) => !found.includes(request) && fits(request, operation, pattern))
      return [
        found.length === 0 ? `${place}.` : `${place} after step ${found.length}:\n${toLines(found)}`,
        earlier
          ? `It came earlier:\n${toLine(earlier)}`
          : explainMiss(this, rest, operation, pattern, found.length === 0 ? 'instead' : 'after that'),
      ].join('\n\n')
    }
    const given = `[${steps.map(([operation]) => quote(operation)).join(', ')}]`
    const pass = missing === undefined
    return { ...toResult(this, matcher, given, pass, message), isFinal: pass }
  })
}

function toHaveNoUnexpectedRequests(this: MatcherContext, received: unknown): MatcherOutcome {
  return readJournal('toHaveNoUnexpectedRequests', received, [], (requests) => {
    const unexpected = requests.filter(
      ({ operation, method }) => operation === undefined && method !== 'OPTIONS',
    )
    const message = () =>
      unexpected.length > 0
        ? `Reached no operation, by an unknown path or method:\n${toLines(unexpected)}`
        : `Expected a request that reaches no operation. Received: ${toCounts(requests)}.`
    const result = toResult(this, 'toHaveNoUnexpectedRequests', '', unexpected.length === 0, message)
    return { ...result, isFinal: !result.pass }
  })
}

function toHaveNoClientIssues(this: MatcherContext, received: unknown): MatcherOutcome {
  return readJournal('toHaveNoClientIssues', received, [], (requests) => {
    const lint = new ClientLint()
    for (const request of requests) lint.add(fromJournal(request), request.notes)
    const { issues } = lint
    const message = () =>
      issues.length > 0
        ? issues.map(describeIssue).join('\n\n')
        : `Expected an issue of the client. Received: ${toCounts(requests)}.`
    const result = toResult(this, 'toHaveNoClientIssues', '', issues.length === 0, message)
    return { ...result, isFinal: false }
  })
}

const nothingChanged =
  'Changed: nothing. If the app sends its request later, wait for it first, such as with vi.waitFor.'

function toHaveChanged(
  this: MatcherContext,
  received: unknown,
  expected: ExpectedDifference = {},
  from?: DifferenceFrom,
): MatcherOutcome {
  return readDifference(received, expected, from, (difference) => {
    const comparison = compareDifference(expected, difference)
    const changed = describeDifference(difference)
    const expectsAny = Object.keys(expected).length === 0
    const pass = expectsAny ? changed !== '' : comparison.differences === 0
    const message = () => {
      const all = changed === '' ? nothingChanged : `Changed: ${changed}.`
      if (pass || expectsAny) return all
      const sides = {
        expected: withoutSecrets(comparison.expected),
        received: withoutSecrets(comparison.received),
      }
      return `${all}\n\n${printDiff(this, sides)}`
    }
    return toResult(this, 'toHaveChanged', expectsAny ? '' : 'expected', pass, message)
  })
}

/**
 * The matchers, for a runner's `expect`.
 *
 * @example
 * expect.extend(understudyMatchers)
 */
export const understudyMatchers = {
  toHaveReceived,
  toHaveReceivedTimes,
  toHaveReceivedInOrder,
  toHaveNoUnexpectedRequests,
  toHaveNoClientIssues,
  toHaveChanged,
} satisfies Record<keyof UnderstudyMatchers, unknown> // A matcher and its assertion: one without the other does not compile.

/** Explains why no request of an operation matches: shows the nearest one, or the received requests. */
function explainMiss(
  context: MatcherContext,
  requests: readonly JournalEntry[],
  operation: string,
  pattern: RequestPattern | undefined,
  where = 'instead',
): string {
  const missed = nearestMiss(requests, operation, pattern)
  if (missed === undefined) return describeOthers(where, requests)
  const count = requests.filter((request) => request.operation === operation).length
  const which = count === 1 ? `The only ${operation}` : `The nearest of ${count} ${operation}`
  return `${which}:\n${toDiff(context, missed)}`
}

function toResult(
  context: MatcherContext,
  matcher: string,
  given: string,
  pass: boolean,
  message: () => string,
): MatcherResult {
  const hint = () =>
    context.utils.matcherHint(matcher, 'understudy', given, { isNot: context.isNot === true })
  return { pass, message: () => `${hint()}\n\n${message()}` }
}

function quote(operation: string): string {
  return `'${operation}'`
}
