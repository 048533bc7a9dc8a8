import type { CleanupEntry, CleanupLog } from './cleanup-log.ts'
import { type Client, TransportError } from './client.ts'
import type { ForeignRecords } from './foreign-records.ts'
import { carriesName, ownerOf } from './record-owner.ts'
import { isError, listIn, recordIn } from './replies.ts'
import { isOwnPrefix, type RunId } from './run-id.ts'
import { readWhole } from './whole-list.ts'

/** Options of the clean-up. */
export interface CleanUpOptions {
  /** True if pipelines and schedules may be deleted, which only the conventions describe. */
  readonly useConventions: boolean
  /** The prefix of the names of the run that created the records. */
  readonly prefix: string
  /** The uuids of the pipelines that existed before. */
  readonly before?: ReadonlySet<string>
  /** The records of other clients in lists. */
  readonly foreignRecords?: ForeignRecords
  /** Selects the records to delete. Default: all. */
  readonly selects?: (entry: CleanupEntry) => boolean
}

const byConvention: readonly CleanupEntry['kind'][] = ['pipeline', 'schedule']

/**
 * Deletes the records of a run, newest first, and no others. A record whose deletion the target refuses remains in the cleanup
 * log; one that does not exist, or belongs to another client, is removed from it.
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
  // A deleted pipeline includes its records, so pipelines first save requests.
  const ordered = [
    ...entries.filter(({ kind }) => kind === 'pipeline'),
    ...entries.filter(({ kind }) => kind !== 'pipeline'),
  ]
  try {
    for (const entry of ordered) await deleteEntry(client, cleanupLog, entry, options)
    // A target may refuse to delete a pipeline before its blocks.
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

/** A run has no name, so its owner is unknown: it is deleted with its pipeline, or listed. */
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
  // Deleted with its pipeline.
  if (!cleanupLog.has(entry.path)) return
  const uuid = decodeURIComponent(entry.path.split('/')[3] ?? '')
  const isForeign = entry.kind === 'pipeline' && before.has(uuid)
  const owner = isForeign ? 'somebody else' : await ownerOf(client, entry, prefix, foreignRecords)
  if (owner === 'unknown') {
    // A list that fails may contain the backfill; schedules are listed by their pipeline, which may be deleted.
    if (entry.kind === 'backfill') cleanupLog.refused(entry.path)
    else if (entry.home !== undefined) await forgetWithout(client, cleanupLog, entry.home)
    return
  }
  if (owner === 'somebody else') {
    // A record with another name than was sent is not deleted, since its owner is unknown; it is listed.
    if (options.before === undefined || isForeign || !(await isThere(client, entry)))
      cleanupLog.deleted(entry.path)
    return
  }
  if (entry.kind === 'pipeline' && !cleanupLog.leftEmpty(uuid)) {
    await deleteWhatStandsIn(client, cleanupLog, uuid, foreignRecords)
    // Records may exist that its lists do not show.
    for (const inside of cleanupLog.entries.filter(({ home, path }) => home === uuid && path !== entry.path))
      await deleteEntry(client, cleanupLog, inside, options)
  }
  await remove(client, cleanupLog, entry)
}

/** Removes the records of a deleted pipeline from the cleanup log: another server may answer here by now. */
async function forgetWithout(client: Client, cleanupLog: CleanupLog, home: string): Promise<void> {
  const pipeline = `/api/pipelines/${encodeURIComponent(home)}`
  if (isError(await client.send('GET', pipeline))) cleanupLog.deletedWithin(pipeline)
}

async function remove(client: Client, cleanupLog: CleanupLog, entry: CleanupEntry): Promise<void> {
  const reply = await client.send('DELETE', entry.path)
  if (!isError(reply) || (await isGone(client, entry, reply.code))) cleanupLog.deletedWithin(entry.path)
  else cleanupLog.refused(entry.path)
}

/** Returns whether a pipeline exists that the target returned as created. */
async function isThere(client: Client, { kind, path }: CleanupEntry): Promise<boolean> {
  if (kind !== 'pipeline') return false
  const uuid = decodeURIComponent(path.split('/')[3] ?? '')
  return recordIn(await client.send('GET', path), 'pipeline')?.uuid === uuid
}

/** Returns whether a refused deletion is about a record that does not exist any more. */
async function isGone(client: Client, { kind, path }: CleanupEntry, code: number): Promise<boolean> {
  if (code === 404) return true
  // The specification has no request for one backfill or schedule.
  if (kind !== 'pipeline' && kind !== 'block') return code === 400
  return isError(await client.send('GET', path.split('?')[0] ?? path))
}

/** Deletes the schedules and backfills of a pipeline of this run: the server creates some itself, when a backfill starts. */
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
      // A list may show a record of another client.
      if (foreignRecords?.has(path)) continue
      // Tags may remain after their schedule, and belong to a later one with its id.
      if (Array.isArray(record.tags) && record.tags.length > 0)
        await client.send('PUT', path, { body: { pipeline_schedule: { tags: [] } } })
      found.push(path)
    }
  }
  for (const path of found) if (!isError(await client.send('DELETE', path))) cleanupLog.deleted(path)
}
