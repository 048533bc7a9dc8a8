import type { JournalEntry, ResourceDescription, WorldControls } from '../library.ts'
import { whereOfKey } from '../records/select.ts'
import { readChanges } from '../requests/record-changes.ts'
import type { Act } from './acts.ts'
import { toLiteral } from './literal.ts'
import { tableOf } from './table.ts'

/** Numbers of records: by table, and of those that have one by their status. */
export type RecordCounts = Readonly<Record<string, number>>

/** Tables that acts may change. */
const counted = ['pipelines', 'blocks', 'pipeline_schedules', 'logs']
const countedByStatus = ['backfills', 'pipeline_runs']
/** Acts that change no record. */
const elsewhere = /^(?:faults|journal|assumptions|worlds)\.|^(?:clock\.run|snapshot)$/

export function changesRecords({ name }: Act): boolean {
  return !elsewhere.test(name)
}

/** Counts the records of a world, to find afterwards what has changed. */
export async function countRecords(of: WorldControls): Promise<RecordCounts> {
  const found = await Promise.all([
    ...counted.map(async (plural) => ({ [plural]: await tableOf(of, plural).count() })),
    ...countedByStatus.map(async (plural) => {
      const counts = Object.entries(await tableOf(of, plural).countBy('status'))
      return Object.fromEntries(counts.map(([status, count]) => [`${plural} ${status}`, count]))
    }),
  ])
  return Object.assign({}, ...found)
}

/** Writes expectations of the counts that an act has changed. */
export function countLines(before: RecordCounts, after: RecordCounts, handle: string): string[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const count = after[name] ?? 0
    const [plural, status] = name.split(' ')
    if ((before[name] ?? 0) === count || status === 'null') return []
    const where = status === undefined ? '' : toLiteral({ status })
    return [`expect(await ${handle}.model.${plural}.count(${where})).toBe(${count})`]
  })
}

/** Attributes that depend on time or chance, or are not written down. */
const varying = /_at$|_datetime$|_date$|token|expires|password/
const mostRecords = 4

/** Writes expectations of the records that a request of the application has changed. */
export function recordLines(
  { changes }: JournalEntry,
  handle: string,
  resources: readonly ResourceDescription[],
): string[] {
  return readChanges(changes)
    .slice(0, mostRecords)
    .flatMap(({ plural, key, kind, attributes }) => {
      const description = resources.find((each) => each.plural === plural)
      if (description === undefined || key.includes('***')) return []
      const table = `${handle}.model.${plural}`
      const where = toLiteral(whereOfKey(description, key))
      if (kind !== 'changed')
        return [`expect(await ${table}.count(${where})).toBe(${kind === 'added' ? 1 : 0})`]
      const values = attributes.flatMap(({ name, next }) =>
        varying.test(name) || next === undefined || next === '***' ? [] : [[name, next] as const],
      )
      if (values.length === 0) return []
      const expected = toLiteral(Object.fromEntries(values))
      return [`expect(await ${table}.findFirst((q) => q.where(${where}))).toMatchObject(${expected})`]
    })
}
