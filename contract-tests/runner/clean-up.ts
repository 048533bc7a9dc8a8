import type { CleanupEntry, CleanupLog } from './cleanup-log.ts'
import { type Client, TransportError } from './client.ts'
import type { ForeignRecords } from './foreign-records.ts'
import { carriesName, ownerOf } from './record-owner.ts'
import { isError, listIn, recordIn } from './replies.ts'
import { isOwnPrefix, type RunId } from './run-id.ts'
import { readWhole } from './whole-list.ts'

/** What may be deleted, and by whom it was made. */
export interface CleanUpOptions {
  /** Whether pipelines and schedules may be deleted, which only the conventions describe. */
  readonly useConventions: boolean
  /** What the names of the run begin with that made the records. */
  readonly prefix: string
  /** The uuids of the pipelines that were there before. */
  readonly before?: ReadonlySet<string>
  /** What lists have shown as somebody else's. */
  readonly foreignRecords?: ForeignRecords
  /** Which of the records are deleted. Default: all. */
  readonly selects?: (entry: CleanupEntry) => boolean
}

const byConvention: readonly CleanupEntry['kind'][] = ['pipeline', 'schedule']

/**
 * Deletes what a run made, newest first, and nothing else. What the target refuses to delete stays in the cleanupLog; what was
 * never there, or is somebody else's, is taken out of it.
 */
export async function cleanUp(
  client: Client,
  cleanupLog: CleanupLog,
  options: CleanUpOptions,
): Promise<void> {
  const { selects = () => true } = options
  const entries = cleanupLog.entries
    .filter((entry) => mayDelete(entry, options) && selects(entry))
    .toReversed()
  // A pipeline takes with it what stands in it: asked first, it saves a question and a deletion for each of those.
  const ordered = [
    ...entries.filter(({ kind }) => kind === 'pipeline'),
    ...entries.filter(({ kind }) => kind !== 'pipeline'),
  ]
  try {
    for (const entry of ordered) await deleteEntry(client, cleanupLog, entry, options)
    // A pipeline may not go before its blocks have.
    for (const entry of ordered.filter(({ kind }) => kind === 'pipeline'))
      await deleteEntry(client, cleanupLog, entry, options)
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  }
}

/**
 * Takes into the cleanupLog the pipelines that are named as those of this run alone: a target may create one, and lose its reply
 * or deny it. A run that was given its whole prefix has no name of its own.
 */
