import type { ResourceDescription } from '../../factories/describe-resources.ts'
import type { AnyRecord, RecordName } from '../store/acts.ts'
import { momentOf } from '../store/words.ts'
import { readField } from './fields.ts'

/** How calls name a record, and paths. */
export function nameRecord({ plural, key, scope }: ResourceDescription, record: AnyRecord): RecordName {
  if (scope === null) return { plural, where: { [key]: record[key] }, key: String(record[key]) }
  const where = { [key]: record[key], [scope]: record[scope] }
  return { plural, where, key: `${record[scope]}/${record[key]}` }
}

const units: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, min: 6e4, h: 36e5, d: 864e5 }

/** What a filter says: `status:failed`, `took:>1h`, and texts that stand anywhere. */
export function readFilter(text: string): (record: AnyRecord) => boolean {
  const tests = (text.match(/"[^"]*"|\S+/g) ?? []).map((token): ((record: AnyRecord) => boolean) => {
    const [, name, rest = ''] = /^(\w+):(.*)$/.exec(token) ?? []
    if (name === 'took') {
      const [, sign = '>', count = '0', unit = 's'] = /^([<>]?)(\d+(?:\.\d+)?)([a-z]*)$/.exec(rest) ?? []
      const limit = Number(count) * (units[unit] ?? 1e3)
      return (record) => {
        const took = lengthOfRecord(record)
        return took !== undefined && (sign === '<' ? took < limit : took > limit)
      }
    }
    if (name !== undefined) return (record) => shownValue(record[name]) === rest
    const wanted = token.replaceAll('"', '').toLowerCase()
    return (record) => textOf(record).includes(wanted)
  })
  return (record) => tests.every((test) => test(record))
}

const texts = new WeakMap<AnyRecord, string>()

function textOf(record: AnyRecord): string {
  let text = texts.get(record)
  if (text === undefined) {
    text = JSON.stringify(Object.values(record)).toLowerCase()
    texts.set(record, text)
  }
  return text
}

/** How long what a record tells of took, where it tells of something that begins and ends. */
function lengthOfRecord({ created_at: start, completed_at: end }: AnyRecord): number | undefined {
  const [from, to] = [momentOf(start), momentOf(end)]
  return from === undefined || to === undefined ? undefined : to - from
}

/** A value as one line. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Compares two values for an order: numbers by size, everything else as text; what is absent comes last. */
export function compareValues(one: unknown, other: unknown): number {
  if (one === other) return 0
  if (one === null || one === undefined) return 1
  if (other === null || other === undefined) return -1
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return shownValue(one) < shownValue(other) ? -1 : 1
}

const most = 6

/** The attributes that say most in a row: what identifies it, its state, its name, whose it is, its times. */
export function columnsOf(description: ResourceDescription, records: readonly AnyRecord[]): string[] {
  const { key, attributes, isOpen, references } = description
  const known = isOpen
    ? [...new Set(records.slice(0, 20).flatMap((record) => Object.keys(record)))]
    : Object.keys(attributes)
  const isFlat = (name: string) => isOpen || readField(attributes[name] ?? {}).kind !== 'json'
  const rank = (name: string) => {
    const place = ['status', key, 'name', 'email', 'type'].indexOf(name)
    if (place >= 0) return place
    if (name in references) return name.endsWith('_id') ? 12 : 10
    if (/^(?:execution_date|schedule_interval|expires|username|language)$/.test(name)) return 11
    if (/_at$|_datetime$/.test(name)) return /created|completed/.test(name) ? 20 : 30
    return /content|token|password|script|reads_left|ends_as|^color$|^config$/.test(name) ? 90 : 40
  }
  const filled = (name: string) => records.slice(0, 50).some((record) => shownValue(record[name]) !== '')
  return known
    .filter(
      (name) => isFlat(name) && rank(name) < 90 && (records.length === 0 || filled(name) || rank(name) < 5),
    )
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, most)
}
