import { errorEnvelope } from '../../wire/envelope.ts'
import { errorCodes } from '../../wire/errors.ts'
import type { UnderstudyReply } from '../messages.ts'
import { toReply } from '../reply.ts'
import type { RequestContext } from '../request-context.ts'
import type { Fault } from './fault.ts'
import { endingOf, type Strike } from './faults.ts'

/** The page of a proxy whose backend is gone. */
const badGatewayPage =
  '<!doctype html>\n<html lang="en"><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

const text = { 'content-type': 'text/plain; charset=utf-8' }
const html = { 'content-type': 'text/html; charset=utf-8' }

/** Tells whether a struck request still reaches its operation. */
export function runsDespite({ ending }: Strike): boolean {
  const kind = ending && endingOf(ending)
  if (kind === undefined || kind === 'reset' || kind === 'truncate' || kind === 'stale') return true
  return ending?.runs ?? false
}

/** Makes the reply of a struck request; `reply` is that of the operation, where it has run. */
export function strikeReply(
  context: RequestContext,
  { ending, delivery }: Strike,
  reply: UnderstudyReply | undefined,
): UnderstudyReply {
  const plain = reply ?? toReply(context, 200, '')
  // What is answered instead cannot be made again from what the operation gave.
  if (ending !== undefined) context.rebuildBody = undefined
  const answered = ending === undefined ? plain : answerInstead(plain, ending)
  return Object.keys(delivery).length === 0 ? answered : { ...answered, delivery }
}

function answerInstead(reply: UnderstudyReply, fault: Fault): UnderstudyReply {
  const { error, status = 502, body, headers, truncate } = fault
  const { 'content-type': _, ...others } = reply.headers
  switch (endingOf(fault)) {
    case 'error':
      return { ...reply, code: error!.code, status: 200, body: errorEnvelope(toMembers(error!)) }
    case 'status': {
      const type = typeof body === 'string' || body === undefined ? text : {}
      const written = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
      const all = { ...reply.headers, ...type, ...lowered(headers) }
      return { ...reply, code: status, status, headers: all, body: written }
    }
    case 'badGateway':
      return { ...reply, code: 502, status: 502, headers: { ...others, ...html }, body: badGatewayPage }
    case 'hang':
    case 'drop':
      return { ...reply, code: 0, status: 0, headers: {}, body: '' }
    case 'truncate': {
      const length = typeof truncate === 'number' ? truncate : Math.floor(reply.body.length / 2)
      return { ...reply, body: reply.body.slice(0, length) }
    }
    default:
      return reply
  }
}

function toMembers({ code, type, message }: NonNullable<Fault['error']>) {
  const known = Object.entries(errorCodes).find(([, each]) => each === code)?.[0]
  return { code, type: type ?? known ?? 'internal_error', message: message ?? 'A fault was asked for.' }
}

function lowered(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
