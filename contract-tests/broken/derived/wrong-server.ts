import { factsOf, operationIds } from '../../judge/operation-facts.ts'
import type { Fetchable } from '../../judge/transports/transport.ts'
import type { OperationId } from '../../rules/operation-id.ts'
import type { Changed, Passing, Reply } from '../define-broken.ts'

export type Json = Record<string, unknown>

/** A request as a wrong server hears it, with what it remembers of those before. */
export interface Heard extends Passing {
  /** The operation of the table that it reaches; undefined where there is none. */
  readonly operation: OperationId | undefined
  /** What its path names, by the names of the route. */
  readonly parameters: Readonly<Record<string, string>>
  /** How many requests of the operation came before. */
  readonly nth: number
  /** Whether another request is being answered meanwhile. */
  readonly isOverlapping: boolean
  /** Whether the reply before was an error. */
  readonly isAfterError: boolean
  /** The ids of the backfills that were updated so far. */
  readonly updated: ReadonlySet<unknown>
}

/** Asks the good server: for this request, perhaps changed, or for another one by path. */
export type Ask = (changed?: Changed) => Promise<Reply>

/** What a wrong server makes of a request. */
export type Wrong = (heard: Heard, ask: Ask) => Promise<Reply> | Reply

/** Begins a wrong server's life: what it remembers is its own. */
export type Start = () => Wrong

const routes = operationIds.flatMap((operation) =>
  (factsOf(operation)?.routes ?? []).map(({ method, path }) => ({
    operation,
    method,
    pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  })),
)

/** Tells which operation of the table a request reaches, and what its path names. */
function operationOf(method: string, path: string): Pick<Heard, 'operation' | 'parameters'> {
  for (const { operation, method: expected, pattern } of routes) {
    const found = expected === method ? pattern.exec(path) : null
    if (found) return { operation, parameters: { ...found.groups } }
  }
  return { operation: undefined, parameters: {} }
}

/** Puts a wrong server in front of a good one, without sockets. */
export function serveWrong(good: Fetchable, start: Start): Fetchable {
  const wrong = start()
  const counts = new Map<OperationId | undefined, number>()
  const updated = new Set<unknown>()
  let inFlight = 0
  let isAfterError = false
  return {
    async fetch(original) {
      const url = new URL(original.url)
      const text = original.body === null ? '' : await original.text()
      const reached = operationOf(original.method, url.pathname)
      const nth = counts.get(reached.operation) ?? 0
      counts.set(reached.operation, nth + 1)
      const heard: Heard = {
        ...reached,
        nth,
        isOverlapping: inFlight > 0,
        isAfterError,
        updated,
        method: original.method,
        path: url.pathname,
        query: url.searchParams,
        search: url.search,
        headers: original.headers,
        body: text === '' ? undefined : parse(text),
      }
      const ask: Ask = async (changed = {}) => {
        const answered = await good.fetch(changeRequest(original, url, text, changed))
        const contentType = answered.headers.get('content-type') ?? ''
        return { status: answered.status, contentType, body: parse(await answered.text()) }
      }
      inFlight++
      try {
        const reply = await wrong(heard, ask)
        isAfterError = isErrorReply(reply)
        if (heard.operation === 'updateBackfill' && !isAfterError) updated.add(idIn(reply))
        const out = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
        return new Response(reply.status === 204 ? null : out, {
          status: reply.status,
          headers: { 'content-type': reply.contentType },
        })
      } finally {
        inFlight--
      }
    },
  }
}

function changeRequest(original: Request, url: URL, text: string, changed: Changed): Request {
  const method = changed.method ?? original.method
  const body = 'body' in changed ? JSON.stringify(changed.body) : text
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== undefined && body !== ''
  return new Request(`${url.origin}${changed.path ?? `${url.pathname}${url.search}`}`, {
    method,
    headers: changed.headers ?? original.headers,
    body: hasBody ? body : null,
  })
}

/** Tells whether a reply reports an error in the document's form. */
export function isErrorReply({ body }: Reply): boolean {
  return isJson(body) && isJson(body.error)
}

/** Tells whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function idIn({ body }: Reply): unknown {
  return isJson(body) && isJson(body.backfill) ? body.backfill.id : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
