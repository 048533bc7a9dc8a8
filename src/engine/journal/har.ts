import type { Entry } from 'har-format'
import { version } from '../../shared/version.ts'
import type { JournalEntry, JournalMessage } from './journal-entry.ts'

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
  return { log: { version: '1.2', creator: { name: 'pipeline-understudy', version }, entries } }
}

/** The entries of an HTTP archive, each made when it is asked for. */
export function* toHarEntries(entries: Iterable<JournalEntry>): Generator<HarEntry, void, undefined> {
  for (const entry of entries) yield toHarEntry(entry)
}

// Held against the types of the format here, and not in what is exported: a user would need their package.
function toHarEntry(entry: JournalEntry): Entry & HarEntry {
  const { at, milliseconds, held, method, path, query, request, reply } = entry
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => ({ name, value: String(each) })),
  )
  const search = pairs.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const host = request.headers.host ?? 'understudy.invalid'
  const posted = textOf(request)
  return {
    startedDateTime: at,
    time: milliseconds + (held ?? 0),
    request: {
      method,
      url: `http://${host}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(request.headers),
      queryString: pairs,
      ...(posted !== '' && {
        postData: { mimeType: request.headers['content-type'] ?? 'application/json', text: posted },
      }),
      headersSize: -1,
      bodySize: posted.length,
    },
    response: {
      status: entry.httpStatus,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(reply.headers),
      content: {
        size: reply.omitted ?? textOf(reply).length,
        mimeType: reply.headers['content-type'] ?? '',
        text: textOf(reply),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds + (held ?? 0), receive: 0 },
    _operation: entry.operation,
    _world: entry.world,
    _status: entry.status,
  }
}

function toPairs(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

function textOf({ body }: JournalMessage): string {
  return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
}
