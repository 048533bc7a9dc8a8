import { rowAbout, type Sentence, type Statement, sentenceWith } from '../rules/document.ts'
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
  const { rule, exchange } = check
  const facts = operationOf(exchange.method, exchange.path)?.facts
  const title = facts?.title ?? `${exchange.method} ${patternOf(exchange.path)}`
  const isRefusal = isUnexpectedError(check)
  const reduced = isRefusal
    ? { attribute: undefined, received: refusalOf(exchange), expected: undefined }
    : withoutCommon(reduce(check, facts))
  const { attribute } = reduced
  const words = wordsOf(check, reduced, isRefusal)
  const expected = words ?? (reduced.expected ? write(reduced.expected.value) : rule.claim)
  const named = (text: string) =>
    attribute === undefined || text.startsWith('(') ? text : `${JSON.stringify(attribute)}: ${text}`
  const isValue = words === undefined && reduced.expected !== undefined
  const receivedForm = isRefusal ? refusalForm(exchange) : receivedFormOf(reduced)
  return {
    headline: headlineOf({ check, reduced, title, isRefusal, facts }),
    sentence: sentenceOf(check, facts, reduced),
    operation: title,
    attribute,
    expected: isValue ? named(expected) : expected,
    received: isRefusal ? String(reduced.received) : named(write(reduced.received)),
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

/** Returns whether the reply is an error instead of the expected success. */
function isUnexpectedError({ rule, exchange, received, expected }: FailedCheck): boolean {
  if (exchange.error === undefined) return false
  if (rule.id.endsWith('/accepted') || isWord(expected?.value, /^a success/)) return true
  if (isAboutErrors(rule)) return false
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

function isAboutEnvelope({ id }: Rule): boolean {
  return id.endsWith('/envelope')
}

function isAboutTimestamps({ id }: Rule): boolean {
  return id.startsWith('timestamps/') || id.endsWith('/timestamps')
}

function isWord(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

/** Leaves out what two lists of records have in common, unless only their order differs. */
function withoutCommon({ attribute, received, expected }: Reduced): Reduced {
  const wanted = expected?.value
  if (attribute !== undefined || !isNames(received) || !isNames(wanted))
    return { attribute, received, expected }
  const extra = received.filter((name) => !wanted.includes(name))
  const absent = wanted.filter((name) => !received.includes(name))
  return extra.length + absent.length === 0
    ? { attribute, received, expected }
    : { attribute, received: extra, expected: { value: absent } }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

/** Reduces values to the attribute that differs. */
function reduce(
  { rule, exchange, received, expected }: FailedCheck,
  facts: OperationFacts | undefined,
): Reduced {
  // The members of an error have the names of some attributes, such as `type` and `status`.
  const record = rule.section === 'Errors' && !isAboutEnvelope(rule) ? undefined : facts
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
  if (isObject(value) && typeof value.absent === 'string' && !names.has(value.absent))
    return { attribute: undefined, received: undefined, expected }
  const missing = missingAttributes(value, names)
  if (isAboutTimestamps(rule) && isObject(value)) {
    // One of them is an example for all.
    const [first = ''] = Object.keys(value)
    return { attribute: first, received: value[first], expected: undefined }
  }
  if (missing.length === 1) return { attribute: missing[0], received: undefined, expected: undefined }
  // The names of records are no value of an attribute.
  if (isNames(value) && isNames(expected?.value)) return { attribute: undefined, received: value, expected }
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
  const [first = '', ...rest] = differing
  if (ruled === undefined && rest.length === 0 && /^[a-z]+_[a-z_]+$/.test(first))
    return {
      attribute: first,
      received: value[first],
      expected: first in wanted ? { value: wanted[first] } : undefined,
    }
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
  const areAttributes = (list: unknown): list is string[] =>
    isNames(list) && list.length > 0 && list.every((name) => names.has(name))
  if (isObject(value) && Object.keys(value).length === 1 && areAttributes(value.absent)) return value.absent
  if (!areAttributes(value) || value.length < 4) return []
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
  return words ?? rule.claim.replace(/,? (is|are) (an error|refused|not found)\b.*$/, '').replace(/\.$/, '')
}

/** Describes the violation in one line. */
function headlineOf({ check, reduced, title, isRefusal, facts }: Headline): string {
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
        : ` instead of ${wanted ? String(expected.value) : short(write(expected.value))}`
    return `${title}: ${attribute} is ${short(write(received))}${instead}${context}`
  }
  if (Array.isArray(values.absent))
    return `${title}: ${values.absent.length} attributes of the ${kind} are missing`
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

/** The sentence about the places of the API key. */
const keyPlaces = sentenceWith('Authentication', 'An API key, `<API_KEY>`, sent as the query parameter')

/** The row of the attribute, if the rule does not name the attribute itself. */
function sentenceOf(
  check: FailedCheck,
  facts: OperationFacts | undefined,
  { attribute, received, expected }: Reduced,
): Sentence {
  const { rule } = check
  const { sentence } = rule
  if (isWord(check.expected?.value, /the key in the/)) return keyPlaces
  // A wrongly listed record or a wrong timestamp form violates the rule itself, not the row of an attribute.
  const isOfRule =
    attribute === undefined || attribute === 'id' || attribute === 'uuid' || isAboutTimestamps(rule)
  const isOfEffect = /\/(filter|refused-unchanged|unchanged-neighbours)$/.test(rule.id)
  if (isOfRule || isOfEffect || sentence.text.includes(`\`${attribute}\``)) return sentence
  if (attribute.startsWith('error.'))
    return quoteOf(rowAbout('Errors', attribute.slice('error.'.length))) ?? sentence
  // A row about requests contains nothing that a reply lacks.
  const written = rule.id.endsWith('/attributes')
    ? undefined
    : factsOf(rule.operation)?.writes.find(({ name }) => name === attribute)?.stated
  const row = written ?? (facts && rowOf(facts.operation, attribute))
  // A row without a note violates nothing but its type; the operation may have a row about the same name.
  const isOfType = row !== undefined && /^\| `\w+` \| [\w ]+ \|(?: \|)?$/.test(row.text)
  const isTypeRight = expected !== undefined && kindOf(received) === kindOf(expected.value)
  const violated = isOfType && isTypeRight ? facts && rowAbout(facts.stated.section, attribute) : row
  return quoteOf(violated) ?? sentence
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function quoteOf(row: Statement | undefined): Sentence | undefined {
  return row === undefined ? undefined : { line: row.line, text: row.text.slice(2, -2) }
}

interface DescribedCause extends Pick<Difference, 'attribute' | 'receivedForm'> {
  readonly isRefusal: boolean
  /** The records that a reply must not show. */
  readonly extra: readonly string[]
}

/** The records that a reply shows although it must not. */
function unexpectedRecords(
  { exchange: { body }, received, expected }: FailedCheck,
  reduced: Reduced,
): readonly string[] {
  if (/^no \w+ of this/.test(String(expected?.value))) {
    const { id, uuid } = isObject(received?.value) ? received.value : {}
    const shown = isObject(body) ? Object.values(body).flat().filter(isObject) : []
    const name = shown.find((record) => id !== undefined && record.id === id)?.name
    return [String(id ?? uuid), ...(typeof name === 'string' ? [name] : [])]
  }
  return isNames(reduced.received) && isNames(reduced.expected?.value) ? reduced.received : []
}

/** The record that a refused request would create, and those that the error names: later replies may show them. */
function refusedRecords({ exchange: { requestBody, error } }: FailedCheck): readonly string[] {
  const sent = isObject(requestBody) ? Object.values(requestBody).find(isObject) : undefined
  const words = String(error?.message).match(/[\w-]{16,}/g) ?? []
  return [...(typeof sent?.name === 'string' ? [sent.name] : []), ...words]
}

/** A name or the uuid derived from it. */
function recordKey(name: string): string {
  return `record ${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`
}

/** Keys that findings with one cause share. */
function causesOf(
  check: FailedCheck,
  facts: OperationFacts | undefined,
  { attribute, receivedForm, isRefusal, extra }: DescribedCause,
): readonly string[] {
  const { rule, exchange, expected, received } = check
  const { body, httpStatus } = exchange
  const where = `${exchange.method} ${patternOf(exchange.path)}`
  if (body === undefined) return [`${facts?.title ?? where} no JSON ${httpStatus}`]
  if (isRefusal) return [`${where} ${receivedForm}`, ...refusedRecords(check).map(recordKey)]
  if (attribute === statusAttribute) return [`HTTP ${httpStatus}`]
  const reply = `${where} ${shapeOf(body)}`
  const owner = facts?.singular
  const named = attribute === undefined ? [] : [`${owner}.${attribute} ${receivedForm}`]
  if (isAboutEnvelope(rule)) {
    const metadata = attribute === 'metadata' && isObject(body) ? body.metadata : undefined
    const members = isObject(metadata)
      ? ['count', 'next'].map((name) => `${owner}.${name} ${formOf(metadata[name])}`)
      : []
    const error = attribute?.startsWith('error.') ? [`error ${attribute} ${receivedForm}`] : []
    return [...named, reply, ...members, ...error, ...refusedRecords(check).map(recordKey)]
  }
  if (isAboutTimestamps(rule)) return [`${facts?.operation} timestamps`]
  if (rule.id.endsWith('/credentials')) return [`credentials ${String(expected?.value)}`]
  const causes = [...named, ...extra.map(recordKey)]
  if (extra.length > 0 || rule.id.endsWith('/filter')) causes.push(`${where} shows others`)
  if (rule.id.endsWith('/unchanged-neighbours')) causes.push(rule.id)
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
  if (Array.isArray(value) && value.length === 0) return '(none)'
  const text = JSON.stringify(withoutTraces(value), (_, inner: unknown) =>
    inner === undefined ? '(absent)' : inner,
  )
  return text
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
