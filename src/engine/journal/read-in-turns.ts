import { realTime } from '../../shared/real-time.ts'
import { afterThisTurn, hasRealTurns } from '../after-this-turn.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Maximum time in milliseconds that one part of a read takes. */
const turnMilliseconds = 10

/** Reads entries and lets others work in between: to redact long bodies takes time. */
export async function readInTurns(described: Iterable<JournalEntry | undefined>): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  let startedAt = realTime()
  for (const entry of described) {
    if (entry !== undefined) entries.push(entry)
    if (realTime() - startedAt < turnMilliseconds || !hasRealTurns) continue
    await new Promise<void>(afterThisTurn)
    startedAt = realTime()
  }
  return entries
}
