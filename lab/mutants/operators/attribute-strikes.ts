import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import { type RecordName, recordFields } from '../../../contract-tests/rules/fields.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import type { Shape } from '../../../contract-tests/rules/shapes.ts'
import type { AttributeFact } from '../../../contract-tests/runner/operation-facts.ts'
import { fittingGuards } from '../guards.ts'
import { documentedOperations, facts, onRecords, type Strike, without } from '../mutant.ts'

const timestamp = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/

/** Makes something else of a value, or leaves it where it cannot. */
export type Remake = (value: unknown, record: Json) => unknown

/** Values of the field that the document's tables allow. */
export interface DocumentedField extends AttributeFact {
  readonly operation: OperationId
  readonly shape: Shape | undefined
}

const recordOf: Readonly<Record<string, RecordName>> = {
  pipelines: 'pipeline',
  blocks: 'block',
  backfills: 'backfill',
  pipeline_schedules: 'schedule',
  pipeline_runs: 'run',
  logs: 'logs',
  oauth_access_tokens: 'oauth-token',
}

/** Every attribute of every documented reply, with the row of the document about it. */
export const fields: readonly DocumentedField[] = documentedOperations.flatMap((operation) => {
  const { attributes, plural } = facts(operation)
  const table: Readonly<Record<string, Shape>> =
    recordFields.find(({ record }) => record === recordOf[plural])?.fields ?? {}
  if (attributes === 'all') return []
  return attributes.map((attribute) => ({ ...attribute, operation, shape: table[attribute.name] }))
})

/** Strikes the attributes that fit, in the records where the guard holds. */
export function strikes(fits: (field: DocumentedField) => boolean, remake: Remake): Strike[] {
  return fields.flatMap((field) => {
    const { operation, name, stated } = field
    if (stated === undefined || !fits(field)) return []
    return attributeStrike(operation, name, stated, (record) => {
      if (!(name in record)) return record
      const value = remake(record[name], record)
      return value === undefined ? without(record, name) : { ...record, [name]: value }
    })
  })
}

/** Strikes one attribute of an operation's records, where the guard holds. */
export function attributeStrike(
  operation: OperationId,
  name: string,
  stated: Statement,
  change: (record: Json) => Json,
): Strike {
  return {
    operation,
    aspect: name,
    sentence: stated,
    guards: fittingGuards(facts(operation), name),
    wrong: (holds) =>
      onRecords(operation, (record, situation) => (holds(situation) ? change(record) : record), name),
  }
}

export const takes = (value: unknown) => (field: DocumentedField) => field.shape?.fits(value) === true
export const refuses = (value: unknown) => (field: DocumentedField) => field.shape?.fits(value) === false
export const isText = takes('any text')
export const isMoment = ({ isMoment }: DocumentedField) => isMoment

export function text(change: (value: string) => string): Remake {
  return (value) => (typeof value === 'string' ? change(value) : value)
}

export function moment(change: (value: string) => unknown): Remake {
  return (value) => (typeof value === 'string' && timestamp.test(value) ? change(value) : value)
}

export const iso = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}`
/** The values that the document lists for a field: their letters matter. */
export const isListed = ({ shape }: DocumentedField) => shape?.expected.startsWith('one of') === true

/** Of the list of pipelines the document does not say what its items carry. */
export const hasFixedSet = ({ operation }: DocumentedField) => operation !== 'listPipelines'
