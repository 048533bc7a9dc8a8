import type { JournalEntry, ResourceDescription } from '../library.ts'
import { whereOfKey } from '../records/select.ts'
import { readChanges } from '../requests/record-changes.ts'
import { member, type TypeScriptCode, typescript } from './code.ts'

/** Writes the expectation of a number of records with some values. */
function countLine(handle: TypeScriptCode, plural: string, where: object, count: number): TypeScriptCode {
  return typescript`expect(await ${handle}.model${member(plural)}.count(${where})).toBe(${count})`
}

/** Attributes that depend on time or chance, or are not recorded. */
const varying = /_at$|_datetime$|_date$|token|expires|password/
const mostRecords = 4

export function varies(name: string): boolean {
  return varying.test(name)
}

/** Returns whether a test can expect the value of an attribute. */
export function isSteady(name: string, value: unknown): boolean {
  return !varies(name) && value !== undefined && value !== '***'
}

/** Writes expectations of the records that a request of the application has changed. */
export function recordLines(
  { changes }: JournalEntry,
  handle: TypeScriptCode,
  resources: readonly ResourceDescription[],
): TypeScriptCode[] {
  return readChanges(changes)
    .slice(0, mostRecords)
    .flatMap(({ plural, key, kind, attributes }) => {
      const description = resources.find((each) => each.plural === plural)
      if (description === undefined || key.includes('***')) return []
      const table = typescript`${handle}.model${member(plural)}`
      const where = whereOfKey(description, key)
      if (kind !== 'changed') return [countLine(handle, plural, where, kind === 'added' ? 1 : 0)]
      const values = attributes.flatMap(({ name, next }) =>
        isSteady(name, next) ? [[name, next] as const] : [],
      )
      if (values.length === 0) return []
      const found = typescript`${table}.findFirst((q) => q.where(${where}))`
      return [typescript`expect(await ${found}).toMatchObject(${Object.fromEntries(values)})`]
    })
}
