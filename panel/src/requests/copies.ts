import { type JournalEntry, shellWord } from '../library.ts'
import { searchOf } from '../store/journal-text.ts'
import { toLiteral } from '../store/literal.ts'

const copied = /^(?:content-type|authorization|oauth-token|x-api-key|cookie|x-understudy-world)$/

/** Returns the headers of a request that say something. */
function headersOf({ request: { headers } }: JournalEntry): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => copied.test(name))
}

/** The forms a request copies in; credentials stay `***`. */
export const copies = {
  curl: {
    title: 'As curl',
    write(entry: JournalEntry, origin: string): string {
      const { method, path, request } = entry
      const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
      return [
        `curl -s${method === 'GET' ? '' : ` -X ${method}`}`,
        ...headersOf(entry).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
        ...(request.body === undefined ? [] : [`-d ${shellWord(text)}`]),
        shellWord(origin + path + searchOf(entry)),
      ].join(' \\\n  ')
    },
  },
  fetch: {
    title: 'As fetch',
    write(entry: JournalEntry, origin: string): string {
      const { method, path, request } = entry
      const headers = headersOf(entry)
      const options = [
        ...(method === 'GET' ? [] : [`  method: '${method}',`]),
        ...(headers.length === 0 ? [] : [`  headers: ${toLiteral(Object.fromEntries(headers), '  ')},`]),
        ...(request.body === undefined ? [] : [`  body: JSON.stringify(${toLiteral(request.body, '  ')}),`]),
      ]
      const init = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
      return `await fetch(${toLiteral(origin + path + searchOf(entry))}${init})`
    },
  },
  matcher: {
    title: 'As a matcher',
    write({ operation, params, query, request: { body }, status }: JournalEntry): string {
      if (operation === undefined) return '// The path belongs to no operation, so no matcher can name it.'
      const pattern = {
        ...(Object.keys(params).length > 0 && { params }),
        ...(Object.keys(query).length > 0 && { query }),
        ...(typeof body === 'object' && body !== null && { body }),
        ...(status !== 200 && { status }),
      }
      const literal = Object.keys(pattern).length === 0 ? '' : `, ${toLiteral(pattern)}`
      return `expect(understudy).toHaveReceived('${operation}'${literal})`
    },
  },
} as const

export type CopyForm = keyof typeof copies
