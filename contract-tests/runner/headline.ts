import type { Rule } from '../rules/index.ts'
import {
  type FailedCheck,
  isNames,
  isPhrase,
  isWord,
  mustRefuse,
  type Reduced,
  refusalOf,
  writeValue,
} from './failed-check.ts'
import { isObject } from './is-object.ts'
import { factsOf, type OperationFacts } from './operation-facts.ts'
import { furtherAttributes } from './reduce-check.ts'
import { statusAttribute } from './value-forms.ts'

interface Headline {
  readonly check: FailedCheck
  readonly reduced: Reduced
  readonly title: string
  readonly isRefusal: boolean
  readonly facts: OperationFacts | undefined
}

/** Describes the case in which the specification requires an error. */
function refusedCase({ rule, expected }: FailedCheck): string {
  const words = /^an? error:? (.+)/.exec(String(expected?.value))?.[1]
  return words ?? rule.claim.replace(/,? (is|are) (an error|refused|not found)\b.*$/, '').replace(/\.$/, '')
}

/** Describes the violation in one line. */
export function headlineOf({ check, reduced, title, isRefusal, facts }: Headline): string {
  const { rule, exchange } = check
  const { attribute, received, expected } = reduced
  const kind = facts?.singular.replaceAll('_', ' ') ?? 'record'
  const context = contextOf(rule, facts)
  if (exchange.body === undefined) return `${title} returns no JSON (HTTP ${exchange.httpStatus})${context}`
  if (isRefusal) return refusalHeadline(check, title, context)
  const values = isObject(check.received?.value) ? check.received.value : {}
  const key = 'id' in values ? 'id' : 'uuid' in values ? 'uuid' : undefined
  const listed = /^no (\w+) of this/.exec(String(check.expected?.value))?.[1]
  if (listed !== undefined) {
    const isDeleted = rule.operation.startsWith('delete')
    const name =
      values[key ?? 'id'] === undefined
        ? `a ${listed} without id`
        : `${listed} ${String(values[key ?? 'id'])}`
    return isDeleted
      ? `Deleted ${name} is still listed`
      : `${title} shows ${name}, which does not belong there`
  }
  if (key !== undefined && typeof values.found === 'number')
    return `${title} shows ${memberOf(key, facts)} ${String(values[key])} ${values.found === 0 ? 'not at all' : `${values.found} times`}${context}`
  if (typeof values.runs === 'number')
    return `${title} starts a run of schedule ${String(values.schedule)}, which it does not trigger`
  if (typeof values.items === 'number')
    return `${title} returns more items than its \`_limit\`: ${values.items}`
  if (typeof values.absent === 'string') return `${title}: ${values.absent} is missing${context}`
  if (typeof values.notRequested === 'string')
    return `${title} shows ${values.notRequested}, which was not requested${context}`
  if (mustRefuse(check)) {
    const refused = refusedCase(check)
    return refused.startsWith('A request ')
      ? `${title} accepts ${refused[0]?.toLowerCase()}${refused.slice(1)}`
      : `${title} accepts a request that must be refused: ${refused}`
  }
  if (attribute === undefined && isNames(received) && isNames(expected?.value))
    return `${title} ${listedInstead(received, expected.value, kind)}${context}`
  if (attribute === statusAttribute) return `${title} answers HTTP ${String(received)} instead of 200`
  if (attribute !== undefined && received === undefined) return `${title}: ${attribute} is missing${context}`
  if (attribute !== undefined) {
    const wanted = expected && isWord(expected.value, /./) && isPhrase(String(expected.value), attribute)
    const instead =
      expected === undefined
        ? ''
        : ` instead of ${wanted ? String(expected.value) : short(writeValue(expected.value))}`
    return `${title}: ${attribute} is ${short(writeValue(received))}${instead}${context}`
  }
  if (Array.isArray(values.absent))
    return `${title}: ${values.absent.length} attributes of the ${kind} are missing`
  const more = furtherAttributes(check.received?.value, facts)
  if (more.length > 0) return `${title} shows more attributes than listed: ${short(more.join(', '))}`
  return `${title} violates the rule: ${rule.claim.replace(/\.$/, '')}${context}`
}

/** Describes an unexpected error. */
function refusalHeadline({ rule, exchange, expected }: FailedCheck, title: string, context: string): string {
  const error = short(refusalOf(exchange)).replace(/\.$/, '')
  const credential = /^a success (with .+)/.exec(String(expected?.value))?.[1]
  if (credential !== undefined) return `${title} ${credential} answers with ${error}`
  const isOfAnother = rule.id.endsWith('/unchanged-neighbours')
  return isOfAnother
    ? `${title} answers with ${error} after ${titleOf(rule.operation)} of another record`
    : `${title} answers with ${error}${context}`
}

/** Describes which records a list has that it must not have, or lacks. */
function listedInstead(extra: readonly string[], absent: readonly string[], kind: string): string {
  const names = (all: readonly string[]) =>
    all.every((name) => name === 'undefined')
      ? `a ${kind} without id`
      : `${kind}${all.length === 1 ? '' : 's'} ${short(all.join(', '))}`
  if (absent.length === 0)
    return `shows ${names(extra)}, which ${extra.length === 1 ? 'does' : 'do'} not belong there`
  if (extra.length === 0) return `lacks ${names(absent)}`
  const isOrder = extra.length === absent.length && extra.every((name) => absent.includes(name))
  return isOrder
    ? `lists ${names(extra)} in another order`
    : `shows ${names(extra)} instead of ${names(absent)}`
}

/** The kind of a member that a reply shows under a key. */
function memberOf(key: string, facts: OperationFacts | undefined): string {
  if (facts === undefined) return 'record'
  return key === 'uuid' && facts.singular === 'pipeline' ? 'block' : facts.singular.replaceAll('_', ' ')
}

/** The operation that the rule is about, if another reply shows the difference. */
function contextOf({ id, operation }: Rule, facts: OperationFacts | undefined): string {
  if (id.endsWith('/unchanged-neighbours')) return ` in another record after ${titleOf(operation)}`
  const isOther = facts !== undefined && facts.operation !== operation
  return isOther && /^(create|update|delete|trigger)/.test(operation) ? ` after ${titleOf(operation)}` : ''
}

function titleOf(operation: Rule['operation']): string {
  return factsOf(operation)?.title ?? operation
}

/** Shortens a text to a part of a headline. */
function short(text: string): string {
  return text.length > 48 ? `${text.slice(0, 47)}…` : text
}
