import { rowAbout, type Sentence, sentenceWith } from '../rules/document.ts'
import type { Rule } from '../rules/index.ts'
import { excerptOf, withoutTraces } from './excerpt.ts'
import { rowOf } from './invariants/record-invariants.ts'
import { isObject } from './is-object.ts'
import { factsOf, type OperationFacts } from './operation-facts.ts'
import { operationOf } from './operation-of.ts'
import { queryOf } from './plain-address.ts'
import type { Exchange } from './read-exchange.ts'
import { equal } from './replies.ts'
import { changeOf, formOf, freeText, patternOf, shapeOf, statusAttribute, textForm } from './value-forms.ts'

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

/** The result of a check that failed. */
export interface FailedCheck {
  readonly rule: Rule
  readonly exchange: Exchange
  /** Received value; undefined if the difference is about the whole reply. */
  readonly received: { readonly value: unknown } | undefined
  /** Expected value, if there is a single one. */
  readonly expected?: { readonly value: unknown } | undefined
  /** Expectation in words. */
  readonly described?: string | undefined
}

/** An attribute with the different values, if the difference is about an attribute. */
interface Reduced {
  readonly attribute: string | undefined
  readonly received: unknown
  readonly expected: { readonly value: unknown } | undefined
}

/** Reduces a failed check to its difference. */
export function differenceOf(check: FailedCheck): Difference {
  const { rule, exchange, described } = check
  const facts = operationOf(exchange.method, exchange.path)?.facts
  const title = facts?.title ?? `${exchange.method} ${patternOf(exchange.path)}`
  const isRefusal = isUnexpectedError(check)
  const reduced = isRefusal
    ? { attribute: undefined, received: refusalOf(exchange), expected: undefined }
    : reduce(check, facts)
  const { attribute } = reduced
  const words = wordsOf(check, reduced, isRefusal)
  const expected = words ?? (reduced.expected ? write(reduced.expected.value) : rule.claim)
  const named = (text: string) =>
    attribute === undefined || text.startsWith('(') ? text : `${JSON.stringify(attribute)}: ${text}`
  const isValue = words === undefined && reduced.expected !== undefined
  const receivedForm = isRefusal ? refusalForm(exchange) : receivedFormOf(reduced)
  return {
    headline: headlineOf({ check, reduced, title, isRefusal, facts }),
    sentence: sentenceOf(check, facts, attribute),
    operation: title,
    attribute,
    expected: isValue ? named(expected) : expected,
    received: isRefusal ? String(reduced.received) : named(write(reduced.received)),
    expectedForm: expectedFormOf(rule, words ?? described, reduced),
    receivedForm,
    causes: causesOf(check, facts, {
      attribute,
      receivedForm: isRefusal ? receivedForm : causeForm(reduced),
      isRefusal,
    }),
  }
}

/** Returns whether the reply is an error instead of the expected success. */
function isUnexpectedError({ rule, exchange, received, expected }: FailedCheck): boolean {
  if (exchange.error === undefined || isAboutErrors(rule)) return false
  if (isObject(received?.value) && isObject(received.value.error)) return true
  const isNothing = received === undefined || isEmpty(received.value)
  return isNothing && !isWord(expected?.value, /^an? (error|refusal)/)
}

