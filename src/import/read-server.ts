import { Redactor } from '../engine/journal/redact.ts'
import { resources } from '../resources/index.ts'
import { messageOf } from '../shared/built-ins.ts'
import { apiKeyLocations, tokenLocations } from '../shared/credentials.ts'
import { quote } from '../shared/errors.ts'
import { tryParseJson } from '../shared/json.ts'
import { readReply } from '../shared/read-reply.ts'
import { isObject } from '../shared/values.ts'
import type { RecordedExchange } from '../traffic/exchange.ts'

export interface ServerAccess {
  /** Base URL without /api and without a slash at its end. */
  readonly url: string
  readonly apiKey?: string | undefined
  /** Decoded OAuth token. */
  readonly token?: string | undefined
  /** Selects pipelines by their uuid. */
  readonly selects: (pipeline: string) => boolean
}

/** Number of records that a page after the first asks for. */
const pageSize = 100
/** Maximum number of pages of one list. */
const mostPages = 1_000
/** Milliseconds until a whole reply has arrived. */
const patience = 30_000
/** Maximum size of all replies, in bytes: they stay in memory until the fixture is complete. */
const mostBytes = 256 << 20

/**
 * Reads everything that a server shows, page by page. It sends no request that writes.
 *
 * @throws Error where the server does not answer, or refuses to list its pipelines.
 */
export async function* readServer(access: ServerAccess): AsyncGenerator<RecordedExchange, void, undefined> {
  const reader = new Reader(access)
  yield* reader.list('/api/pipelines', 'pipelines')
  if (reader.records === undefined)
    throw new Error(`${access.url} does not list its pipelines: ${reader.problem}`)
  for (const { uuid } of reader.records) {
    if (typeof uuid !== 'string' || !access.selects(uuid)) continue
    const path = `/api/pipelines/${encodeURIComponent(uuid)}`
    yield await reader.get(path)
    const { pipeline } = reader.body
    const blocks = isObject(pipeline) ? Object.values(pipeline).flatMap(blocksIn) : []
    for (const block of new Set(blocks)) yield await reader.get(`${path}/blocks/${encodeURIComponent(block)}`)
    yield* reader.list(`${path}/pipeline_schedules`, 'pipeline_schedules')
    for (const { id } of reader.records ?? [])
      yield* reader.list(`/api/pipeline_schedules/${String(id)}/pipeline_runs`, 'pipeline_runs')
    yield* reader.list(`/api/backfills?pipeline_uuid=${encodeURIComponent(uuid)}`, 'backfills')
    yield await reader.get(`${path}/logs`)
  }
  yield* reader.list('/api/oauth_access_tokens?show_all=1', 'oauth_access_tokens')
}

/** Sends reads, and remembers the last reply. */
class Reader {
  /** The last reply, if it is an object. */
  body: Readonly<Record<string, unknown>> = {}
  /** The records of the last list; `undefined` if there was none. */
  records: readonly Readonly<Record<string, unknown>>[] | undefined
  problem = ''
  #position = 0
  #bytes = 0
  readonly #access: ServerAccess

  constructor(access: ServerAccess) {
    this.#access = access
  }

  async get(path: string): Promise<RecordedExchange> {
    const { url, apiKey, token } = this.#access
    const headers = {
      accept: 'application/json',
      ...(apiKey !== undefined && { [apiKeyLocations.header.name.toLowerCase()]: apiKey }),
      ...(token !== undefined && { [tokenLocations.header.name.toLowerCase()]: token }),
    }
    const startedAt = Date.now()
    const read = () => readReply(url + path, { headers }, patience)
    // A server may close an idle connection while it works on a long reply. It is safe to repeat a read.
    const again = (error: Error) => (isClosed(error.cause) ? read() : Promise.reject(error))
    const reply = await read()
      .catch(again)
      .catch((error: Error) => {
        // `fetch` gives the reason of a failed connection as the cause.
        if (error.cause !== undefined)
          throw new Error(
            `Cannot reach ${url}: ${messageOf(error.cause)}. Check that the server runs at this address.`,
          )
        throw new Error(`Cannot read ${url}${path}: ${error.message}.`)
      })
    const { text } = reply
    this.#bytes += reply.bytes
    if (this.#bytes > mostBytes)
      throw new Error(
        `The server sent more than ${mostBytes >> 20} MB, the last for ${path}. Select fewer pipelines with --pipelines.`,
      )
    const body = tryParseJson(text)
    this.body = isObject(body) ? body : {}
    const { error } = this.body
    this.problem = isObject(error)
      ? `${this.#describe(error.message)}. ${apiKey === undefined ? 'Pass' : 'Check'} --api-key or --token.`
      : `GET ${path} answers HTTP ${reply.status}, ${reply.headers.get('content-type')}. Check the URL.`
    return {
      source: url,
      world: undefined,
      position: ++this.#position,
      client: 'import',
      startedAt,
      milliseconds: Date.now() - startedAt,
      isOrdered: true,
      request: { method: 'GET', url: url + path, headers, body: undefined },
      reply: { status: reply.status, headers: Object.fromEntries(reply.headers), body: text },
    }
  }

  /** Shortens a message of the server, which may repeat the sent credentials. */
  #describe(message: unknown): string {
    const { apiKey, token } = this.#access
    const redactor = new Redactor(resources, () => [apiKey, token].filter((secret) => secret !== undefined))
    return quote(redactor.text(String(message).replace(/\.$/, '')))
  }

  async *list(path: string, plural: string): AsyncGenerator<RecordedExchange, void, undefined> {
    yield await this.get(path)
    const first = recordsIn(this.body[plural])
    const records = [...(first ?? [])]
    const mark = path.includes('?') ? '&' : '?'
    for (let page = 1; page < mostPages && hasNext(this.body); page++) {
      yield await this.get(`${path}${mark}_limit=${pageSize}&_offset=${records.length}`)
      const more = recordsIn(this.body[plural]) ?? []
      if (more.length === 0) break
      records.push(...more)
    }
    this.records = first && records
  }
}

function hasNext({ metadata }: Readonly<Record<string, unknown>>): boolean {
  return isObject(metadata) && metadata.next === true
}

function recordsIn(list: unknown): Readonly<Record<string, unknown>>[] | undefined {
  return Array.isArray(list) ? list.filter(isObject) : undefined
}

/** The uuids of the blocks in a list of a pipeline. */
function blocksIn(list: unknown): string[] {
  return (recordsIn(list) ?? []).flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : []))
}

/** Returns whether the other side has closed a connection. */
function isClosed(cause: unknown): boolean {
  return isObject(cause) && (cause.code === 'UND_ERR_SOCKET' || cause.code === 'ECONNRESET')
}
