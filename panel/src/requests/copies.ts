import type { JournalEntry } from '../library.ts'
import { writeCurl, writeFetch } from '../store/acts.ts'
import { comment, list, typescript, unlessEmpty } from '../store/code.ts'
import { searchOf } from '../store/journal-text.ts'

const copied = /^(?:content-type|authorization|oauth-token|x-api-key|cookie|x-understudy-world)$/

/** Returns the headers of a request that affect its reply. */
function headersOf({ request: { headers } }: JournalEntry): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => copied.test(name)))
}

function toWritten(entry: JournalEntry, origin: string) {
  const { method, path, request } = entry
  return { method, headers: headersOf(entry), body: request.body, url: origin + path + searchOf(entry) }
}

/** The formats in which the panel copies a request. Credentials stay `***`. */
export const copies = {
  curl: {
    title: 'As curl',
    write: (entry: JournalEntry, origin: string) => writeCurl(toWritten(entry, origin), ' \\\n  '),
  },
  fetch: {
    title: 'As fetch',
    write: (entry: JournalEntry, origin: string) =>
      `await ${writeFetch(typescript`fetch`, toWritten(entry, origin)).text}`,
  },
  matcher: {
    title: 'As a matcher',
    write({ operation, params, query, request: { body }, status }: JournalEntry): string {
      if (operation === undefined)
        return comment('The path belongs to no operation, so no matcher can name it.').text
      const pattern = {
        ...(Object.keys(params).length > 0 && { params }),
        ...(Object.keys(query).length > 0 && { query }),
        ...(typeof body === 'object' && body !== null && { body }),
        ...(status !== 200 && { status }),
      }
      return typescript`expect(understudy).toHaveReceived(${list(operation, ...unlessEmpty(pattern))})`.text
    },
  },
} as const

export type CopyForm = keyof typeof copies
