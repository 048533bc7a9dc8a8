import { realTime } from '../../shared/real-time.ts'
import { afterCurrentTask, hasRealEventLoop } from '../after-current-task.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Maximum time in milliseconds that one part of a read takes. */
const chunkMilliseconds = 10

/** Reads entries and lets others work in between: to redact long bodies takes time. */
export async function readInChunks(described: Iterable<JournalEntry | undefined>): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  let startedAt = realTime()
  for (const entry of described) {
    if (entry !== undefined) entries.push(entry)
    if (realTime() - startedAt < chunkMilliseconds || !hasRealEventLoop) continue
    await new Promise<void>(afterCurrentTask)
    startedAt = realTime()
  }
  return entries
}
