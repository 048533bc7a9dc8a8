import type { JournalEntry } from '../../../src/engine/journal/journal-entry.ts'
import type { ResourceDescription } from '../../../src/factories/describe-resources.ts'
import { whereOfKey } from '../records/select.ts'
import { readChanges } from '../requests/state-diff.ts'
import type { Act } from './acts.ts'
import { tableOf } from './any-table.ts'
import { toLiteral } from './literal.ts'
import type { Live } from './live.ts'

/** How many records there are: by table, and of those that have one by their status. */
export type StateCounts = Readonly<Record<string, number>>

/** What acts that change records may change. */
const counted = ['pipelines', 'blocks', 'pipeline_schedules', 'backfills', 'pipeline_runs', 'logs'] as const
const byStatus: ReadonlySet<string> = new Set(['backfills', 'pipeline_runs'])
/** Acts after which all records are as before. */
const elsewhere = /^(?:faults|journal|assumptions|worlds)\.|^(?:clock\.run|snapshot)$/

export function changesRecords({ name }: Act): boolean {
  return !elsewhere.test(name)
}

/** Counts the records of a world, to say afterwards what has changed. */
export async function countState({ of }: Pick<Live, 'of'>): Promise<StateCounts> {
  const found = await Promise.all(
    counted.map(async (plural): Promise<[string, number][]> => {
      const table = tableOf(of, plural)
      if (!byStatus.has(plural)) return [[plural, await table.count()]]
      const counts = Object.entries(await table.countBy('status'))
      return counts.map(([status, count]) => [`${plural} ${status}`, count])
    }),
  )
  return Object.fromEntries(found.flat())
}

/** Expects what an act has made of the counts, as far as it has changed them. */
export function countLines(before: StateCounts, after: StateCounts, handle: string): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const count = after[name] ?? 0
    if ((before[name] ?? 0) === count) return []
    const [plural, status] = name.split(' ')
    if (status === 'null') return []
    const where = status === undefined ? '' : toLiteral({ status })
    return [`expect(await ${handle}.model.${plural}.count(${where})).toBe(${count})`]
  })
}

/** What depends on the moment, or is drawn, or not written down. */
const unsteady = /_at$|_datetime$|_date$|token|expires|password/
const mostRecords = 4

/** Expects what a request of the application has made of the records. */
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
      const where = toLiteral(whereOfKey(description, key))
      const count = (expected: number) =>
        `expect(await ${handle}.model.${plural}.count(${where})).toBe(${expected})`
      if (kind !== 'changed') return [count(kind === 'added' ? 1 : 0)]
      const steady = attributes.filter(
        ({ name, next }) => !unsteady.test(name) && next !== undefined && next !== '***',
      )
      if (steady.length === 0) return []
      const values = Object.fromEntries(steady.map(({ name, next }) => [name, next]))
      return [
        `expect(await ${handle}.model.${plural}.findFirst((q) => q.where(${where}))).toMatchObject(${toLiteral(values)})`,
      ]
    })
}
