import type { Client } from './client.ts'
import type { Entry, Ledger } from './ledger.ts'
import { isError, listIn } from './replies.ts'

/**
 * Takes out of a ledger what is gone, or is not what the suite made: another database may answer at the same address
 * by now, and give the same numbers to records of somebody else.
 */
export async function forgetForeign(client: Client, ledger: Ledger): Promise<void> {
  for (const entry of [...ledger.entries]) {
    if (!(await isOurs(client, entry))) ledger.deleted(entry.path)
  }
}

async function isOurs(client: Client, { kind, path, home }: Entry): Promise<boolean> {
  // The paths of blocks and pipelines carry the name of the run that made them.
  if (kind === 'block') return true
  if (kind === 'pipeline') return !isError(await client.send('GET', path))
  if (home === undefined) return false
  const pipeline = encodeURIComponent(home)
  const [list, plural] =
    kind === 'backfill'
      ? [`/api/backfills?pipeline_uuid=${pipeline}`, 'backfills']
      : [`/api/pipelines/${pipeline}/pipeline_schedules`, 'pipeline_schedules']
  const records = listIn(await client.send('GET', list), plural) ?? []
  return records.some((record) => record.pipeline_uuid === home && path.endsWith(`/${record.id}`))
}
