import type { Change, Following, NotedChanges } from '../../factories/change.ts'
import type { Operation } from '../../resources/resource.ts'
import type { ListMetadata } from '../../wire/envelope.ts'
import * as limits from '../../wire/limits.ts'
import { weigh } from '../../wire/weigh.ts'
import type { Delivery } from '../faults/delivery.ts'
import { tooLarge, type UnderstudyReply, type UnderstudyRequest } from '../messages.ts'
import type { Endpoint, Match } from '../router.ts'

/** What the journal takes of a request that has been answered. */
export interface AnsweredRequest {
  readonly request: UnderstudyRequest
  readonly match: Match
  readonly changes: NotedChanges | undefined
  readonly presented: PresentedBody | undefined
}

/** What a body that shows records is made of again: little more than references to texts that are kept anyway. */
export type PresentedBody =
  | { readonly singular: string; readonly text: string; readonly hasNull: boolean }
  | { readonly plural: string; readonly texts: readonly string[]; readonly metadata: ListMetadata | null }

/** A body that is kept: as text, as what makes it again, or by its length where it is too long. */
export type LoggedBody = string | PresentedBody | number | undefined

/**
 * A request with its reply, as the journal keeps it; what is made of it is made when somebody looks. It outlives many
 * other requests, and each object that does is dear: the collector looks for it where it lies, and moves it. So there
 * are as few as can be: headers are shared, path and parameters read again, and one change has no list around it.
 */
export interface LoggedRequest {
  readonly sequence: number
  /** The world's moment, in milliseconds since the epoch. */
  readonly at: number
  /** How long the answer took. */
  readonly microseconds: number
  readonly method: string
  readonly url: string
  /** How long faults hold the reply back besides, in milliseconds; null where it never comes. */
  readonly held: number | null
  readonly endpoint: Endpoint | undefined
  readonly headers: Headers
  readonly headersWeight: number
  readonly requestBody: LoggedBody
  readonly httpStatus: number
  readonly replyHeaders: UnderstudyReply['headers']
  readonly replyBody: LoggedBody
  readonly code: number
  readonly operation: Operation | undefined
  readonly faults: readonly string[]
  readonly changes: Change | readonly Change[]
  /** What follows from it by the clock, where anything may. */
  readonly following: Following | undefined
  /** About how much memory it takes, in bytes. */
  readonly weight: number
  /** How long its bodies are, as far as they are kept. */
  readonly characters: number
  /** How many more changes there were. */
  readonly omittedChanges: number
}

type Headers = NonNullable<UnderstudyRequest['headers']>

const noHeaders: Headers = {}
const noChanges: readonly Change[] = []
const noFaults: readonly string[] = []

/** Takes what is kept of a request and its reply; `milliseconds` is how long the answer took. */
export function logRequest(
  { request, match, changes: noted, presented }: AnsweredRequest,
  { status, headers: replyHeaders, body, code, operation, faults = noFaults, delivery }: UnderstudyReply,
  { sequence, at, milliseconds }: { sequence: number; at: number; milliseconds: number },
  previous: LoggedRequest | undefined,
): LoggedRequest {
  const all: readonly Change[] = noted ?? noChanges
  // Of a body that was too large to be read it is not known how long it was.
  const requestBody =
    request.body === tooLarge
      ? limits.body
      : keepBody(typeof request.body === 'string' ? request.body : '', undefined)
  const replyBody = keepBody(body, presented)
  const given = request.headers ?? noHeaders
  // Clients send the same headers again and again.
  const known = previous !== undefined && isSame(given, previous.headers) ? previous : undefined
  const headersWeight = known?.headersWeight ?? weighHeaders(given)
  // What is kept of one request is to be shown at once.
  const changes = all.length > limits.journalChanges ? all.slice(0, limits.journalChanges) : all
  return {
    sequence,
    at,
    microseconds: Math.round(milliseconds * 1_000),
    held: delivery === undefined ? 0 : heldBy(delivery),
    method: request.method,
    url: request.url,
    endpoint: match.kind === 'endpoint' ? match.endpoint : undefined,
    headers: known?.headers ?? given,
    headersWeight,
    requestBody,
    httpStatus: status,
    replyHeaders,
    replyBody,
    code,
    operation,
    faults,
    changes: changes.length > 1 ? changes : (changes[0] ?? noChanges),
    following: noted?.following,
    weight:
      bytesOfEntry +
      2 * request.url.length +
      headersWeight +
      weighBody(requestBody, 0) +
      weighBody(replyBody, body.length) +
      weighChanges(changes),
    omittedChanges: all.length + (noted?.more ?? 0) - changes.length,
    characters: lengthOf(requestBody) + lengthOf(replyBody),
  }
}

function heldBy({ delay = 0, headTime = 0, bodyTime = 0, end }: Delivery): number | null {
  return end === 'hang' ? null : delay + headTime + bodyTime
}

function isSame(one: Headers, other: Headers): boolean {
  let more = 0
  for (const name in one) {
    if (one[name] !== other[name]) return false
    more++
  }
  for (const _ in other) more--
  return more === 0
}

function keepBody(body: string, presented: PresentedBody | undefined): LoggedBody {
  if (body === '') return undefined
  return body.length > limits.journalBody ? body.length : (presented ?? body)
}

/** What an entry takes besides its texts. */
const bytesOfEntry = 1_000
/** What a change takes besides its records. */
const bytesOfChange = 200

/** What makes a body again holds the texts that it is made of. */
function weighBody(body: LoggedBody, length: number): number {
  return typeof body === 'string' ? body.length * 2 : typeof body === 'object' ? length * 2 : 0
}

/** What makes a body again holds little more than references. */
function lengthOf(body: LoggedBody): number {
  return typeof body === 'string' ? body.length : 1_000
}

function weighHeaders(headers: Headers): number {
  let weight = 0
  for (const name in headers) weight += 2 * (name.length + String(headers[name] ?? '').length)
  return weight
}

/** A record may be gone from its table, and is kept here. */
export function weighChanges(changes: readonly Change[]): number {
  let weight = 0
  for (const { previous, next } of changes) weight += bytesOfChange + weigh(previous) + weigh(next)
  return weight
}