/** Returns whether a value is absent, or made of absent values only. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((inner) => inner === undefined)
  return value === undefined || (isObject(value) && isObject(value.error))
}

function isAboutErrors({ id, section }: Rule): boolean {
  return section === 'Errors' || section === 'Authentication' || id.endsWith('/refuses')
}

function isAboutTimestamps({ id }: Rule): boolean {
  return id.startsWith('timestamps/') || id.endsWith('/timestamps')
}

function isWord(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

/** Reduces values to the attribute that differs. */
function reduce(
  { rule, exchange, received, expected }: FailedCheck,
  facts: OperationFacts | undefined,
): Reduced {
  // The members of an error have the names of some attributes, such as `type` and `status`.
  const record = rule.section === 'Errors' ? undefined : facts
  const names = attributeNames(record)
  const ruled = attributeOfRule(rule, record)
  if (isAboutErrors(rule) && exchange.error === undefined && isEmpty(received?.value))
    return { attribute: 'error', received: undefined, expected: undefined }
  if (received === undefined) {
    const found = ruled === undefined ? undefined : valueIn(exchange.body, ruled)
    const isRecord = isObject(exchange.body) && facts !== undefined && facts.singular in exchange.body
    return found !== undefined || (ruled !== undefined && isRecord)
      ? { attribute: ruled, received: found?.value, expected }
      : { attribute: undefined, received: exchange.body ?? exchange.text, expected }
  }
  const { value } = received
  if (value === exchange.httpStatus && value !== 200)
    return { attribute: statusAttribute, received: value, expected: { value: 200 } }
  const missing = missingAttributes(value, names)
  if (isAboutTimestamps(rule) && isObject(value)) {
    // One of them is an example for all.
    const [first = ''] = Object.keys(value)
    return { attribute: first, received: value[first], expected: undefined }
  }
  if (missing.length === 1) return { attribute: missing[0], received: undefined, expected: undefined }
  if (!isObject(value)) return { attribute: ruled, received: value, expected }
  const wanted = isObject(expected?.value) ? expected.value : undefined
  const [only, ...others] = Object.keys(value)
  const isMetadata = ruled !== undefined && rule.section === 'List metadata'
  const shown =
    !isMetadata && others.length === 0 && only !== undefined && names.has(only.replace(/^error\..*/, 'error'))
      ? only
      : ruled
  if (shown !== undefined && shown in value)
    return {
      attribute: shown,
      received: value[shown] === '(absent)' ? undefined : value[shown],
      expected:
        shown === statusAttribute
          ? { value: 200 }
          : wanted && shown in wanted
            ? { value: wanted[shown] }
            : undefined,
    }
  if (ruled !== undefined && wanted !== undefined && ruled in wanted && !(ruled in value))
    return { attribute: ruled, received: undefined, expected: { value: wanted[ruled] } }
  if (isMetadata) return { attribute: ruled, received: undefined, expected: undefined }
  if (wanted === undefined) return { attribute: ruled, received: value, expected }
  // Equal members are not part of the difference.
  const differing = [...new Set([...Object.keys(value), ...Object.keys(wanted)])].filter(
    (name) => !equal(value[name], wanted[name]),
  )
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(differing.filter((name) => name in from).map((name) => [name, from[name]]))
  return { attribute: ruled, received: pick(value), expected: { value: pick(wanted) } }
}

/** The names that a difference of this operation may have. */
function attributeNames(facts: OperationFacts | undefined): ReadonlySet<string> {
  const { singular = '', plural = '', attributes = [], parameters = [] } = facts ?? {}
  return new Set([
    ...(attributes === 'all' ? ['token'] : attributes.map(({ name }) => name)),
    ...parameters.flatMap(({ adds }) => adds),
    ...[singular, plural, 'metadata', 'count', 'next', 'error', statusAttribute],
  ])
}

/** The attribute that a rule is about, by its sentence or its name. */
function attributeOfRule({ id, sentence }: Rule, facts: OperationFacts | undefined): string | undefined {
  const { attributes = [], parameters = [] } = facts ?? {}
  const own = attributes === 'all' ? ['token'] : attributes.map(({ name }) => name)
  const names = new Set([...own, ...parameters.flatMap(({ adds }) => adds), 'count', 'next'])
  const row = /^`([\w.]+)`/.exec(sentence.text)?.[1]
  if (row !== undefined && names.has(row)) return row
  const name = (id.split('/')[1] ?? '').replaceAll('-', '_')
  const longestFirst = [...own].sort((one, other) => other.length - one.length)
  return longestFirst.find((each) => each !== '' && new RegExp(`(^|_)${each}(_|$)`).test(name))
}

/** The missing attributes of a reply, if a check received the names of the present or of the missing ones. */
function missingAttributes(value: unknown, names: ReadonlySet<string>): string[] {
  const isNames = (list: unknown): list is string[] =>
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((name) => typeof name === 'string' && names.has(name))
  if (isObject(value) && Object.keys(value).length === 1 && isNames(value.absent)) return value.absent
  if (!isNames(value) || value.length < 4) return []
  const others = ['metadata', 'count', 'next', 'error', statusAttribute]
  return [...names].filter((name) => name.includes('_') && !value.includes(name) && !others.includes(name))
}

/** The first value of an attribute in a reply: of its record, or of the first record of its list. */
function valueIn(body: unknown, attribute: string): { readonly value: unknown } | undefined {
  if (!isObject(body)) return undefined
  for (const inner of [body, ...Object.values(body).flat()])
    if (isObject(inner) && Object.hasOwn(inner, attribute)) return { value: inner[attribute] }
  return undefined
}

