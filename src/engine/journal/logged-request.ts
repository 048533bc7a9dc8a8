import type { Change, Following, NotedChanges } from '../../factories/change.ts'
import type { Operation } from '../../resources/resource.ts'
import type { ListMetadata } from '../../shared/envelope.ts'
import * as limits from '../../shared/limits.ts'
import { weigh } from '../../shared/weigh.ts'
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
 * Fields are declared only: what has them defined first takes longer to make.
 */
export class LoggedRequest {
  declare readonly sequence: number
  /** The world's moment, in milliseconds since the epoch. */
  declare readonly at: number
  /** How long the answer took. */
  declare readonly microseconds: number
  declare readonly method: string
  declare readonly url: string
  /** How long faults hold the reply back besides, in milliseconds; null where it never comes. */
  declare readonly held: number | null
  declare readonly endpoint: Endpoint | undefined
  declare readonly headers: Headers
  declare readonly headersWeight: number
  declare readonly requestBody: LoggedBody
  declare readonly httpStatus: number
  declare readonly replyHeaders: UnderstudyReply['headers']
  declare readonly replyBody: LoggedBody
  declare readonly code: number
  declare readonly operation: Operation | undefined
  declare readonly faults: readonly string[]
  declare readonly changes: Change | readonly Change[]
  /** What follows from it by the clock, where anything may. */
  declare readonly following: Following | undefined
  /** About how much memory it takes, in bytes. */
  declare readonly weight: number
  /** How many more changes there were. */
  declare readonly omittedChanges: number

  /** Takes what is kept; `milliseconds` is how long the answer took. */
  constructor(
    { request, match, changes: noted, presented }: AnsweredRequest,
    { status, headers: replyHeaders, body, code, operation, faults = none, delivery }: UnderstudyReply,
    sequence: number,
    at: number,
    milliseconds: number,
    previous: LoggedRequest | undefined,
  ) {
    const all: readonly Change[] = noted ?? none
    // Of a body that was too large to be read it is not known how long it was.
    const requestBody = request.body === tooLarge ? limits.body : keepBody(request.body)
    const replyBody = keepBody(body, presented)
    const given = request.headers ?? {}
    // Clients send the same headers again and again.
    const known = previous && isSame(given, previous.headers) ? previous : undefined
    // What is kept of one request is to be shown at once.
    const shown = all.length > limits.journalChanges ? all.slice(0, limits.journalChanges) : all
    const shownWeight = weighChanges(shown)
    const isLarge = shownWeight > limits.journalChangesBytes
    const changes = isLarge ? none : shown
    this.sequence = sequence
    this.at = at
    this.microseconds = Math.round(milliseconds * 1_000)
    this.held = delivery ? heldBy(delivery) : 0
    this.method = request.method
    this.url = request.url
    this.endpoint = match.kind === 'endpoint' ? match.endpoint : undefined
    this.headers = known?.headers ?? given
    this.headersWeight = known?.headersWeight ?? weighHeaders(given)
    this.requestBody = requestBody
    this.httpStatus = status
    this.replyHeaders = replyHeaders
    this.replyBody = replyBody
    this.code = code
    this.operation = operation
    this.faults = faults
    this.changes = changes.length > 1 ? changes : (changes[0] ?? none)
    this.following = noted?.following
    this.weight =
      bytesOfEntry +
      2 * request.url.length +
      this.headersWeight +
      weighBody(requestBody, 0) +
      weighBody(replyBody, body.length) +
      (isLarge ? 0 : shownWeight)
    this.omittedChanges = all.length + (noted?.more ?? 0) - changes.length
  }
}

type Headers = NonNullable<UnderstudyRequest['headers']>

const none: readonly never[] = []

function heldBy({ delay = 0, headTime = 0, bodyTime = 0, end }: Delivery): number | null {
  return end === 'hang' ? null : delay + headTime + bodyTime
}

function isSame(one: Headers, other: Headers): boolean {
  for (const name in one) if (one[name] !== other[name]) return false
  for (const name in other) if (one[name] !== other[name]) return false
  return true
}

function keepBody(body: UnderstudyRequest['body'], presented?: PresentedBody): LoggedBody {
  if (typeof body !== 'string' || body === '') return undefined
  return body.length > limits.journalBody ? body.length : (presented ?? body)
}

/** What an entry takes besides its texts. */
const bytesOfEntry = 1_000
/** What a change takes besides its records. */
const bytesOfChange = 200

/** What makes a body again holds the texts that it is made of. */
function weighBody(body: LoggedBody, length: number): number {
  return 2 * (typeof body === 'object' ? length : typeof body === 'string' ? body.length : 0)
}

function weighHeaders(headers: Headers): number {
  let weight = 0
  for (const name in headers) weight += 2 * (name.length + String(headers[name]).length)
  return weight
}

/** A record may be gone from its table, and is kept here. */
export function weighChanges(changes: readonly Change[]): number {
  let weight = 0
  for (const { previous, next } of changes) weight += bytesOfChange + weigh(previous) + weigh(next)
  return weight
}
