import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RecordedExchange } from '../src/traffic/exchange.ts'
import { readHar } from '../src/traffic/read-har.ts'
import { splitEntries } from '../src/traffic/split-entries.ts'
import { harEnd, harStart, toHarEntry } from '../src/traffic/write-har.ts'
import { makeFolder } from './support/temporary.ts'

const exchange: RecordedExchange = {
  source: 'proxy',
  world: undefined,
  position: 1,
  client: 'one',
  startedAt: Date.UTC(2026, 0, 1),
  milliseconds: 4.5,
  isOrdered: false,
  request: {
    method: 'POST',
    url: 'https://api.example.com/api/pipelines?api_key=a%20b',
    headers: { 'content-type': 'application/json' },
    body: '{"pipeline":{"name":"[{\\"daily\\"}]"}}',
  },
  reply: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"pipeline":{}}' },
}

function fileOf(text: string | Buffer): string {
  const path = join(makeFolder(), 'traffic.har')
  writeFileSync(path, text)
  return path
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const collected: Value[] = []
  for await (const value of values) collected.push(value)
  return collected
}

async function readAll(text: string | Buffer): Promise<RecordedExchange[]> {
  return collect(readHar(fileOf(text)))
}

const written = (entries: readonly object[]) =>
  `${harStart()}${entries.map((entry) => JSON.stringify(entry)).join(',\n')}${harEnd}`

it('reads what it writes', async () => {
  const path = fileOf(written([toHarEntry(exchange), toHarEntry({ ...exchange, reply: undefined })]))
  const read = await collect(readHar(path))

  expect(read).toEqual([
    { ...exchange, source: path },
    { ...exchange, source: path, position: 2, reply: undefined },
  ])
})

it('splits the entries at any chunk boundary', async () => {
  const entries = [toHarEntry(exchange), { name: 'a "quoted\\" [text] {' }, { list: [[{}]] }]
  const bytes = Buffer.from(written(entries))
  for (const size of [1, 2, 7, 64, bytes.length]) {
    const chunks = async function* () {
      for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
    }

    expect((await collect(splitEntries(chunks()))).map((text) => JSON.parse(text))).toEqual(entries)
  }
})

it('sorts exchanges that the recorder wrote in the order of their replies', async () => {
  const at = (startedAt: number) => toHarEntry({ ...exchange, startedAt })
  const read = await readAll(written([at(30), at(10), at(20)]))

  expect(read.map(({ startedAt }) => startedAt)).toEqual([10, 20, 30])
})

it('takes a reply from the cache of a browser for no reply of the server', async () => {
  const [read] = await readAll(written([{ ...toHarEntry(exchange), _fromCache: 'disk' }]))

  expect(read?.reply?.status).toBe(304)
})

it('decodes bodies in Base64 and joins repeated headers', async () => {
  const entry = toHarEntry(exchange)
  const { response } = entry
  const headers = [
    { name: 'X-Cache', value: 'a' },
    { name: 'x-cache', value: 'b' },
  ]
  const content = { ...response.content, text: Buffer.from('{"é":1}').toString('base64'), encoding: 'base64' }
  const [read] = await readAll(written([{ ...entry, response: { ...response, headers, content } }]))

  expect(read?.reply).toEqual({ status: 200, headers: { 'x-cache': 'a, b' }, body: '{"é":1}' })
})

it.each([
  ['an empty file', '', 'the file is not complete JSON'],
  ['another JSON file', '[]', 'the file: expected an object.'],
  ['a HAR file without entries', '{"log":{"version":"1.2"}}', 'log.entries: expected an array.'],
  ['entries that are no list', '{"log":{"entries":{}}}', 'log.entries: expected an array.'],
  ['a file that was cut off', written([toHarEntry(exchange)]).slice(0, -20), 'is not complete JSON'],
  ['a file that ends after an entry', `${harStart()}${JSON.stringify(toHarEntry(exchange))}`, 'not complete'],
  [
    'a comma after the last entry',
    written([toHarEntry(exchange)]).replace(harEnd, `,${harEnd}`),
    'not complete',
  ],
  [
    'an entry without a request',
    written([{ startedDateTime: '2026-01-01' }]),
    'log.entries[0].request: expected an object.',
  ],
  [
    'an entry without a date',
    written([{ ...toHarEntry(exchange), startedDateTime: 'now' }]),
    'log.entries[0].startedDateTime: expected a date.',
  ],
])('refuses %s', async (_, text, reason) => {
  await expect(readAll(text)).rejects.toThrow(reason)
})

it('shows no value of an invalid file, which may be a credential', async () => {
  const headers = { authorization: 'Bearer lantern' }
  const text = written([{ ...toHarEntry(exchange), request: { method: 'GET', url: '/', headers } }])

  await expect(readAll(text)).rejects.toThrow(/: log\.entries\[0\]\.request\.headers: expected an array\.$/)
})

it('names a file that cannot be read', async () => {
  await expect(collect(readHar('/no/such/file.har'))).rejects.toThrow('Cannot read /no/such/file.har')
})
