import type { JournalEntry } from '../../../src/engine/journal/journal-entry.ts'
import { shellWord } from '../../../src/shared/shell-word.ts'
import { toLiteral } from '../store/literal.ts'

/** What a request is sent again with: how it was addressed and what it carried that says something. */
function partsOf(entry: JournalEntry, origin: string) {
  const search = new URLSearchParams(
    Object.entries(entry.query).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, String(each)]),
    ),
  ).toString()
  const url = `${origin}${entry.path}${search === '' ? '' : `?${search}`}`
  const told = /^(?:content-type|authorization|oauth-token|x-api-key|cookie|x-understudy-world)$/
  const headers = Object.entries(entry.request.headers).filter(([name]) => told.test(name))
  return { url, headers, body: entry.request.body }
}

/** The forms a request copies in; credentials stay `***`. */
export const copies = {
  curl(entry: JournalEntry, origin: string): string {
    const { url, headers, body } = partsOf(entry, origin)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return [
      `curl -s${entry.method === 'GET' ? '' : ` -X ${entry.method}`}`,
      ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`-d ${shellWord(text)}`]),
      shellWord(url),
    ].join(' \\\n  ')
  },
  fetch(entry: JournalEntry, origin: string): string {
    const { url, headers, body } = partsOf(entry, origin)
    const options = [
      ...(entry.method === 'GET' ? [] : [`  method: '${entry.method}',`]),
      ...(headers.length === 0 ? [] : [`  headers: ${toLiteral(Object.fromEntries(headers), '  ')},`]),
      ...(body === undefined ? [] : [`  body: JSON.stringify(${toLiteral(body, '  ')}),`]),
    ]
    return `await fetch('${url}'${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`})`
  },
  matcher({ operation, params, query, request: { body }, status }: JournalEntry): string {
    const pattern = {
      ...(Object.keys(params).length > 0 && { params }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(typeof body === 'object' && body !== null && { body }),
      ...(status !== 200 && { status }),
    }
    if (operation === undefined) return '// It reached no operation, so no matcher can name it.'
    const given = Object.keys(pattern).length === 0 ? '' : `, ${toLiteral(pattern)}`
    return `expect(understudy).toHaveReceived('${operation}'${given})`
  },
} as const

export type CopyForm = keyof typeof copies
