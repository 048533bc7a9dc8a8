import { version } from '../../shared/version.ts'
import { fromJournal } from '../../traffic/from-journal.ts'
import { creatorName, toHarEntry } from '../../traffic/write-har.ts'
import type { JournalEntry } from './journal-entry.ts'

/** An HTTP archive, version 1.2: what browsers' network panels read and write. */
export interface Har<Entries extends Iterable<HarEntry> = readonly HarEntry[]> {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: Entries
  }
}

/** One request of an HTTP archive; `_operation`, `_world` and `_status` (the logical one) are ours. */
export interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: object
  readonly response: object
  readonly cache: object
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
  readonly _operation: string | undefined
  readonly _world: string
  readonly _status: number
}

/** An HTTP archive of entries. */
export function toHar<Entries extends Iterable<HarEntry>>(entries: Entries): Har<Entries> {
  return { log: { version: '1.2', creator: { name: creatorName, version }, entries } }
}

/** Yields the entries of an HTTP archive. */
export function* toHarEntries(entries: Iterable<JournalEntry>): Generator<HarEntry, void, undefined> {
  for (const entry of entries) yield toEntry(entry)
}

function toEntry(entry: JournalEntry): HarEntry {
  const { _client, ...written } = toHarEntry(fromJournal(entry))
  const { response } = written
  const { content } = response
  return {
    ...written,
    response: { ...response, content: { ...content, size: entry.reply.omitted ?? content.size } },
    _operation: entry.operation,
    _world: entry.world,
    _status: entry.status,
  }
}
