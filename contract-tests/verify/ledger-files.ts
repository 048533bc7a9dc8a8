import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { cleanUp } from '../judge/clean-up.ts'
import type { Client } from '../judge/client.ts'
import { forgetForeign } from '../judge/forget-foreign.ts'
import { Ledger } from '../judge/ledger.ts'

/** Where the ledgers of a target are kept: the same for the same URL, so that a later run finds what a crash left. */
export function ledgerPath(target: string): string {
  return join(tmpdir(), `understudy-ledger-${createHash('sha256').update(target).digest('hex').slice(0, 12)}`)
}

/** The ledgers at a path: one for each group of scenarios that has left something. */
export function ledgersAt(path: string): Ledger[] {
  return readdirSync(dirname(path))
    .filter((file) => file.startsWith(`${basename(path)}.`))
    .map((file) => new Ledger(join(dirname(path), file)))
}

/** Deletes what an earlier run has left, from its ledgers. */
export async function cleanUpAfterCrash(
  path: string,
  client: Client,
  useConventions: boolean,
): Promise<void> {
  for (const ledger of ledgersAt(path)) {
    await forgetForeign(client, ledger)
    // What may not be deleted stays in the ledger: its group reports it, and a later run may delete it.
    await cleanUp(client, ledger, useConventions)
  }
}
