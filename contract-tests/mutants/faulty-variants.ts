import type { UnderstudyReply, UnderstudyRequest } from '../../src/engine/messages.ts'
import type { FaultyVariant } from '../../src/index.ts'
import { isReadMethod, splitUrl } from '../../src/shared/http.ts'
import { ruleOf } from '../rules/index.ts'
import { isObject } from '../runner/is-object.ts'
import type { Incoming, Outgoing } from '../runner/transports/transport.ts'
import { faultyServers } from './catalogue.ts'
import { changeReply, changeRequest, type FaultyServer, parse, read } from './define-mutant.ts'

/** All faulty variants by name: `pipeline-understudy serve --broken` takes one. */
export const faultyVariants: Readonly<Record<string, FaultyVariant>> = Object.fromEntries(
  faultyServers.map((server) => [server.name, toFaultyVariant(server)]),
)

/** Creates the `faultyVariant` option of `createUnderstudy` from a mutant. */
export function toFaultyVariant(server: FaultyServer): FaultyVariant {
  const { name, breaks, request, reply } = server
  return {
    name,
    breaks,
    rule: ruleOf(breaks).claim,
    ...(request && {
      request(sent) {
        const original = toOutgoing(sent)
        const changed = request(read(original))
        if (changed === undefined) return sent
        const { method, path, headers, body } = changeRequest(original, changed)
        return {
          ...sent,
          method,
          url: path,
          ...(headers !== original.headers && { headers }),
          // A symbol represents an unreadable body.
          body: typeof sent.body === 'symbol' ? sent.body : body,
        }
      },
    }),
    ...(reply && {
      reply(given, sent) {
        if (isFromFault(given)) return given
        const incoming = toIncoming(given)
        const changed = changeReply(incoming, reply, read(toOutgoing(sent)))
        const { status, contentType, text } = changed
        if (status === given.status && text === given.body && contentType === incoming.contentType)
          return given
        return {
          ...given,
          status,
          headers: { ...given.headers, ...(contentType !== '' && { 'content-type': contentType }) },
          body: text,
          code: codeOf(text) ?? status,
        }
      },
    }),
  }
}

function toOutgoing(request: UnderstudyRequest): Outgoing {
  const { method, body } = request
  const { path, search } = splitUrl(request.url)
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    headers: textsOf(request.headers),
    body: typeof body === 'string' && !isReadMethod(method) ? body : undefined,
  }
}

function toIncoming({ status, headers, body }: UnderstudyReply): Incoming {
  return { status, contentType: headers['content-type'] ?? '', text: body }
}

/** Tests whether a fault has replied: such a reply shows nothing of the server. */
function isFromFault({ faults = [], status, delivery }: UnderstudyReply): boolean {
  return faults.length > 0 && (status !== 200 || delivery?.end !== undefined)
}

function textsOf(headers: UnderstudyRequest['headers'] = {}): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** The logical status of a reply that reports an error. */
function codeOf(text: string): number | undefined {
  const body = parse(text)
  const error = isObject(body) ? body.error : undefined
  return isObject(error) && typeof error.code === 'number' ? error.code : undefined
}
