// Not imported through `library.ts`, which loads before the first paint.
import { type ClientIssue, ClientLint } from '../../../src/traffic/client-lint.ts'
import { fromJournal } from '../../../src/traffic/from-journal.ts'
import type { JournalEntry } from '../library.ts'

/** Returns the mistakes of the client in the stored requests, which are in order from the newest. */
export function checkClient(entries: readonly JournalEntry[]): readonly ClientIssue[] {
  const lint = new ClientLint()
  for (const entry of [...entries].reverse()) lint.add(fromJournal(entry), entry.notes)
  return lint.issues
}
