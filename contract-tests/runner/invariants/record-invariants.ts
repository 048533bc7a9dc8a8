import { derivedRule } from '../../rules/derived.ts'
import { rowAbout, type Statement } from '../../rules/document.ts'
import { type FieldRule, fieldsOf, recordFields } from '../../rules/fields.ts'
import type { OperationId } from '../../rules/operation-id.ts'
import * as shape from '../../rules/shapes.ts'
import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import { factsOf, type OperationFacts } from '../operation-facts.ts'
import type { ReachedOperation } from '../operation-of.ts'
import { equal, type ReceivedRecord } from '../replies.ts'
import type { InvariantCheck } from './invariant-check.ts'

/** The tables of the specification that list the attributes of an operation's records. */
function tablesOf(operation: OperationId) {
  const plural = factsOf(operation)?.plural
  return recordFields.filter(
    (table) => table.record !== 'log-file' && factsOf(table.operation)?.plural === plural,
  )
}

/** The row about an attribute of an operation's records; undefined if their table has none. */
export function rowOf(operation: OperationId, attribute: string): Statement | undefined {
  // The reply to the creation of a block has different attributes.
  if (operation === 'createBlock') return undefined
  return tablesOf(operation)
    .map(({ section }) => rowAbout(section, attribute))
    .find((row) => row !== undefined)
}

const fieldsByOperation = new Map<OperationId, readonly FieldRule[]>()

/** The fields of an operation's records, cached because every reply needs them. */
function fieldsIn({ operation, timestamps }: OperationFacts): readonly FieldRule[] {
  const known = fieldsByOperation.get(operation)
  if (known !== undefined) return known
  const fields = tablesOf(operation)
    .flatMap(({ record }) => fieldsOf(record))
    // Null for a value that the request omitted is an implementation choice (`create-block-nulls`).
    .filter(({ field }) => operation !== 'createBlock' || field === 'name' || field === 'type')
    // Another rule checks timestamps whose format the operation specifies or does not show.
    .filter(
      ({ shape: { expected } }) =>
        (timestamps.form !== 'seconds' && operation !== 'listPipelines') || !expected.includes('timestamp'),
    )
  fieldsByOperation.set(operation, fields)
  return fields
}

/**
 * Checks each field of the records in a reply against its row of the specification. Another rule checks values that a
 * sequence sent although they are not listed.
 */
export function checkFields(
  records: readonly ReceivedRecord[],
  facts: OperationFacts,
  exchange: Exchange,
  check: InvariantCheck,
  wasSentInvalid: (attribute: string, value: unknown) => boolean,
): void {
  const checkField = ({ id, field, shape: { fits } }: FieldRule, shown: readonly ReceivedRecord[]) => {
    const misfit = shown.find((record) => !fits(record[field]) && !wasSentInvalid(field, record[field]))
    if (shown.length === 0) return
    // "The list response shape: not shown."
    if (facts.operation === 'listPipelines')
      check('list-pipelines/values', misfit === undefined, exchange, misfit && { [field]: misfit[field] })
    else check(id, misfit === undefined, exchange, misfit?.[field])
  }
  // Another rule checks that attributes are present.
  for (const field of fieldsIn(facts))
    checkField(
      field,
      records.filter((record) => Object.hasOwn(record, field.field)),
    )
  if (facts.operation !== 'listLogs') return
  const files = records.flatMap(({ block_run_logs, pipeline_run_logs }) => [
    block_run_logs,
    pipeline_run_logs,
  ])
  for (const field of fieldsOf('log-file')) checkField(field, files.flat().filter(isObject))
}

/** The attributes that the specification does not show an operation's records to have. */
const unshown: Partial<Record<OperationId, readonly string[] | 'all'>> = {
  // "The list response shape: not shown" (`pipelines-list-shape`).
  listPipelines: 'all',
  // "Fields of a session record beyond token: not shown" (`session-fields`).
  createSession: ['expires', 'user'],
}

/** The documented attributes that a record lacks. */
export function missingIn(record: ReceivedRecord, { operation, attributes }: OperationFacts): string[] {
  const free = unshown[operation] ?? []
  if (attributes === 'all' || free === 'all') return []
  return attributes
    .map(({ name }) => name)
    .filter((name) => !free.includes(name) && !Object.hasOwn(record, name))
}

/** The attributes of a record with a time in another form than that of the action, with their values. */
export function misformedIn(
  record: ReceivedRecord,
  { attributes, timestamps }: OperationFacts,
): ReceivedRecord {
  if (attributes === 'all') return {}
  const pattern = timestamps.form === 'seconds' ? shape.secondsPattern : shape.microsecondsPattern
  return Object.fromEntries(
    attributes
      .filter(({ isTimestamp }) => isTimestamp)
      .map(({ name }) => [name, record[name]] as const)
      .filter(([, value]) => typeof value === 'string' && !pattern.test(value)),
  )
}

/** The attribute that identifies the record of an operation, and the parameter of the path that names it. */
const namedBy: Partial<Record<OperationId, readonly [key: 'id' | 'uuid', parameter: string]>> = {
  readPipeline: ['uuid', 'uuid'],
  deleteBlock: ['uuid', 'block_uuid'],
  updateBackfill: ['id', 'backfill_id'],
  deleteBackfill: ['id', 'backfill_id'],
}

const createdBlock = [
  'config', 'configuration', 'content', 'language', 'name', 'priority', 'type', 'upstream_blocks',
] // biome-ignore format: one list

/** Checks the record in a reply against the statements about its operation. */
export function checkOperation(
  record: ReceivedRecord,
  { facts: { operation }, parameters }: ReachedOperation,
  exchange: Exchange,
  check: InvariantCheck,
): void {
  const values = derivedRule(operation, 'values')
  const [key, parameter] = namedBy[operation] ?? []
  if (values !== undefined && key !== undefined && parameter !== undefined) {
    const [received, requested] = [String(record[key]), parameters[parameter] ?? '']
    // A target may ignore the case of a uuid.
    const isSame = received.toLowerCase() === requested.toLowerCase()
    check(values, isSame, exchange, { [key]: record[key] }, { expected: { [key]: requested } })
  }
  if (operation === 'createBlock') {
    const keys = Object.keys(record).sort()
    check('block-create/eight-fields', equal(keys, createdBlock), exchange, keys)
  }
  if (operation === 'deleteBlock') {
    check('block-delete/no-content', !Object.hasOwn(record, 'content'), exchange, record.content)
    check('block-delete/no-outputs', !Object.hasOwn(record, 'outputs'), exchange, record.outputs)
  }
}
