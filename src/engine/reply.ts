import type { Switches } from '../assumptions/switches.ts'
import { type ErrorDeviation, findDeviation, type Profile } from '../profiles/define-profile.ts'
import { errorEnvelope } from '../wire/envelope.ts'
import { ApiError } from '../wire/errors.ts'
import type { Found, Written } from './act.ts'
import { replyHeaders, type UnderstudyReply, type UnderstudyRequest } from './messages.ts'
import type { Endpoint } from './router.ts'

interface Style {
  readonly switches: Switches
  readonly profile: Profile | undefined
}

/** The reply to a request that has reached an endpoint, or none. */
export function toReply(
  { switches }: Style,
  request: UnderstudyRequest,
  code: number,
  { text, again }: Written,
  endpoint: Endpoint | undefined,
): UnderstudyReply {
  return {
    status: 200,
    headers: replyHeaders(request, switches),
    body: text,
    again,
    code,
    operation: endpoint?.operation,
    route: endpoint?.route,
  }
}

/** The reply to a request that has failed: the error envelope, a profile's own form, or a problem where we are at fault. */
export function toErrorReply(
  style: Style,
  request: UnderstudyRequest,
  path: string,
  error: unknown,
  found: Found | undefined,
): UnderstudyReply {
  if (!(error instanceof ApiError)) return toProblem(style, request, error, found)
  const deviation = findDeviation(style.profile, error, found?.endpoint.operation.id)
  const reply = toReply(
    style,
    request,
    deviation?.code ?? error.code,
    { text: errorEnvelope(error) },
    found?.endpoint,
  )
  if (deviation === undefined) return reply
  return {
    ...reply,
    status: deviation.httpStatus ?? 200,
    body: deviation.isEmpty ? '' : deviate(deviation, error, path, found),
  }
}

function deviate(deviation: ErrorDeviation, error: ApiError, path: string, found: Found | undefined): string {
  const [, , resource, pk, child, childPk] = path.split('/')
  const places: Readonly<Record<string, string | undefined>> = {
    value: error.missing?.value,
    parent: pk,
    message: error.message,
  }
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => places[name] ?? '')
  const code = deviation.code ?? error.code
  if (deviation.exception === undefined) {
    const message = fill(deviation.message ?? error.message)
    return errorEnvelope({ code, message, type: deviation.type ?? error.type })
  }
  const parameters = found?.endpoint.operation.findsItself
    ? found.parameters
    : { resource, pk, child, child_pk: childPk }
  return JSON.stringify({
    error: { code, exception: fill(deviation.exception), message: '<python traceback>' },
    url_parameters: parameters,
  })
}

function toProblem(
  style: Style,
  request: UnderstudyRequest,
  error: unknown,
  found: Found | undefined,
): UnderstudyReply {
  const problem = {
    type: 'about:blank',
    title: 'A defect of pipeline-understudy',
    status: 500,
    detail: error instanceof Error ? error.message : String(error),
  }
  const reply = toReply(style, request, 500, { text: JSON.stringify(problem) }, found?.endpoint)
  return { ...reply, status: 500, headers: { ...reply.headers, 'content-type': 'application/problem+json' } }
}
