import type { ResourceDescription } from '../library.ts'
import type { NamedRecord } from '../store/acts.ts'
import type { AnyRecord } from '../store/table.ts'
import { readField } from './fields.ts'

/** Returns the names of a record in calls and in paths. */
export function nameRecord({ plural, key, scope }: ResourceDescription, record: AnyRecord): NamedRecord {
  if (scope === null) return { plural, where: { [key]: record[key] }, key: String(record[key]) }
  const where = { [key]: record[key], [scope]: record[scope] }
  return { plural, where, key: `${record[scope]}/${record[key]}` }
}

/** Returns the condition that finds the record of a key in a path of the admin API. */
export function whereOfKey({ key, scope, attributes }: ResourceDescription, text: string): object {
  const toKey = (name: string, given: string) =>
    readField(attributes[name]).kind === 'number' || (key === 'id' && /^\d+$/.test(given))
      ? Number(given)
      : given
  if (scope === null) return { [key]: toKey(key, text) }
  const slash = text.lastIndexOf('/')
  return { [scope]: toKey(scope, text.slice(0, slash)), [key]: toKey(key, text.slice(slash + 1)) }
}

/** Formats a value for people, without the microseconds of a timestamp. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value).replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.\d{6}\+00:00$/, '$1')
}

/** Returns the rank of an attribute: identity, state, references, times. */
export function rankOf({ key, references }: ResourceDescription, name: string): number {
  const place = ['status', key, 'name', 'email', 'type'].indexOf(name)
  if (place >= 0) return place
  if (name in references) return name.endsWith('_id') ? 12 : 10
  if (/^(?:execution_date|schedule_interval|expires|username|language)$/.test(name)) return 11
  if (/_at$|_datetime$/.test(name)) return /created|completed/.test(name) ? 20 : 30
  return /content|token|password|script|reads_left|ends_as|^color$|^config$/.test(name) ? 90 : 40
}

/** Returns the attributes of records; for an open resource, finds them in its records. */
export function namesIn(
  { attributes, isOpen }: ResourceDescription,
  records: readonly AnyRecord[],
): string[] {
  const others = isOpen ? records.slice(0, 20).flatMap((record) => Object.keys(record)) : []
  return [...new Set([...Object.keys(attributes), ...others])]
}

const most = 6

/** Returns the most informative attributes of a row: key, status, name, references, timestamps. */
export function columnsOf(description: ResourceDescription, records: readonly AnyRecord[]): string[] {
  const { attributes, isOpen } = description
  const rank = (name: string) => rankOf(description, name)
  return namesIn(description, records)
    .filter((name) => isOpen || readField(attributes[name]).kind !== 'json')
    .filter((name) => rank(name) < 90)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, most)
}
