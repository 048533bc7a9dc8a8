import type { JournalEntry, ResourceDescription, WorldControls } from '../library.ts'
import { whereOfKey } from '../records/select.ts'
import { readChanges } from '../requests/record-changes.ts'
import type { Act } from './acts.ts'
import { list, member, type TypeScriptCode, typescript, unlessEmpty } from './code.ts'
import { tableOf } from './table.ts'

/** Numbers of records: by table, and of those that have one by their status. */
export type RecordCounts = Readonly<Record<string, number>>

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

export function countLine(
  handle: TypeScriptCode,
  plural: string,
  where: object,
  count: number,
): TypeScriptCode {
  return typescript`expect(await ${handle}.model${member(plural)}.count(${list(...unlessEmpty(where))})).toBe(${count})`
}

/** Writes expectations of the counts that an act has changed. */
export function countLines(
  before: RecordCounts,
  after: RecordCounts,
  handle: TypeScriptCode,
): TypeScriptCode[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const count = after[name] ?? 0
    const [plural = '', status] = name.split(' ')
    if ((before[name] ?? 0) === count || status === 'null') return []
    return [countLine(handle, plural, status === undefined ? {} : { status }, count)]
  })
}

/** Attributes that depend on time or chance, or are not written down. */
const varying = /_at$|_datetime$|_date$|token|expires|password/
const mostRecords = 4

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
        varying.test(name) || next === undefined || next === '***' ? [] : [[name, next] as const],
      )
      if (values.length === 0) return []
      const found = typescript`${table}.findFirst((q) => q.where(${where}))`
      return [typescript`expect(await ${found}).toMatchObject(${Object.fromEntries(values)})`]
    })
}
