import type { Rule } from '../rules/index.ts'
import {
  type FailedCheck,
  isAboutEnvelope,
  isAboutErrors,
  isAboutTimestamps,
  isNames,
  type Reduced,
} from './failed-check.ts'
import { isObject } from './is-object.ts'
import type { OperationFacts } from './operation-facts.ts'
import { equal } from './replies.ts'
import { statusAttribute } from './value-forms.ts'

/** Returns whether a value is absent, or made of absent values only. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((inner) => inner === undefined)
  return value === undefined || (isObject(value) && isObject(value.error))
}

/** Leaves out what two lists of records have in common, unless only their order differs. */
export function withoutCommon({ attribute, received, expected }: Reduced): Reduced {
  const wanted = expected?.value
  if (attribute !== undefined || !isNames(received) || !isNames(wanted))
    return { attribute, received, expected }
  const extra = received.filter((name) => !wanted.includes(name))
  const absent = wanted.filter((name) => !received.includes(name))
  return extra.length + absent.length === 0
    ? { attribute, received, expected }
    : { attribute, received: extra, expected: { value: absent } }
}

/** Reduces values to the attribute that differs. */
export function reduce(
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
  if (isObject(value) && typeof value.notRequested === 'string')
    return { attribute: value.notRequested, received: 'present', expected }
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

/** Returns the names in a list of attributes that the operation does not list. */
export function furtherAttributes(value: unknown, facts: OperationFacts | undefined): unknown[] {
  const names: ReadonlySet<unknown> = attributeNames(facts)
  return Array.isArray(value) && value.some((name) => names.has(name))
    ? value.filter((name) => !names.has(name))
    : []
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
