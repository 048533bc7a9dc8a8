import { type Client, TransportError } from './client.ts'
import type { Ledger } from './ledger.ts'

/** Deletes what the suite created, newest first; pipelines and schedules only where the conventions may be used. */
export async function cleanUp(client: Client, ledger: Ledger, useConventions: boolean): Promise<void> {
  for (const { kind, path } of ledger.entries.toReversed()) {
    if ((kind === 'pipeline' || kind === 'schedule') && !useConventions) continue
    try {
      const reply = await client.send('DELETE', path)
      // An error about a record that is gone already is as good.
      if (reply.error === undefined || reply.code === 404 || reply.code === 400) ledger.deletedWithin(path)
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      return
    }
  }
}