/** Expectation in words, if it is not a value. */
function wordsOf(
  check: FailedCheck,
  { attribute, expected }: Reduced,
  isRefusal: boolean,
): string | undefined {
  if (isRefusal) return isWord(check.expected?.value, /./) ? String(check.expected?.value) : 'a success'
  const value = expected?.value
  if (typeof value === 'string' && isPhrase(value, attribute)) return value
  return expected === undefined ? check.described : undefined
}

/** Returns whether a text describes the expected value rather than being it. */
function isPhrase(text: string, attribute: string | undefined): boolean {
  return attribute === undefined
    ? text.includes(' ')
    : /^(an?|the|no|null,|another|integers|present)( |$)/.test(text)
}

interface Headline {
  readonly check: FailedCheck
  readonly reduced: Reduced
  readonly title: string
  readonly isRefusal: boolean
  readonly facts: OperationFacts | undefined
}

/** Returns whether the target answers with a success instead of the expected error. */
function mustRefuse({ rule, exchange, expected, described = '' }: FailedCheck): boolean {
  const isExpected = /^an? (error|refusal)/.test(
    typeof expected?.value === 'string' ? expected.value : described,
  )
  return exchange.error === undefined && (isExpected || /is (an error|refused|not found)/.test(rule.claim))
}

/** Describes the case in which the specification requires an error. */
function refusedCase({ rule, expected }: FailedCheck): string {
  const words = /^an? error:? (.+)/.exec(String(expected?.value))?.[1]
  return words ?? rule.claim.replace(/ (is|are) (an error|refused|not found)\b.*$/, '').replace(/\.$/, '')
}

