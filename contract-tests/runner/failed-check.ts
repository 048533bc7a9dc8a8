import type { Rule } from '../rules/index.ts'
import { excerptOf, withoutTraces } from './excerpt.ts'
import type { Exchange } from './read-exchange.ts'

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
export interface Reduced {
  readonly attribute: string | undefined
  readonly received: unknown
  readonly expected: { readonly value: unknown } | undefined
}

export function isAboutErrors({ id, section }: Rule): boolean {
  return section === 'Errors' || section === 'Authentication' || id.endsWith('/refuses')
}

export function isAboutEnvelope({ id }: Rule): boolean {
  return id.endsWith('/envelope')
}

export function isAboutTimestamps({ id }: Rule): boolean {
  return id.startsWith('timestamps/') || id.endsWith('/timestamps')
}

export function isWord(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

/** Returns whether a text describes the expected value rather than being it. */
export function isPhrase(text: string, attribute: string | undefined): boolean {
  return attribute === undefined
    ? text.includes(' ')
    : /^(an?|the|no|null,|another|integers|present)( |$)/.test(text)
}

/** Returns whether the target answers with a success instead of the expected error. */
export function mustRefuse({ rule, exchange, expected, described = '' }: FailedCheck): boolean {
  const isExpected = /^an? (error|refusal)/.test(
    typeof expected?.value === 'string' ? expected.value : described,
  )
  return exchange.error === undefined && (isExpected || /is (an error|refused|not found)/.test(rule.claim))
}

export function refusalOf({ error, httpStatus }: Exchange): string {
  if (error === undefined) return `HTTP ${httpStatus}`
  const { code, type, message } = error
  const excerpt = excerptOf(String(message ?? type ?? ''))
  return `error ${String(code ?? '')}${excerpt === '' ? '' : ` ${excerpt}`}`
}

/** Formats a value for people: an absent value differs from null. */
export function writeValue(value: unknown): string {
  if (value === undefined) return '(absent)'
  if (Array.isArray(value) && value.length === 0) return '(none)'
  const text = JSON.stringify(withoutTraces(value), (_, inner: unknown) =>
    inner === undefined ? '(absent)' : inner,
  )
  return text
}
