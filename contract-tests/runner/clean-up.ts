import { carriedBlocks } from '../model-based/compare.ts'
import type { CleanupLog } from './cleanup-log.ts'
import { type Client, type Exchange, type SendOptions, TransportError } from './client.ts'
import { type ForeignRecords, ForeignWrite } from './foreign-records.ts'
import { isError, recordIn } from './replies.ts'
import { carriesName, isOwnPrefix, type RunId } from './run-id.ts'
import { readWhole } from './whole-list.ts'

/** Options of the clean-up. */
export interface CleanUpOptions {
  /** True if the run may delete pipelines and schedules, which only the conventions describe. */
  readonly useConventions: boolean
  /** The beginning of the uuids of the pipelines to delete: those of a run, or of one of its sequences. */
  readonly prefix: string
  /** The uuids of the pipelines that existed before. */
  readonly before?: ReadonlySet<string>
  /** The records of other clients in lists. */
  readonly foreignRecords?: ForeignRecords
}

/**
 * Deletes the pipelines of a run with what they contain, newest first, and no others: only their uuids carry its names. A
 * pipeline whose deletion the target refuses remains in the cleanup log.
 */
export async function cleanUp(
  client: Client,
  cleanupLog: CleanupLog,
  options: CleanUpOptions,
): Promise<void> {
  const { prefix, before = new Set() } = options
  const own = cleanupLog.pipelines.filter((uuid) => carriesName(uuid, prefix) && !before.has(uuid))
  try {
    for (const uuid of own.toReversed()) await deletePipeline(client, cleanupLog, uuid, options)
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  }
}

/**
 * Adds to the cleanup log the pipelines with a name of this run alone: a target may create one, and lose its
 * reply or deny it. A run with a given prefix has no name of its own.
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
      if (cleanupLog.has(uuid)) continue
      cleanupLog.created(uuid)
      cleanupLog.filled(uuid)
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  }
}

async function deletePipeline(
  client: Client,
  cleanupLog: CleanupLog,
  uuid: string,
  { useConventions, foreignRecords }: CleanUpOptions,
): Promise<void> {
  const path = `/api/pipelines/${encodeURIComponent(uuid)}`
  const isEmpty =
    !cleanupLog.isFilled(uuid) || (await deleteMembers(client, uuid, useConventions, foreignRecords))
  const isGone = async () => {
    const reply = await client.send('DELETE', path)
    return !isError(reply) || reply.code === 404 || isError(await client.send('GET', path))
  }
  if (!useConventions || !(await isGone())) {
    // A target may refuse to delete a pipeline before its blocks.
    for (const block of carriedBlocks(recordIn(await client.send('GET', path), 'pipeline')) ?? [])
      await client.send('DELETE', `${path}/blocks/${encodeURIComponent(String(block.uuid))}?force=True`)
    if (!useConventions || !(await isGone())) return
  }
  if (isEmpty) cleanupLog.gone(uuid)
}

/**
 * Deletes the backfills and schedules of a pipeline, since the server creates some itself when a backfill starts. Returns
 * whether it refused none.
 */
async function deleteMembers(
  client: Client,
  uuid: string,
  useConventions: boolean,
  foreignRecords: ForeignRecords | undefined,
): Promise<boolean> {
  const pipeline = encodeURIComponent(uuid)
  const lists = [
    ['backfills', `/api/backfills?pipeline_uuid=${pipeline}`],
    ...(useConventions
      ? [['pipeline_schedules', `/api/pipelines/${pipeline}/pipeline_schedules`] as const]
      : []),
  ] as const
  const found: string[] = []
  for (const [plural, list] of lists) {
    const whole = await readWhole((page) => client.send('GET', page), list, plural)
    for (const record of whole?.records ?? []) {
      if (record.pipeline_uuid !== uuid || !Number.isSafeInteger(record.id)) continue
      const path = `/api/${plural}/${record.id}`
      // A list may show a record of another client.
      if (foreignRecords?.has(path)) continue
      // Tags may remain after their schedule, and belong to a later one with its id.
      if (Array.isArray(record.tags) && record.tags.length > 0)
        await sendToOwn(client, 'PUT', path, { body: { pipeline_schedule: { tags: [] } } })
      found.push(path)
    }
  }
  const replies: (Exchange | undefined)[] = []
  for (const path of found) replies.push(await sendToOwn(client, 'DELETE', path))
  return replies.every((reply) => reply !== undefined && (!isError(reply) || reply.code === 404))
}

/** Sends a request to a record; undefined, without a request, if the record may be another client's. */
async function sendToOwn(
  client: Client,
  method: string,
  path: string,
  options?: SendOptions,
): Promise<Exchange | undefined> {
  try {
    return await client.send(method, path, options)
  } catch (error) {
    if (error instanceof ForeignWrite) return undefined
    throw error
  }
}
