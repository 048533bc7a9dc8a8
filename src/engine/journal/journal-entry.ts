import type { Change } from '../../factories/model.ts'
import type { WireRecord } from '../../resources/define-resource.ts'
import { splitUrl } from '../query.ts'
import type { Router } from '../router.ts'
import type { Kept, KeptBody } from './exchange.ts'
import { noteIgnored } from './notes.ts'
import { redactHeaders, redactPath, redactText, redactValue } from './redact.ts'

/** What a request or reply carried; a JSON body is parsed, another is text. */
export interface JournalMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The length of a body that is too long to be kept, in characters. */
  readonly omitted?: number
}

/** One change in the state, as JSON Patch (RFC 6902) over `{ <plural>: { <key>: record } }`. */
export interface JournalChange {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
}

/** One request and its reply. Credentials are replaced by `***`. */
export interface JournalEntry {
  /** Counts from 1 in each world. */
  readonly sequence: number
  readonly world: string
  /** When, on the world's clock: `2026-01-01T00:00:00.000Z`. */
  readonly at: string
  /** The operation that was reached; `undefined` for an unknown path or method. */
  readonly operation: string | undefined
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** What the path says in the places of its parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The logical status: `error.code` of the body, or 200. */
  readonly status: number
  readonly httpStatus: number
  readonly milliseconds: number
  readonly request: JournalMessage
  readonly reply: JournalMessage
  /** What the request changed in the state. */
  readonly changes: readonly JournalChange[]
  /** The faults that struck it. */
  readonly faults: readonly string[]
  /** What of the request was accepted and had no effect: a misspelt parameter, an attribute the policy does not list. */
  readonly notes: readonly string[]
}

/** Makes an entry of an exchange: parsed, patched, and without credentials. */
export function describeEntry(exchange: Kept, world: string, router: Router): JournalEntry {
  const { sequence, at, milliseconds, request, requestBody, reply, replyBody, changes } = exchange
  const { path, search } = splitUrl(request.url)
  const match = router.match(request.method, path)
  const query = redactValue(readSearch(search)) as JournalEntry['query']
  const sent = describeMessage(redactHeaders(request.headers), requestBody)
  const endpoint = match.kind === 'endpoint' ? match.endpoint : undefined
  return {
    sequence,
    world,
    at: new Date(at).toISOString(),
    operation: reply.operation?.id,
    method: request.method,
    path: redactPath(path),
    query,
    params: match.kind === 'endpoint' ? (redactValue(match.parameters) as Record<string, string>) : {},
    status: reply.code,
    httpStatus: reply.status,
    milliseconds,
    request: sent,
    reply: describeMessage({ ...reply.headers }, replyBody),
    changes: changes.flatMap(toPatch),
    faults: reply.faults ?? [],
    notes:
      endpoint !== undefined && reply.code === 200
        ? noteIgnored(endpoint.resource, endpoint.operation, query, sent.body, changes)
        : [],
  }
}

function describeMessage(headers: Record<string, string>, kept: KeptBody): JournalMessage {
  if (kept === undefined) return { headers, body: undefined }
  if (typeof kept === 'number') return { headers, body: undefined, omitted: kept }
  const body = typeof kept === 'string' ? kept : kept()
  try {
    return { headers, body: redactValue(JSON.parse(body)) }
  } catch {
    return { headers, body: redactText(body) }
  }
}

function readSearch(search: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = query.get(name)
    query.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(query)
}

function toPatch({ table, key, previous, next }: Change): JournalChange[] {
  const path = redactPath(`/${escapePointer(table)}/${escapePointer(key)}`)
  if (next === undefined) return [{ op: 'remove', path }]
  if (previous === undefined) return [{ op: 'add', path, value: redactValue(next) }]
  return Object.keys(next)
    .filter((attribute) => !isSame(previous[attribute], next[attribute]))
    .map((attribute) => ({
      op: previous[attribute] === undefined ? 'add' : 'replace',
      path: `${path}/${escapePointer(attribute)}`,
      value: (redactValue({ [attribute]: next[attribute] }) as WireRecord)[attribute],
    }))
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}

/** Escapes a text for a JSON Pointer (RFC 6901). */
function escapePointer(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1')
}
