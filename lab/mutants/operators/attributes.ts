import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import { facts, type Operator, onRecords, type Strike, sentence } from '../mutant.ts'
import {
  fields,
  hasFixedSet,
  isListed,
  isMoment,
  iso,
  isText,
  moment,
  refuses,
  strikes,
  takes,
  text,
} from './attribute-strikes.ts'

/** What goes wrong with one attribute of a reply. */
export const attributeOperators: readonly Operator[] = [
  {
    name: 'drop',
    does: 'leaves an attribute out',
    strikes: strikes(
      (field) => field.shape !== undefined && hasFixedSet(field),
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
    strikes: strikes(takes({}), (value) => (isObject(value) ? JSON.stringify(value) : value)),
  },
  {
    name: 'empty-object-as-array',
    does: 'writes an empty object as an empty array',
    strikes: strikes(takes({}), (value) => (isObject(value) && Object.keys(value).length === 0 ? [] : value)),
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
    strikes: strikes(
      (field) => takes(null)(field) && hasFixedSet(field),
      (value) => (value === null ? undefined : value),
    ),
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