export async function noteUnanswered(
  client: Client,
  cleanupLog: CleanupLog,
  { run, prefix }: RunId,
  before: ReadonlySet<string>,
): Promise<void> {
  if (!isOwnPrefix(prefix, run)) return
  try {
    const list = await readWhole((path) => client.send('GET', path), '/api/pipelines', 'pipelines')
    for (const { uuid } of list?.records ?? []) {
      if (typeof uuid !== 'string' || !carriesName(uuid, prefix) || before.has(uuid)) continue
      const path = `/api/pipelines/${encodeURIComponent(uuid)}`
      if (cleanupLog.has(path)) continue
      cleanupLog.created('pipeline', path)
      cleanupLog.mayHold(uuid)
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  }
}

/** A run carries no name, so nobody can say whose it is: it goes with its pipeline, or is told. */
function mayDelete({ kind }: CleanupEntry, { useConventions }: CleanUpOptions): boolean {
  return kind !== 'run' && (useConventions || !byConvention.includes(kind))
}

async function deleteEntry(
  client: Client,
  cleanupLog: CleanupLog,
  entry: CleanupEntry,
  options: CleanUpOptions,
): Promise<void> {
  const { prefix, before = new Set(), foreignRecords } = options
  if (!mayDelete(entry, options)) return
  // Gone already, with the pipeline it stood in.
  if (!cleanupLog.has(entry.path)) return
  const uuid = decodeURIComponent(entry.path.split('/')[3] ?? '')
  const isForeign = entry.kind === 'pipeline' && before.has(uuid)
  const owner = isForeign ? 'somebody else' : await ownerOf(client, entry, prefix, foreignRecords)
  if (owner === 'unknown') {
    // A list that fails may hold a backfill still; schedules are listed by their pipeline, which may be gone.
    if (entry.kind === 'backfill') cleanupLog.refused(entry.path)
    else if (entry.home !== undefined) await forgetWithout(client, cleanupLog, entry.home)
    return
  }
  if (owner === 'somebody else') {
    // What a target names otherwise than it was told is not deleted, since nobody can say whose it is, and it is told.
    if (options.before === undefined || isForeign || !(await isThere(client, entry)))
      cleanupLog.deleted(entry.path)
    return
  }
  if (entry.kind === 'pipeline' && !cleanupLog.leftEmpty(uuid)) {
    await deleteWhatStandsIn(client, cleanupLog, uuid, foreignRecords)
    // What its lists do not show may be there nevertheless.
    for (const inside of cleanupLog.entries.filter(({ home, path }) => home === uuid && path !== entry.path))
      await deleteEntry(client, cleanupLog, inside, options)
  }
  await remove(client, cleanupLog, entry)
}

/** Takes what stood in a pipeline out of the cleanupLog where the pipeline is gone: another server may answer here by now. */
async function forgetWithout(client: Client, cleanupLog: CleanupLog, home: string): Promise<void> {
  const pipeline = `/api/pipelines/${encodeURIComponent(home)}`
  if (isError(await client.send('GET', pipeline))) cleanupLog.deletedWithin(pipeline)
}

async function remove(client: Client, cleanupLog: CleanupLog, entry: CleanupEntry): Promise<void> {
  const reply = await client.send('DELETE', entry.path)
  if (!isError(reply) || (await isGone(client, entry, reply.code))) cleanupLog.deletedWithin(entry.path)
  else cleanupLog.refused(entry.path)
}

/** Tells whether a pipeline is there that the target says it has made; of other records that are not ours nothing is told. */
async function isThere(client: Client, { kind, path }: CleanupEntry): Promise<boolean> {
  if (kind !== 'pipeline') return false
  const uuid = decodeURIComponent(path.split('/')[3] ?? '')
  return recordIn(await client.send('GET', path), 'pipeline')?.uuid === uuid
}

/** A refused deletion is none; an error about a record that is not there any more is as good as one. */
async function isGone(client: Client, { kind, path }: CleanupEntry, code: number): Promise<boolean> {
  if (code === 404) return true
  // Backfills and schedules cannot be read one by one by the document.
  if (kind !== 'pipeline' && kind !== 'block') return code === 400
  return isError(await client.send('GET', path.split('?')[0] ?? path))
}

/** Deletes the schedules and backfills of a pipeline that is ours: the server makes some itself, when a backfill starts. */
async function deleteWhatStandsIn(
  client: Client,
  cleanupLog: CleanupLog,
  uuid: string,
  foreignRecords: ForeignRecords | undefined,
): Promise<void> {
  const pipeline = encodeURIComponent(uuid)
  const lists = [
    ['backfills', `/api/backfills?pipeline_uuid=${pipeline}`],
    ['pipeline_schedules', `/api/pipelines/${pipeline}/pipeline_schedules`],
  ] as const
  const found: string[] = []
  for (const [plural, list] of lists) {
    for (const record of listIn(await client.send('GET', list), plural) ?? []) {
      if (record.pipeline_uuid !== uuid || !Number.isSafeInteger(record.id)) continue
      const path = `/api/${plural}/${record.id}`
      // A list may show it here whose it is not.
      if (foreignRecords?.has(path)) continue
      // Tags may outlive their schedule, and be those of a later one that is given its id.
      if (Array.isArray(record.tags) && record.tags.length > 0)
        await client.send('PUT', path, { body: { pipeline_schedule: { tags: [] } } })
      found.push(path)
    }
  }
  for (const path of found) if (!isError(await client.send('DELETE', path))) cleanupLog.deleted(path)
}
