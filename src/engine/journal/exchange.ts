import type { Change } from '../../factories/model.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../messages.ts'

/** One request with its reply, as it came; what is made of it is made when somebody looks. */
export interface Exchange {
  /** The world's moment, in milliseconds since the epoch. */
  readonly at: number
  readonly milliseconds: number
  readonly request: UnderstudyRequest
  readonly reply: UnderstudyReply
  readonly changes: readonly Change[]
}

/** A body that is kept: as text, as what makes it again, or by its length where it is too long. */
export type KeptBody = string | (() => string) | number | undefined

/** An exchange as the journal keeps it. */
export interface Kept extends Omit<Exchange, 'request' | 'reply'> {
  readonly sequence: number
  readonly request: Omit<UnderstudyRequest, 'body'>
  readonly requestBody: KeptBody
  readonly reply: Omit<UnderstudyReply, 'body' | 'again'>
  readonly replyBody: KeptBody
  /** How much it counts, in characters. */
  readonly weight: number
}

/** The longest body that is kept, in characters; of longer ones the length is. */
const longestBody = 65_536

/** Makes what is kept of an exchange. */
export function keepExchange(
  { at, milliseconds, request, reply, changes }: Exchange,
  sequence: number,
): Kept {
  const { method, url, headers, body } = request
  const { status, code, operation, route, faults } = reply
  const requestBody = keepBody(typeof body === 'string' ? body : '', undefined)
  const replyBody = keepBody(reply.body, reply.again)
  return {
    sequence,
    at,
    milliseconds,
    request: headers === undefined ? { method, url } : { method, url, headers },
    requestBody,
    reply: { status, headers: reply.headers, code, operation, route, ...(faults && { faults }) },
    replyBody,
    weight: weigh(requestBody) + weigh(replyBody),
    changes,
  }
}

function keepBody(body: string, again: (() => string) | undefined): KeptBody {
  if (body === '') return undefined
  return body.length > longestBody ? body.length : (again ?? body)
}

/** What makes a body again holds little more than references. */
function weigh(body: KeptBody): number {
  return typeof body === 'string' ? body.length : 1_000
}
