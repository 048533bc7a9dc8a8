import { version } from '../../shared/version.ts'
import { fromJournal } from '../../traffic/from-journal.ts'
import { creatorName, toHarEntry } from '../../traffic/write-har.ts'
import type { JournalEntry } from './journal-entry.ts'

/** An HTTP archive, version 1.2, the format of the network panels of browsers. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly HarEntry[]
  }
}

/** One request of an HTTP archive. The mock adds `_operation`, `_world` and `_status` (the logical one). */
interface HarEntry {
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

export function toHar(entries: readonly JournalEntry[]): Har {
  return { log: { version: '1.2', creator: { name: creatorName, version }, entries: entries.map(toEntry) } }
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
