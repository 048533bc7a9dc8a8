import { createReadStream, type ReadStream } from 'node:fs'
import * as z from 'zod'
import { openUserFile, reasonNotRead } from '../files/read-file.ts'
import { messageOf } from '../shared/built-ins.ts'
import { firstFlaw } from '../shared/issues.ts'
import { parseJson } from '../shared/json.ts'
import type { RecordedExchange, RecordedReply } from './exchange.ts'
import { splitEntries } from './split-entries.ts'

const headers = z.array(z.object({ name: z.string(), value: z.string() })).default([])

/** The members of an entry that this module uses. Recorders add many others, and leave out what the format requires. */
const entrySchema = z.object({
  startedDateTime: z.string().transform((text, context) => {
    const time = Date.parse(text)
    if (Number.isNaN(time)) context.addIssue('a date')
    return time
  }),
  time: z.number().nullish(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers,
    postData: z.object({ text: z.string().nullish() }).nullish(),
  }),
  response: z.object({
    status: z.number(),
    headers,
    content: z.object({ text: z.string().nullish(), encoding: z.string().nullish() }).nullish(),
  }),
  _fromCache: z.string().nullish(),
  _client: z.string().optional(),
  _world: z.string().optional(),
})

/** The file without its entries. */
const fileSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string().default('') }).default({ name: '' }),
    entries: z.array(z.never()),
  }),
})

/** Number of entries to sort by their time: some recorders write them in the order of their replies. */
const sortedEntries = 512

/**
 * Reads the exchanges of a HAR 1.2 file in the order of their requests, one at a time.
 *
 * @throws Error if reading fails, or the file is incomplete or not a HAR file.
 * @example
 * for await (const { request, reply } of readHar('traffic.har')) console.log(request.url, reply?.status)
 */
export async function* readHar(path: string): AsyncGenerator<RecordedExchange, void, undefined> {
  const sorted: RecordedExchange[] = []
  for await (const exchange of readEntries(path)) {
    let place = sorted.length
    while (!exchange.isOrdered && place > 0 && (sorted[place - 1]?.startedAt ?? 0) > exchange.startedAt)
      place--
    sorted.splice(place, 0, exchange)
    if (sorted.length <= sortedEntries) continue
    const first = sorted.shift()
    if (first !== undefined) yield first
  }
  yield* sorted
}

/** Reads the exchanges in the order of the file. */
async function* readEntries(path: string): AsyncGenerator<RecordedExchange, void, undefined> {
  let position = 0
  let file: ReadStream | undefined
  try {
    file = createReadStream(path, { fd: openUserFile(path), highWaterMark: 256 * 1024 })
    const entries = splitEntries(file)
    for (;;) {
      const { value, done } = await entries.next()
      if (done) {
        parse(fileSchema, value, '')
        return
      }
      position++
      yield toExchange(parse(entrySchema, value, `log.entries[${position - 1}]`), path, position)
    }
  } catch (error) {
    throw new Error(`Cannot read ${path} as a HAR file: ${reasonNotRead(error)}.`)
  } finally {
    file?.destroy()
  }
}

function parse<Value>(schema: z.ZodType<Value>, text: string, place: string): Value {
  let json: unknown
  try {
    json = parseJson(text)
  } catch (error) {
    throw new Error(
      `${place === '' ? 'the file' : place} is not complete JSON (${messageOf(error)}); export it again`,
    )
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  // The value could contain a credential.
  const { path, expected } = firstFlaw(parsed.error, json, place)
  throw new Error(`${path || 'the file'}: expected ${expected}`)
}

function toExchange(entry: z.infer<typeof entrySchema>, source: string, position: number): RecordedExchange {
  const { startedDateTime: startedAt, time, request, response, _client, _fromCache, _world } = entry
  // The journal of a mock has the time of its world's clock, and the order in which the requests took effect.
  const isOrdered = _world !== undefined
  return {
    source,
    world: _world,
    position,
    client: _client ?? source,
    startedAt,
    milliseconds: Math.max(0, time ?? 0),
    isOrdered,
    request: {
      method: request.method.toUpperCase(),
      url: request.url,
      headers: headersOf(request.headers),
      body: request.postData?.text ?? undefined,
    },
    // Browsers show what the server sent earlier.
    reply: replyOf(_fromCache ? { ...response, status: notModified } : response),
  }
}

const notModified = 304

/** A status of 0 or less marks a request without a reply. */
function replyOf({
  status,
  headers: pairs,
  content,
}: z.infer<typeof entrySchema>['response']): RecordedReply | undefined {
  if (status <= 0) return undefined
  const text = content?.text ?? undefined
  const isBase64 = content?.encoding === 'base64'
  return {
    status,
    headers: headersOf(pairs),
    body: text !== undefined && isBase64 ? Buffer.from(text, 'base64').toString() : text,
  }
}

function headersOf(pairs: z.infer<typeof headers>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { name, value } of pairs) {
    const key = name.toLowerCase()
    found[key] = Object.hasOwn(found, key) ? `${found[key]}, ${value}` : value
  }
  return found
}
