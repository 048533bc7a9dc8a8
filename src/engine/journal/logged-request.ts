import type { Change } from '../../factories/model.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../messages.ts'
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
  /** How much it counts, in characters. */
  readonly weight: number
  readonly changes: readonly Change[]
}

/** The longest body that is kept, in characters; of longer ones the length is. */
const longestBody = 65_536

/** Takes what is kept of a request and its reply. */
export function logRequest(
  { request, path, search, match, changes = [], rebuildBody }: AnsweredRequest,
  { status, headers, body, code, operation, route, faults }: UnderstudyReply,
  { sequence, at, milliseconds }: Pick<LoggedRequest, 'sequence' | 'at' | 'milliseconds'>,
): LoggedRequest {
  const requestBody = keepBody(typeof request.body === 'string' ? request.body : '', undefined)
  const replyBody = keepBody(body, rebuildBody)
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
    weight: weigh(requestBody) + weigh(replyBody),
    changes,
  }
}

function keepBody(body: string, rebuild: (() => string) | undefined): LoggedBody {
  if (body === '') return undefined
  return body.length > longestBody ? body.length : (rebuild ?? body)
}

/** What makes a body again holds little more than references. */
function weigh(body: LoggedBody): number {
  return typeof body === 'string' ? body.length : 1_000
}
