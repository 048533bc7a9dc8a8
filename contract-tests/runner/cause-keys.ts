import {
  type FailedCheck,
  isAboutEnvelope,
  isAboutTimestamps,
  isNames,
  mustRefuse,
  type Reduced,
} from './failed-check.ts'
import { isObject } from './is-object.ts'
import type { OperationFacts } from './operation-facts.ts'
import { queryOf } from './plain-address.ts'
import { formOf, patternOf, shapeOf, statusAttribute } from './value-forms.ts'

interface DescribedCause {
  readonly attribute: string | undefined
  readonly receivedForm: string
  readonly isRefusal: boolean
  /** The records that a reply must not show. */
  readonly extra: readonly string[]
}

/** The records that a reply shows although it must not. */
export function unexpectedRecords(
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
  const words = String(error?.message).match(/[\w-]{16}[\w-]*/g) ?? []
  return [...(typeof sent?.name === 'string' ? [sent.name] : []), ...words]
}

/** A name or the uuid derived from it. */
function recordKey(name: string): string {
  return `record ${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`
}

/** Keys that findings with one cause share. */
export function causesOf(
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
