import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { recordFields } from '../../../contract-tests/rules/fields.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import type { Shape } from '../../../contract-tests/rules/shapes.ts'
import type { AttributeFact } from '../../../contract-tests/runner/operation-facts.ts'
import {
  defineOperators,
  documentedOperations,
  facts,
  onRecords,
  records,
  sentence,
  type Target,
  without,
} from '../mutant.ts'
import { fittingTriggers } from '../triggers.ts'
import { array, boolean, type Change, number, object, text } from './value-changes.ts'

/** An attribute of a reply, with the values that its row of the specification allows. */
interface Field extends AttributeFact {
  readonly operation: OperationId
  readonly shape: Shape | undefined
}

/** Every attribute of every documented reply. */
const fields: readonly Field[] = documentedOperations.flatMap((operation) => {
  const { attributes, plural } = facts(operation)
  const table: Readonly<Record<string, Shape>> =
    recordFields.find((each) => facts(each.operation).plural === plural)?.fields ?? {}
  if (attributes === 'all') return []
  return attributes.map((attribute) => ({ ...attribute, operation, shape: table[attribute.name] }))
})

/** Values of every kind; those that a field allows show whether a change and a trigger exclude each other. */
const samples = [
  Array.from({ length: 12 }, () => 'a'),
  ...[null, '', 'text', 0, 3, true, false, {}, { a: 1 }, [], ['a'], ['a', 'b'], [{ uuid: 'a' }]],
  ...['2026-01-31 12:00:00', '2026-01-31 12:00:00.000000+00:00'],
]

/** Attributes that are null or empty, because no request of the specification sets them. */
const neverSet = [
  'block_uuid', 'data_integration', 'event_matchers', 'executor_config', 'extensions', 'metrics', 'notification_config',
  'outputs', 'pipeline_schedule_id', 'retry_config', 'settings', 'sla', 'spark_config',
] // biome-ignore format: one list

/** Changes an attribute, in records with a value that `isChanged` accepts. */
function onField(
  { operation, name, stated, shape }: Field,
  change: Change,
  isChanged = (before: unknown, after: unknown) => !isDeepStrictEqual(before, after),
): Target[] {
  const listed = shape?.expected.split(/[ ,]+/) ?? []
  const values = neverSet.includes(name) ? [null, {}, []] : [...samples, ...listed]
  const changing = values.filter((value) => (shape?.fits(value) ?? true) && isChanged(value, change(value)))
  const triggers = fittingTriggers(facts(operation), name).filter(({ ofValue = () => true }) =>
    changing.some(ofValue),
  )
  if (stated === undefined) return []
  return [
    records({ operation, aspect: name, sentence: stated, triggers }, (record) => {
      if (!(name in record)) return record
      const value = change(record[name])
      return value === undefined ? without(record, name) : { ...record, [name]: value }
    }),
  ]
}

/** Changes attributes to values that the specification allows, or omits them. */
const onFields = (fits: (field: Field) => boolean, change: Change): Target[] =>
  fields.filter(fits).flatMap((field) => onField(field, change))

/** The specification does not show what the items of the list of pipelines contain. */
const isPresent = ({ operation, shape }: Field) => shape !== undefined && operation !== 'listPipelines'
const isTimestamp = ({ isTimestamp }: Field) => isTimestamp
const isOneOf =
  (...names: string[]) =>
  ({ name }: Field) =>
    names.includes(name)

const nothing =
  (instead: unknown): Change =>
  (value) =>
    value === null ? instead : value
const timestamp = (change: (value: string) => unknown): Change =>
  text((value) => (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/.test(value) ? change(value) : value))
const iso = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}`

/** Attributes that differ from record to record. */
const own = [
  'uuid', 'id', 'name', 'token', 'pipeline_uuid', 'type', 'content', 'status', 'tags', 'start_time', 'blocks',
] // biome-ignore format: one list

/** Gives an attribute the value of the previous record. */
function ofPrevious({ operation, name, stated }: Field): Target[] {
  if (stated === undefined) return []
  const triggers = fittingTriggers(facts(operation), name, 'record')
  const start: Target['start'] = (applies) => () => {
    let previous: Json | undefined
    return onRecords(operation, (record, situation) => {
      const last = previous
      previous = record
      const isChanged = last && name in record && applies({ ...situation, attribute: name })
      return isChanged ? { ...record, [name]: last[name] } : record
    })()
  }
  return [{ operation, aspect: name, sentence: stated, triggers, start }]
}

/** Changes attributes to values that their rows do not allow. */
const violates = (change: Change): Target[] =>
  fields.flatMap((field) => onField(field, change, (_, after) => field.shape?.fits(after) === false))

/** Changes of one attribute of a reply. */
export const attributeOperators = defineOperators({
  'null-instead': violates(() => null),
  'number-as-text': violates(number(String)),
  'number-with-fraction': violates(number((value) => value + 0.5)),
  'text-as-number': violates(text((value) => value.length)),
  'boolean-as-number': violates(boolean(Number)),
  'boolean-as-text': violates(boolean((value) => (value ? 'True' : 'False'))),
  'object-as-text': violates(object((value) => JSON.stringify(value))),
  'empty-object-as-array': violates(object((value) => (Object.keys(value).length === 0 ? [] : value))),
  'array-as-object': violates(array((value) => ({ ...value }))),
  'array-as-text': violates(array((value) => value.join(','))),
  'single-item-unwrapped': violates(array((value) => (value.length === 1 ? value[0] : value))),
  'spoilt-elements': violates(array((value) => value.map((uuid) => ({ uuid })))),
  'null-as-text': violates(nothing('null')),
  'null-as-empty-text': violates(nothing('')),
  'null-as-zero': violates(nothing(0)),
  'capital-letter': violates(text((value) => value.slice(0, 1).toUpperCase() + value.slice(1))),
  'all-capitals': violates(text((value) => value.toUpperCase())),
  'iso-timestamp': violates(timestamp((value) => `${iso(value)}Z`)),
  'epoch-timestamp': violates(timestamp((value) => Date.parse(`${iso(value)}Z`) / 1_000)),
  'millisecond-timestamp': violates(timestamp((value) => `${value.slice(0, 19)}.000+00:00`)),
  'timestamp-with-zone-name': violates(timestamp((value) => `${value.slice(0, 19)}Z`)),
  drop: onFields(isPresent, () => undefined),
  'null-as-absent': onFields(isPresent, nothing(undefined)),
  'text-replaced': onFields(
    isOneOf('name', 'content'),
    text((value) => `${value}x`),
  ),
  'timestamp-moved': onFields(
    isTimestamp,
    timestamp((value) => `2020${value.slice(4)}`),
  ),
  'other-timestamp-form': onFields(
    ({ isTimestamp, operation }) => isTimestamp && facts(operation).timestamps.form === 'seconds',
    timestamp((value) => `${value.slice(0, 19)}.000000+00:00`),
  ).map((target) => ({
    ...target,
    sentence: sentence('Resources and their fields', 'YYYY-MM-DD HH:MM:SS` ('),
  })),
  'first-element-only': onFields(
    isOneOf('tags', 'upstream_blocks', 'downstream_blocks', 'blocks'),
    array((value) => value.slice(0, 1)),
  ),
  'elements-cut-at-ten': onFields(
    isOneOf('upstream_blocks', 'downstream_blocks', 'blocks'),
    array((value) => value.slice(0, 10)),
  ),
  'value-of-neighbour': fields.filter(isOneOf(...own)).flatMap(ofPrevious),
})
