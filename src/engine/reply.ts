import { messageOf } from '../shared/built-ins.ts'
import { ApiError } from '../shared/errors.ts'
import { errorEnvelope } from '../shared/http.ts'
import type { UnderstudyReply } from './messages.ts'
import type { RequestContext } from './request-context.ts'

const json: Readonly<Record<string, string>> = { 'content-type': 'application/json' }
const anyOrigin = { ...json, 'access-control-allow-origin': '*' }

/** Returns the reply with a logical status and a body: JSON, readable from any origin with cookies included (`cors`). */
export function toReply(context: RequestContext, code: number, body: string): UnderstudyReply {
  const { match, world } = context
  const endpoint = match.kind === 'endpoint' ? match.endpoint : undefined
  const { origin } = context.headers
  let headers = world.switches.cors === 'none' ? json : anyOrigin
  if (headers === anyOrigin && typeof origin === 'string') {
    headers = {
      ...json,
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    }
  }
  return {
    status: 200,
    headers,
    body,
    code,
    operation: endpoint?.operation,
    route: endpoint?.route,
    world: world.name,
  }
}

/** Returns the reply to a preflight request: any method, any header (`cors`). */
export function toPreflightReply(context: RequestContext): UnderstudyReply {
  const reply = toReply(context, 200, '')
  const { 'content-type': _, ...allowed } = reply.headers
  const more = {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': String(context.headers['access-control-request-headers'] ?? '*'),
    'access-control-max-age': '600',
  }
  const headers = context.world.switches.cors === 'none' ? allowed : { ...allowed, ...more }
  return { ...reply, status: 204, headers }
}

/** Returns the reply to a failed request: the error envelope, the form of a profile, or HTTP 500 for a defect of this package. */
export function toErrorReply(context: RequestContext, error: unknown): UnderstudyReply {
  if (!(error instanceof ApiError)) return toProblemReply(context, error)
  const { match, path, parameters, world } = context
  const { profile } = world.settings
  const operation = match.kind === 'endpoint' ? match.endpoint.operation : undefined
  const answered = profile?.answerError(profile, error, { path, parameters, operation })
  if (answered === undefined) return toReply(context, error.code, errorEnvelope(error))
  const { code, status, body } = answered
  return { ...toReply(context, code, body), status }
}

function toProblemReply(context: RequestContext, error: unknown): UnderstudyReply {
  const problem = {
    type: 'about:blank',
    title: 'A defect of pipeline-understudy',
    status: 500,
    detail: messageOf(error),
  }
  const reply = toReply(context, 500, JSON.stringify(problem))
  return { ...reply, status: 500, headers: { ...reply.headers, 'content-type': 'application/problem+json' } }
}
