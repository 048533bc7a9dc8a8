import type { Sentence } from '../rules/document.ts'
import { causesOf, unexpectedRecords } from './cause-keys.ts'
import { excerptOf } from './excerpt.ts'
import {
  type FailedCheck,
  isAboutEnvelope,
  isAboutErrors,
  isPhrase,
  isWord,
  mustRefuse,
  type Reduced,
  refusalOf,
  writeValue,
} from './failed-check.ts'
import { headlineOf } from './headline.ts'
import { isObject } from './is-object.ts'
import type { OperationFacts } from './operation-facts.ts'
import { operationOf } from './operation-of.ts'
import type { Exchange } from './read-exchange.ts'
import { isEmpty, reduce, withoutCommon } from './reduce-check.ts'
import { changeOf, formOf, freeText, patternOf, textForm } from './value-forms.ts'
import { sentenceOf } from './violated-sentence.ts'

/** The difference between a reply and the specification, reduced for people. */
export interface Difference {
  /** Description of the violation in one line. */
  readonly headline: string
  /** The sentence of the specification: the attribute's own row, if the rule is based on a heading. */
  readonly sentence: Sentence
  /** The title of the operation whose reply shows it. */
  readonly operation: string
  readonly attribute: string | undefined
  readonly expected: string
  readonly received: string
  /** The same without parts that differ in each run: names, ids, timestamps. */
  readonly expectedForm: string
  readonly receivedForm: string
  /** Findings that have one of these in common have one cause. */
  readonly causes: readonly string[]
}

/** Maximum number of distinct deviations of one rule. Only a server that replies at random has more. */
export const mostDeviations = 40

/** Identifies a deviation of a rule: equal in each run that shows it, whatever the names of the records. */
export function deviationKey({
  operation,
  attribute = '',
  expectedForm,
  receivedForm,
}: Pick<Difference, 'operation' | 'attribute' | 'expectedForm' | 'receivedForm'>): string {
  return JSON.stringify([operation, attribute, expectedForm, receivedForm])
}

/** Reduces a failed check to its difference. */
export function differenceOf(check: FailedCheck): Difference {
  const { rule, exchange } = check
  const facts = operationOf(exchange.method, exchange.path)?.facts
  const title = facts?.title ?? `${exchange.method} ${patternOf(exchange.path)}`
  const isRefusal = isUnexpectedError(check)
  const reduced = isRefusal
    ? { attribute: undefined, received: refusalOf(exchange), expected: undefined }
    : withoutCommon(reduce(check, facts))
  const { attribute } = reduced
  const words = wordsOf(check, reduced, isRefusal)
  const expected = words ?? (reduced.expected ? writeValue(reduced.expected.value) : rule.claim)
  const named = (text: string) =>
    attribute === undefined || text.startsWith('(') ? text : `${JSON.stringify(attribute)}: ${text}`
  const isValue = words === undefined && reduced.expected !== undefined
  const receivedForm = isRefusal ? refusalForm(exchange) : receivedFormOf(reduced)
  return {
    headline: headlineOf({ check, reduced, title: withMethod(title, exchange, facts), isRefusal, facts }),
    sentence: sentenceOf(check, facts, reduced),
    operation: title,
    attribute,
    expected: isValue ? named(expected) : expected,
    received: isRefusal ? String(reduced.received) : named(writeValue(reduced.received)),
    expectedForm: expectedFormOf(check, reduced, isRefusal),
    receivedForm,
    causes: causesOf(check, facts, {
      attribute,
      receivedForm: isRefusal ? receivedForm : causeForm(reduced),
      isRefusal,
      extra: unexpectedRecords(check, reduced),
    }),
  }
}

/** Adds the method of a request that does not use the documented one. */
function withMethod(title: string, { method }: Exchange, facts: OperationFacts | undefined): string {
  return facts === undefined || facts.routes[0]?.method === method ? title : `${title} with ${method}`
}

/** Returns whether the reply is an error instead of the expected success. */
function isUnexpectedError({ rule, exchange, received, expected }: FailedCheck): boolean {
  if (exchange.error === undefined) return false
  if (rule.id.endsWith('/accepted') || isWord(expected?.value, /^a success/)) return true
  if (isAboutErrors(rule)) return false
  if (isObject(received?.value) && isObject(received.value.error)) return true
  const isNothing = received === undefined || isEmpty(received.value)
  return isNothing && !isWord(expected?.value, /^an? (error|refusal)/)
}

/** Expectation in words, if it is not a value. */
function wordsOf(
  check: FailedCheck,
  { attribute, expected }: Reduced,
  isRefusal: boolean,
): string | undefined {
  if (isRefusal) return isWord(check.expected?.value, /./) ? String(check.expected?.value) : 'a success'
  if (expected !== undefined) return statedWords(check, { attribute, expected })
  if (mustRefuse(check)) return 'an error'
  return check.described ?? membersExpected(check, attribute)
}

/** Expectation in the words of the check. */
function statedWords(
  { described }: FailedCheck,
  { attribute, expected }: Pick<Reduced, 'attribute' | 'expected'>,
): string | undefined {
  if (expected === undefined) return described
  return typeof expected.value === 'string' && isPhrase(expected.value, attribute)
    ? expected.value
    : undefined
}

/** The member of a reply, or the attribute of a record, that the specification requires. */
function membersExpected({ rule, exchange, received }: FailedCheck, attribute: string | undefined) {
  if (rule.id.endsWith('/attributes'))
    return attribute === undefined ? undefined : `the attribute "${attribute}"`
  const facts = operationOf(exchange.method, exchange.path)?.facts
  if (!isAboutEnvelope(rule) || received === undefined || facts === undefined) return undefined
  if (attribute === 'metadata') return facts.plural === 'logs' ? 'an empty object' : 'an object'
  if (attribute === facts.plural) return 'an array of objects'
  return attribute === facts.singular ? 'an object' : undefined
}

function refusalForm({ error }: Exchange): string {
  return `error ${String(error?.code ?? '')} ${textForm(excerptOf(String(error?.message ?? error?.type ?? '')))}`
}

/** The form of an expectation that is the rule itself: the words of a rule may change. */
export const asRuled = 'as the rule requires'

function expectedFormOf(check: FailedCheck, reduced: Reduced, isRefusal: boolean): string {
  // The place of the credentials is not part of the deviation: the same error shows it.
  const words = isRefusal
    ? wordsOf(check, reduced, true)?.replace(/^a success with .*/, 'a success')
    : statedWords(check, reduced)
  if (words !== undefined) return textForm(words)
  return reduced.expected === undefined ? asRuled : formOf(reduced.expected.value, reduced.attribute)
}

function receivedFormOf({ attribute, expected, received }: Reduced): string {
  const form = formOf(received, attribute)
  if (form !== freeText || typeof received !== 'string' || typeof expected?.value !== 'string') return form
  return changeOf(expected.value, received)
}

/** A received value for the cause of a deviation: one cause shows in several values of a list, an object or a text. */
function causeForm({ attribute, received }: Reduced): string {
  if (typeof received === 'object' && received !== null) return 'value'
  // One timestamp shows in both formats.
  return formOf(received, attribute).replace(/^timestamp.*/, 'timestamp')
}
