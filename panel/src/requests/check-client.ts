// Not by `library.ts`, which loads before the first picture.
import { type ClientIssue, ClientLint } from '../../../src/traffic/client-lint.ts'
import { fromJournal } from '../../../src/traffic/from-journal.ts'
import type { JournalEntry } from '../library.ts'

/** Returns what the client does wrong in stored requests, of which the newest is the first. */
export function checkClient(entries: readonly JournalEntry[]): readonly ClientIssue[] {
  const lint = new ClientLint()
  for (const entry of [...entries].reverse()) lint.add(fromJournal(entry), entry.notes)
  return lint.issues
}
