import type { CleanupEntry } from './cleanup-log.ts'
import type { Client } from './client.ts'
import { type ReceivedRecord, recordIn } from './replies.ts'
import { readWhole } from './whole-list.ts'

/** How often a target is asked whether a record is what it is taken for. */
const attempts = 3

/** Returns whether a name of a record, or a uuid derived from one, is of a run: its prefix is in no other. */
export function carriesName(text: unknown, prefix: string): boolean {
  return typeof text === 'string' && prefix !== '' && text.startsWith(prefix)
}

/** Whose a record is, as far as the target's replies tell. */
export type RecordOwner = 'this run' | 'somebody else' | 'unknown'

/**
 * Returns whether a record is what a run made: it carries the name that was sent. What a target says it has made may be a
 * record of another client, and another database may answer at the same address by now.
 */
export async function ownerOf(
  client: Client,
  entry: CleanupEntry,
  prefix: string,
  foreignRecords?: { has(path: string): boolean },
): Promise<RecordOwner> {
  const { kind, path, home, name } = entry
  // What a list says of it where it looks for ours does not take that back.
  if (foreignRecords?.has(path)) return 'somebody else'
  const pipeline = pipelineOf(entry)
  // Nothing else is named so.
  if ((kind === 'pipeline' || kind === 'block') && carriesName(pipeline, prefix)) return 'this run'
  // Without a name nobody can tell.
  if (name === undefined) return 'somebody else'
  let owner: RecordOwner = 'unknown'
  for (let attempt = 0; attempt < attempts && owner !== 'this run'; attempt++) {
    const records = await candidatesOf(client, entry, pipeline)
    if (records === undefined) continue
    // Updates give it other names: it is of the run as long as it is in a pipeline of the run. That an entry says a name is not
    // enough, since a cleanupLog may say any.
    const isOurs = (record: ReceivedRecord) =>
      carriesName(record.name, prefix) || (record.pipeline_uuid === home && carriesName(home, prefix))
    owner = records.some(isOurs) ? 'this run' : 'somebody else'
  }
  return owner
}

/** The uuid of the pipeline that an entry is, or belongs to. */
export function pipelineOf({ path, home }: CleanupEntry): string {
  return home ?? decodeURIComponent(path.split('/')[3] ?? '')
}

/** The records that may be the one of an entry; undefined where the target does not show them. */
export async function candidatesOf(
  client: Client,
  { kind, path }: CleanupEntry,
  home: string,
): Promise<readonly ReceivedRecord[] | undefined> {
  const pipeline = encodeURIComponent(home)
  if (kind === 'pipeline' || kind === 'block') {
    const record = recordIn(await client.send('GET', `/api/pipelines/${pipeline}`), 'pipeline')
    return record === undefined ? [] : [record]
  }
  const [list, plural] =
    kind === 'backfill'
      ? [`/api/backfills?pipeline_uuid=${pipeline}`, 'backfills']
      : [`/api/pipelines/${pipeline}/pipeline_schedules`, 'pipeline_schedules']
  const records = (await readWhole((asked) => client.send('GET', asked), list, plural))?.records
  return records?.filter(
    (record) => path.endsWith(`/${record.id}`) && (record.pipeline_uuid ?? home) === home,
  )
}
