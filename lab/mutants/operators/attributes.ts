import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { type RecordName, recordFields } from '../../../contract-tests/rules/fields.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import type { Shape } from '../../../contract-tests/rules/shapes.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { AttributeFact } from '../../../contract-tests/runner/operation-facts.ts'
import {
  at,
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

/** An attribute of a reply, with the values that its row of the specification allows. */
interface Field extends AttributeFact {
  readonly operation: OperationId
  readonly shape: Shape | undefined
}

type Change = (value: unknown) => unknown
type Fits = (field: Field) => boolean

const recordOf: Readonly<Record<string, RecordName>> = {
  pipelines: 'pipeline',
  blocks: 'block',
  backfills: 'backfill',
  pipeline_schedules: 'schedule',
  pipeline_runs: 'run',
  logs: 'logs',
  oauth_access_tokens: 'oauth-token',
}

/** Every attribute of every documented reply. */
const fields: readonly Field[] = documentedOperations.flatMap((operation) => {
  const { attributes, plural } = facts(operation)
  const table: Readonly<Record<string, Shape>> =
    recordFields.find(({ record }) => record === recordOf[plural])?.fields ?? {}
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

/** Changes the value of every attribute that fits, if it can have a value that differs then. */
function onFields(fits: Fits, change: Change): Target[] {
  return fields.filter(fits).flatMap(({ operation, name, stated, shape }) => {
    if (stated === undefined) return []
    const listed = shape?.expected.split(/[ ,]+/) ?? []
    const values = neverSet.includes(name) ? [null, {}, []] : [...samples, ...listed]
    const changing = values.filter(
      (value) => (shape?.fits(value) ?? true) && !isDeepStrictEqual(change(value), value),
    )
    const triggers = fittingTriggers(facts(operation), name).filter(({ ofValue = () => true }) =>
      changing.some(ofValue),
    )
    const changed = (record: Json) => {
      if (!(name in record)) return record
      const value = change(record[name])
      return value === undefined ? without(record, name) : { ...record, [name]: value }
    }
    return [records(at(operation, name, stated, triggers), changed)]
  })
}

const accepts =
  (value: unknown): Fits =>
  (field) =>
    field.shape?.fits(value) === true
const rejects =
  (value: unknown): Fits =>
  (field) =>
    field.shape?.fits(value) === false
const both =
  (...all: Fits[]): Fits =>
  (field) =>
    all.every((fits) => fits(field))
const isTimestamp: Fits = ({ isMoment }) => isMoment
/** The specification lists the values, so that their case matters. */
const isListed: Fits = ({ shape }) => shape?.expected.startsWith('one of') === true
/** The specification does not show what the items of the list of pipelines contain. */
const isPresent: Fits = ({ operation, shape }) => shape !== undefined && operation !== 'listPipelines'
const isOneOf =
  (...names: string[]): Fits =>
  ({ name }) =>
    names.includes(name)

const text =
  (change: (value: string) => unknown): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value
const number =
  (change: (value: number) => unknown): Change =>
  (value) =>
    typeof value === 'number' ? change(value) : value
const array =
  (change: (value: readonly unknown[]) => unknown): Change =>
  (value) =>
    Array.isArray(value) ? change(value) : value
const nothing =
  (instead: unknown): Change =>
  (value) =>
    value === null ? instead : value
const timestamp = (change: (value: string) => unknown): Change =>
  text((value) => (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/.test(value) ? change(value) : value))
const iso = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}`

/** Changes of one attribute of a reply. */
export const attributeOperators = defineOperators({
  drop: ['omits an attribute', onFields(isPresent, () => undefined)],
  'null-instead': ['gives null where the specification allows none', onFields(rejects(null), () => null)],
  'number-as-text': ['gives a number as a string', onFields(accepts(1), number(String))],
  'number-with-fraction': [
    'gives an integer with a fraction',
    onFields(
      accepts(1),
      number((value) => value + 0.5),
    ),
  ],
  'text-as-number': [
    'gives a string as a number',
    onFields(
      both(accepts('any text'), (field) => !isTimestamp(field)),
      text((value) => value.length),
    ),
  ],
  'text-replaced': [
    'gives another text',
    onFields(
      isOneOf('name', 'content'),
      text((value) => `${value}x`),
    ),
  ],
  'boolean-as-number': [
    'gives a boolean as 0 or 1',
    onFields(accepts(true), (value) => (typeof value === 'boolean' ? Number(value) : value)),
  ],
  'boolean-as-text': [
    'gives a boolean as True or False',
    onFields(accepts(true), (value) => (value === true ? 'True' : value === false ? 'False' : value)),
  ],
  'object-as-text': [
    'gives an object as JSON in a string',
    onFields(accepts({}), (value) => (isObject(value) ? JSON.stringify(value) : value)),
  ],
  'empty-object-as-array': [
    'gives an empty object as an empty array',
    onFields(accepts({}), (value) => (isObject(value) && Object.keys(value).length === 0 ? [] : value)),
  ],
  'array-as-object': [
    'gives an array as an object by index',
    onFields(
      accepts([]),
      array((value) => ({ ...value })),
    ),
  ],
  'array-as-text': [
    'joins an array by commas',
    onFields(
      accepts([]),
      array((value) => value.join(',')),
    ),
  ],
  'single-item-unwrapped': [
    'gives an array of one item as that item',
    onFields(
      accepts([]),
      array((value) => (value.length === 1 ? value[0] : value)),
    ),
  ],
  'null-as-text': [
    'gives null as the string "null"',
    onFields(both(accepts(null), rejects('null')), nothing('null')),
  ],
  'null-as-empty-text': [
    'gives null as an empty string where no string is allowed',
    onFields(both(accepts(null), rejects('')), nothing('')),
  ],
  'null-as-zero': [
    'gives null as 0 where no number is allowed',
    onFields(both(accepts(null), rejects(0)), nothing(0)),
  ],
  'null-as-absent': [
    'omits an attribute that is null',
    onFields(both(accepts(null), isPresent), nothing(undefined)),
  ],
  'capital-letter': [
    'gives a listed value with a capital letter',
    onFields(
      isListed,
      text((value) => value.slice(0, 1).toUpperCase() + value.slice(1)),
    ),
  ],
  'all-capitals': [
    'gives a listed value in capital letters',
    onFields(
      isListed,
      text((value) => value.toUpperCase()),
    ),
  ],
  'iso-timestamp': [
    'gives a timestamp with T and Z',
    onFields(
      isTimestamp,
      timestamp((value) => `${iso(value)}Z`),
    ),
  ],
  'epoch-timestamp': [
    'gives a timestamp as seconds since 1970',
    onFields(
      isTimestamp,
      timestamp((value) => Date.parse(`${iso(value)}Z`) / 1_000),
    ),
  ],
  'millisecond-timestamp': [
    'gives a timestamp with three digits of a second',
    onFields(
      isTimestamp,
      timestamp((value) => `${value.slice(0, 19)}.000+00:00`),
    ),
  ],
  'timestamp-with-zone-name': [
    'gives a timestamp with a Z at its end',
    onFields(
      isTimestamp,
      timestamp((value) => `${value.slice(0, 19)}Z`),
    ),
  ],
  'timestamp-moved': [
    'gives a timestamp of another year',
    onFields(
      isTimestamp,
      timestamp((value) => `2020${value.slice(4)}`),
    ),
  ],
  'other-timestamp-form': [
    'gives microseconds where the specification says seconds',
    onFields(
      ({ isMoment, operation }) => isMoment && facts(operation).timestamps.form === 'seconds',
      timestamp((value) => `${value.slice(0, 19)}.000000+00:00`),
    ).map((target) => ({
      ...target,
      sentence: sentence('Resources and their fields', 'YYYY-MM-DD HH:MM:SS` ('),
    })),
  ],
  'spoilt-elements': [
    'wraps the elements of an array of strings in objects',
    onFields(
      isOneOf('tags', 'upstream_blocks'),
      array((value) => value.map((uuid) => ({ uuid }))),
    ),
  ],
  'first-element-only': [
    'gives only the first element of an array',
    onFields(
      isOneOf('tags', 'upstream_blocks', 'downstream_blocks', 'blocks'),
      array((value) => value.slice(0, 1)),
    ),
  ],
  'elements-cut-at-ten': [
    'gives no more than ten elements of an array',
    onFields(
      isOneOf('upstream_blocks', 'downstream_blocks', 'blocks'),
      array((value) => value.slice(0, 10)),
    ),
  ],
  'value-of-neighbour': [
    'gives the value of the previous record',
    fields
      .filter(
        both(
          isOneOf(
            'uuid',
            'id',
            'name',
            'token',
            'pipeline_uuid',
            'type',
            'content',
            'status',
            'tags',
            'start_time',
            'blocks',
          ),
          ({ stated }) => stated !== undefined,
        ),
      )
      .map(({ operation, name, stated = sentence('What the service does', 'carries one record') }) => ({
        operation,
        aspect: name,
        sentence: stated,
        triggers: fittingTriggers(facts(operation), name, 'record'),
        start: (applies) => () => {
          let previous: Json | undefined
          return onRecords(operation, (record, situation) => {
            const last = previous
            previous = record
            return last && name in record && applies({ ...situation, attribute: name })
              ? { ...record, [name]: last[name] }
              : record
          })()
        },
      })),
  ],
})
