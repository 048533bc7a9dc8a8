import type { Change } from '../../factories/change.ts'
import { limits } from '../../wire/limits.ts'
import { weigh } from '../../wire/weigh.ts'
import { tooLarge, type UnderstudyReply, type UnderstudyRequest } from '../messages.ts'
import type { Match } from '../router.ts'

/** What the journal takes of a request that has been answered. */
export interface AnsweredRequest {
  readonly request: UnderstudyRequest
  readonly path: string
  readonly search: string
  readonly match: Match
  readonly changes: readonly Change[] | undefined
  readonly rebuildBody: (() => string) | undefined
}

/** A body that is kept: as text, as what makes it again, or by its length where it is too long. */
export type LoggedBody = string | (() => string) | number | undefined

/** A request with its reply, as the journal keeps it; what is made of it is made when somebody looks. */
export interface LoggedRequest {
  readonly sequence: number
  /** The world's moment, in milliseconds since the epoch. */
  readonly at: number
  /** How long the answer took. */
  readonly milliseconds: number
  readonly method: string
  readonly path: string
  readonly search: string
  readonly match: Match
  readonly headers: UnderstudyRequest['headers']
  readonly requestBody: LoggedBody
  readonly reply: Omit<UnderstudyReply, 'body'>
  readonly replyBody: LoggedBody
  /** About how much memory it takes, in bytes. */
  readonly weight: number
  /** How long its bodies are, as far as they are kept. */
  readonly characters: number
  readonly changes: readonly Change[]
  /** How many more changes there were. */
  readonly omittedChanges: number
}

/** Takes what is kept of a request and its reply. */
export function logRequest(
  { request, path, search, match, changes: all = [], rebuildBody }: AnsweredRequest,
  { status, headers, body, code, operation, route, faults }: UnderstudyReply,
  { sequence, at, milliseconds }: Pick<LoggedRequest, 'sequence' | 'at' | 'milliseconds'>,
): LoggedRequest {
  // Of a body that was too large to be read it is not known how long it was.
  const requestBody =
    request.body === tooLarge
      ? limits.body
      : keepBody(typeof request.body === 'string' ? request.body : '', undefined)
  const replyBody = keepBody(body, rebuildBody)
  // What is kept of one request is to be shown at once.
  const changes = all.length > limits.journalChanges ? all.slice(0, limits.journalChanges) : all
  return {
    sequence,
    at,
    milliseconds,
    method: request.method,
    path,
    search,
    match,
    headers: request.headers,
    requestBody,
    reply: { status, headers, code, operation, route, ...(faults && { faults }) },
    replyBody,
    characters: lengthOf(requestBody) + lengthOf(replyBody),
    weight:
      bytesOfEntry +
      2 * (path.length + search.length) +
      weighHeaders(request.headers) +
      weighBody(requestBody, 0) +
      weighBody(replyBody, body.length) +
      weighChanges(changes),
    changes,
    omittedChanges: all.length - changes.length,
  }
}

function keepBody(body: string, rebuild: (() => string) | undefined): LoggedBody {
  if (body === '') return undefined
  return body.length > limits.journalBody ? body.length : (rebuild ?? body)
}

/** What an entry takes besides its texts. */
const bytesOfEntry = 1_000
/** What a change takes besides its records. */
const bytesOfChange = 200

/** What makes a body again holds the texts that it is made of. */
function weighBody(body: LoggedBody, length: number): number {
  return typeof body === 'string' ? body.length * 2 : typeof body === 'function' ? length * 2 : 0
}

/** What makes a body again holds little more than references. */
function lengthOf(body: LoggedBody): number {
  return typeof body === 'string' ? body.length : 1_000
}

function weighHeaders(headers: UnderstudyRequest['headers'] = {}): number {
  let weight = 0
  for (const name in headers) weight += 2 * (name.length + String(headers[name] ?? '').length)
  return weight
}

/** A record may be gone from its table, and is kept here. */
function weighChanges(changes: readonly Change[]): number {
  let weight = 0
  for (const { previous, next } of changes) weight += bytesOfChange + weigh(previous) + weigh(next)
  return weight
}
