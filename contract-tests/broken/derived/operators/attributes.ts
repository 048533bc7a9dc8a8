import type { AttributeFact } from '../../../judge/operation-facts.ts'
import { type RecordName, recordFields } from '../../../rules/fields.ts'
import type { OperationId } from '../../../rules/operation-id.ts'
import type { Shape } from '../../../rules/shapes.ts'
import { fittingGuards } from '../guards.ts'
import {
  documentedOperations,
  facts,
  type Operator,
  onRecords,
  type Strike,
  sentence,
  without,
} from '../mutant.ts'
import { isJson, type Json } from '../wrong-server.ts'

const timestamp = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/

/** Makes something else of a value, or leaves it where it cannot. */
type Remake = (value: unknown, record: Json) => unknown

/** Values of the field that the document's tables allow. */
interface Field extends AttributeFact {
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
const fields: readonly Field[] = documentedOperations.flatMap((operation) => {
  const { attributes, plural } = facts(operation)
  const table: Readonly<Record<string, Shape>> =
    recordFields.find(({ record }) => record === recordOf[plural])?.fields ?? {}
  if (attributes === 'all') return []
  return attributes.map((attribute) => ({ ...attribute, operation, shape: table[attribute.name] }))
})

/** Strikes the attributes that fit, in the records where the guard holds. */
function strikes(fits: (field: Field) => boolean, remake: Remake): Strike[] {
  return fields.flatMap((field) => {
    const { operation, name, stated } = field
    if (stated === undefined || !fits(field)) return []
    return [
      {
        operation,
        aspect: name,
        sentence: stated,
        guards: fittingGuards(facts(operation), name),
        wrong: (holds) =>
          onRecords(
            operation,
            (record, situation) => {
              if (!(name in record) || !holds(situation)) return record
              const value = remake(record[name], record)
              return value === undefined ? without(record, name) : { ...record, [name]: value }
            },
            name,
          ),
      },
    ]
  })
}

const takes = (value: unknown) => (field: Field) => field.shape?.fits(value) === true
const refuses = (value: unknown) => (field: Field) => field.shape?.fits(value) === false
const isText = takes('any text')
const isMoment = ({ isMoment }: Field) => isMoment

function text(change: (value: string) => string): Remake {
  return (value) => (typeof value === 'string' ? change(value) : value)
}

function moment(change: (value: string) => unknown): Remake {
  return (value) => (typeof value === 'string' && timestamp.test(value) ? change(value) : value)
}

const iso = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}`
/** The values that the document lists for a field: their letters matter. */
const isListed = ({ shape }: Field) => shape?.expected.startsWith('one of') === true

/** What goes wrong with one attribute of a reply. */
export const attributeOperators: readonly Operator[] = [
  {
    name: 'drop',
    does: 'leaves an attribute out',
    strikes: strikes(
      ({ shape }) => shape !== undefined,
      () => undefined,
    ),
  },
  {
    name: 'null-instead',
    does: 'says null where the document allows none',
    strikes: strikes(refuses(null), () => null),
  },
  {
    name: 'number-as-text',
    does: 'writes a number as a string',
    strikes: strikes(takes(1), (value) => (typeof value === 'number' ? String(value) : value)),
  },
  {
    name: 'number-with-fraction',
    does: 'writes an integer with a fraction',
    strikes: strikes(takes(1), (value) => (typeof value === 'number' ? value + 0.5 : value)),
  },
  {
    name: 'text-as-number',
    does: 'writes a string as a number',
    strikes: strikes(
      (field) => isText(field) && !isMoment(field),
      (value) => (typeof value === 'string' ? value.length : value),
    ),
  },
  {
    name: 'boolean-as-number',
    does: 'writes a boolean as 0 or 1',
    strikes: strikes(takes(true), (value) => (typeof value === 'boolean' ? Number(value) : value)),
  },
  {
    name: 'boolean-as-text',
    does: 'writes a boolean as True or False',
    strikes: strikes(takes(true), (value) => (value === true ? 'True' : value === false ? 'False' : value)),
  },
  {
    name: 'object-as-text',
    does: 'writes an object as JSON in a string',
    strikes: strikes(takes({}), (value) => (isJson(value) ? JSON.stringify(value) : value)),
  },
  {
    name: 'empty-object-as-array',
    does: 'writes an empty object as an empty array',
    strikes: strikes(takes({}), (value) => (isJson(value) && Object.keys(value).length === 0 ? [] : value)),
  },
  {
    name: 'array-as-object',
    does: 'writes an array as an object by index',
    strikes: strikes(takes([]), (value) => (Array.isArray(value) ? { ...value } : value)),
  },
  {
    name: 'array-as-text',
    does: 'joins an array by commas',
    strikes: strikes(takes([]), (value) => (Array.isArray(value) ? value.join(',') : value)),
  },
  {
    name: 'single-item-unwrapped',
    does: 'writes an array of one item as that item',
    strikes: strikes(takes([]), (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value)),
  },
  {
    name: 'null-as-text',
    does: 'writes null as the string "null"',
    strikes: strikes(
      (field) => takes(null)(field) && refuses('null')(field),
      (value) => (value === null ? 'null' : value),
    ),
  },
  {
    name: 'null-as-empty-text',
    does: 'writes null as an empty string where no string may be',
    strikes: strikes(
      (field) => takes(null)(field) && refuses('')(field),
      (value) => (value === null ? '' : value),
    ),
  },
  {
    name: 'null-as-zero',
    does: 'writes null as 0 where no number may be',
    strikes: strikes(
      (field) => takes(null)(field) && refuses(0)(field),
      (value) => (value === null ? 0 : value),
    ),
  },
  {
    name: 'null-as-absent',
    does: 'leaves out what is null',
    strikes: strikes(takes(null), (value) => (value === null ? undefined : value)),
  },
  {
    name: 'capital-letter',
    does: 'writes a listed value with a capital letter',
    strikes: strikes(
      isListed,
      text((value) => value.slice(0, 1).toUpperCase() + value.slice(1)),
    ),
  },
  {
    name: 'all-capitals',
    does: 'writes a listed value in capital letters',
    strikes: strikes(
      isListed,
      text((value) => value.toUpperCase()),
    ),
  },
  {
    name: 'iso-timestamp',
    does: 'writes a moment with T and Z',
    strikes: strikes(
      isMoment,
      moment((value) => `${iso(value)}Z`),
    ),
  },
  {
    name: 'epoch-timestamp',
    does: 'writes a moment as seconds since 1970',
    strikes: strikes(
      isMoment,
      moment((value) => Date.parse(`${iso(value)}Z`) / 1_000),
    ),
  },
  {
    name: 'millisecond-timestamp',
    does: 'writes a moment with three digits of a second',
    strikes: strikes(
      isMoment,
      moment((value) => `${value.slice(0, 19)}.000+00:00`),
    ),
  },
  {
    name: 'timestamp-with-zone-name',
    does: 'writes a moment with a Z behind it',
    strikes: strikes(
      isMoment,
      moment((value) => `${value.slice(0, 19)}Z`),
    ),
  },
  {
    name: 'other-timestamp-form',
    does: 'writes microseconds where the document says seconds',
    strikes: strikes(
      ({ isMoment, operation }) => isMoment && facts(operation).timestamps.form === 'seconds',
      moment((value) => `${value.slice(0, 19)}.000000+00:00`),
    ).map((strike) => ({
      ...strike,
      sentence: sentence('Resources and their fields', 'YYYY-MM-DD HH:MM:SS` ('),
    })),
  },
  {
    name: 'spoilt-elements',
    does: 'wraps the elements of an array of strings in objects',
    strikes: strikes(
      ({ shape, name }) => shape?.fits(['text']) === true && (name === 'tags' || name === 'upstream_blocks'),
      (value) => (Array.isArray(value) ? value.map((uuid) => ({ uuid })) : value),
    ),
  },
  {
    name: 'first-element-only',
    does: 'shows only the first element of an array',
    strikes: strikes(
      ({ name }) => ['tags', 'upstream_blocks', 'downstream_blocks', 'blocks'].includes(name),
      (value) => (Array.isArray(value) ? value.slice(0, 1) : value),
    ),
  },
  {
    name: 'value-of-neighbour',
    does: 'shows what the record before it has',
    strikes: fields.flatMap(({ operation, name, stated }) => {
      const telling = [
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
      ]
      if (stated === undefined || !telling.includes(name)) return []
      const strike: Strike = {
        operation,
        aspect: name,
        sentence: stated,
        guards: fittingGuards(facts(operation), name, ['record']),
        wrong: (holds) => () => {
          let before: Json | undefined
          return onRecords(operation, (record, situation) => {
            const last = before
            before = record
            return last && name in record && holds(situation) ? { ...record, [name]: last[name] } : record
          })()
        },
      }
      return [strike]
    }),
  },
]
