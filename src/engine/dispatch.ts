import type { Profile } from '../profiles/define-profile.ts'
import type { WireRecord } from '../resources/define-resource.ts'
import { ApiError, quote, recordInvalid } from '../wire/errors.ts'
import { act, type Found } from './act.ts'
import { authorize, type Gate, readBearer } from './authorize.ts'
import { readBody } from './body.ts'
import { preflightHeaders, type UnderstudyReply, type UnderstudyRequest } from './messages.ts'
import { splitUrl } from './query.ts'
import { toErrorReply, toReply } from './reply.ts'
import type { Router } from './router.ts'

/** What one world answers from. */
export interface World extends Gate {
  readonly router: Router
  readonly profile: Profile | undefined
}

/**
 * Answers a request; `undefined` where its path is not under `/api`.
 *
 * Never throws: what a client did wrong is an error envelope with HTTP 200 (the document, "Errors"); what we did wrong
 * is HTTP 500 with a problem that names this package.
 */
export function dispatch(
  world: World,
  request: UnderstudyRequest,
): UnderstudyReply | Promise<UnderstudyReply> | undefined {
  const { path, search } = splitUrl(request.url)
  if (!(path.startsWith('/api/') || path === '/api')) return undefined
  if (request.method === 'OPTIONS') {
    return {
      status: 204,
      headers: preflightHeaders(request, world.switches),
      body: '',
      code: 200,
      operation: undefined,
      route: undefined,
    }
  }
  let found: Found | undefined
  const fail = (error: unknown) => toErrorReply(world, request, path, error, found)
  try {
    world.model.settle()
    found = findEndpoint(world, request, path)
    const { endpoint } = found
    const answered = answer(world, request, search, found)
    if (!(answered instanceof Promise)) return toReply(world, request, 200, answered, endpoint)
    return answered.then((body) => toReply(world, request, 200, body, endpoint), fail)
  } catch (error) {
    return fail(error)
  }
}

function findEndpoint({ router }: World, { method }: UnderstudyRequest, path: string) {
  const match = router.match(method, path)
  if (match.kind === 'endpoint') return match
  if (match.kind === 'other-methods') {
    throw new ApiError(
      'method_not_allowed',
      `${method} is not allowed on ${quote(path)}; use ${match.methods.join(' or ')}.`,
    )
  }
  if (match.kind === 'bad-encoding')
    throw recordInvalid(`The path ${quote(path)} has a bad percent-encoding.`)
  throw new ApiError('record_not_found', `Nothing is at ${quote(path)}.${hint(router, path)}`)
}

/** Names the path that was probably meant: another letter case, a trailing or a double slash. */
function hint(router: Router, path: string): string {
  const meant = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
  const candidates = [meant, meant.toLowerCase()]
  const found = candidates.find(
    (candidate) => candidate !== path && router.match('GET', candidate).kind !== 'nothing',
  )
  return found === undefined ? '' : ` Did you mean ${quote(found)}?`
}

function answer(
  world: World,
  request: UnderstudyRequest,
  search: string,
  found: Found,
): string | Promise<string> {
  const body = once(() => readBody(request, world.switches))
  const user = authorize(world, found.endpoint.operation, request, search, body)
  const proceed = (user: WireRecord | undefined) =>
    act(world, found, { search, body, bearer: readBearer(request), user })
  return user instanceof Promise ? user.then(proceed) : proceed(user)
}

function once<Value>(compute: () => Value): () => Value {
  let done = false
  let value: Value
  return () => {
    if (!done) {
      value = compute()
      done = true
    }
    return value
  }
}