/** Describes the violation in one line. */
function headlineOf({ check, reduced, title, isRefusal, facts }: Headline): string {
  const { rule, exchange } = check
  const { attribute, received, expected } = reduced
  const kind = facts?.singular.replaceAll('_', ' ') ?? 'record'
  const context = contextOf(rule, facts)
  if (exchange.body === undefined) return `${title} returns no JSON (HTTP ${exchange.httpStatus})${context}`
  if (isRefusal) return `${title}${context} answers with ${short(refusalOf(exchange))}`
  const values = isObject(check.received?.value) ? check.received.value : {}
  const key = 'id' in values ? 'id' : 'uuid' in values ? 'uuid' : undefined
  const listed = /^no (\w+) of this/.exec(String(check.expected?.value))?.[1]
  if (listed !== undefined && key !== undefined) {
    const isDeleted = rule.operation.startsWith('delete')
    const name = `${listed} ${String(values[key])}`
    return isDeleted
      ? `Deleted ${name} is still listed`
      : `${title} shows ${name}, which does not belong there`
  }
  if (key !== undefined && typeof values.found === 'number')
    return `${title} shows ${memberOf(key, facts)} ${String(values[key])} ${values.found === 0 ? 'not at all' : `${values.found} times`}${context}`
  if (typeof values.absent === 'string') return `${title}: ${values.absent} is missing${context}`
  if (typeof values.unasked === 'string')
    return `${title} shows ${values.unasked}, which was not requested${context}`
  if (mustRefuse(check)) return `${title} accepts a request that must be refused: ${refusedCase(check)}`
  if (attribute === statusAttribute) return `${title} answers HTTP ${String(received)} instead of 200`
  if (attribute !== undefined && received === undefined) return `${title}: ${attribute} is missing${context}`
  if (attribute !== undefined) {
    const wanted = expected && isWord(expected.value, /./) && isPhrase(String(expected.value), attribute)
    const instead =
      expected === undefined
        ? ''
        : ` instead of ${wanted ? String(expected.value) : short(write(expected.value))}`
    return `${title}: ${attribute} is ${short(write(received))}${instead}${context}`
  }
  if (Array.isArray(values.absent))
    return `${title}: ${values.absent.length} attributes of the ${kind} are missing`
  return `${title} violates the rule: ${rule.claim.replace(/\.$/, '')}${context}`
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

/** The sentence about the places of the API key. */
const keyPlaces = sentenceWith('Authentication', 'An API key, `<API_KEY>`, sent as the query parameter')

/** The row of the attribute, if the rule does not name the attribute itself. */
function sentenceOf(
  { rule, expected }: FailedCheck,
  facts: OperationFacts | undefined,
  attribute: string | undefined,
): Sentence {
  const { sentence } = rule
  if (isWord(expected?.value, /the key in the/)) return keyPlaces
  // A wrongly listed record or a wrong timestamp form violates the rule itself, not the row of an attribute.
  const isOfRule =
    attribute === undefined || attribute === 'id' || attribute === 'uuid' || isAboutTimestamps(rule)
  if (isOfRule || sentence.text.includes(`\`${attribute}\``)) return sentence
  const written = factsOf(rule.operation)?.writes.find(({ name }) => name === attribute)
  const row = attribute.startsWith('error.')
    ? rowAbout('Errors', attribute.slice('error.'.length))
    : (written?.stated ?? (facts && rowOf(facts.operation, attribute)))
  return row === undefined ? sentence : { line: row.line, text: row.text.slice(2, -2) }
}

/** Keys that findings with one cause share. */
function causesOf(
  check: FailedCheck,
  facts: OperationFacts | undefined,
  {
    attribute,
    receivedForm,
    isRefusal,
  }: Pick<Difference, 'attribute' | 'receivedForm'> & { isRefusal: boolean },
): readonly string[] {
  const { rule, exchange, expected, received } = check
  const { body, httpStatus } = exchange
  const where = `${exchange.method} ${patternOf(exchange.path)}`
  if (body === undefined) return [`${where} no JSON ${httpStatus}`]
  if (isRefusal) return [`${where} ${receivedForm}`]
  if (attribute === statusAttribute) return [`HTTP ${httpStatus}`]
  const reply = `${where} ${shapeOf(body)}`
  const owner = facts?.singular
  const named = attribute === undefined ? [] : [`${owner}.${attribute} ${receivedForm}`]
  if (rule.id.endsWith('/envelope')) {
    const metadata = attribute === 'metadata' && isObject(body) ? body.metadata : undefined
    const members = isObject(metadata)
      ? ['count', 'next'].map((name) => `${owner}.${name} ${formOf(metadata[name])}`)
      : []
    const error = attribute?.startsWith('error.') ? [`error ${attribute} ${receivedForm}`] : []
    return [...named, reply, ...members, ...error]
  }
  if (isAboutTimestamps(rule)) return [`${facts?.operation} timestamps`]
  if (rule.id.endsWith('/credentials')) return [`credentials ${String(expected?.value)}`]
  const causes = [...named]
  // A record that lacks one attribute may lack all.
  if (attribute !== undefined && receivedForm === '(absent)') causes.push(reply)
  if (attribute !== undefined && attribute !== 'id' && attribute !== 'uuid') return causes
  // A deletion without effect shows in many places.
  if (rule.operation.startsWith('delete') && facts?.operation !== rule.operation)
    return [`${rule.operation} effect`]
  const parameters = [...queryOf(exchange).keys()].filter(
    (name) => name !== 'pipeline_uuid' && name !== 'api_key',
  )
  if (!mustRefuse(check)) causes.push(...parameters.map((name) => `${where} ?${name}`))
  return received === undefined || causes.length === 0 || mustRefuse(check) ? [...causes, reply] : causes
}

function refusalOf({ error, httpStatus }: Exchange): string {
  if (error === undefined) return `HTTP ${httpStatus}`
  const { code, type, message } = error
  const excerpt = excerptOf(String(message ?? type ?? ''))
  return `error ${String(code ?? '')}${excerpt === '' ? '' : ` ${excerpt}`}`
}

function refusalForm({ error }: Exchange): string {
  return `error ${String(error?.code ?? '')} ${textForm(excerptOf(String(error?.message ?? error?.type ?? '')))}`
}

/** Shortens a text to a part of a headline. */
function short(text: string): string {
  return text.length > 48 ? `${text.slice(0, 47)}…` : text
}

/** Formats a value for people: an absent value differs from null. */
function write(value: unknown): string {
  if (value === undefined) return '(absent)'
  const text = JSON.stringify(withoutTraces(value), (_, inner: unknown) =>
    inner === undefined ? '(absent)' : inner,
  )
  return text
}

function expectedFormOf(
  { claim }: Rule,
  words: string | undefined,
  { attribute, expected }: Reduced,
): string {
  if (words === undefined && expected !== undefined) return formOf(expected.value, attribute)
  return words === undefined ? claim : textForm(words)
}

function receivedFormOf({ attribute, expected, received }: Reduced): string {
  const form = formOf(received, attribute)
  if (form !== freeText || typeof received !== 'string' || typeof expected?.value !== 'string') return form
  return changeOf(expected.value, received)
}

/** A received value for the cause of a deviation: one cause shows in several values of a list, an object or a text. */
function causeForm({ attribute, received }: Reduced): string {
  return typeof received === 'object' && received !== null ? 'value' : formOf(received, attribute)
}
