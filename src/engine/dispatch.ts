import type { Change, Model } from '../factories/model.ts'
import type { Profile } from '../profiles/define-profile.ts'
import type { WireRecord } from '../resources/define-resource.ts'
import { ApiError, quote, recordInvalid } from '../wire/errors.ts'
import { act, type Found, type Written } from './act.ts'
import { authorize, type Gate, readBearer } from './authorize.ts'
import { readBody } from './body.ts'
import { preflightHeaders, type UnderstudyReply, type UnderstudyRequest } from './messages.ts'
import type { Target } from './query.ts'
import { toErrorReply, toReply } from './reply.ts'
import type { Router } from './router.ts'

/** What one world answers from. */
export interface Scene extends Gate {
  /** What is read from where reads lag behind; default: the model. */
  readonly past?: Model
  readonly router: Router
  readonly profile: Profile | undefined
}

/**
 * Answers a request under `/api`, and notes what it changes where somebody wants to know.
 *
 * Never throws: what a client did wrong is an error envelope with HTTP 200 (the document, "Errors"); what we did wrong
 * is HTTP 500 with a problem that names this package.
 */
export function dispatch(
  scene: Scene,
  request: UnderstudyRequest,
  { path, search }: Target,
  changes?: Change[],
): UnderstudyReply | Promise<UnderstudyReply> {
  if (request.method === 'OPTIONS') {
    return {
      status: 204,
      headers: preflightHeaders(request, scene.switches),
      body: '',
      code: 200,
      operation: undefined,
      route: undefined,
    }
  }
  let found: Found | undefined
  const fail = (error: unknown) => toErrorReply(scene, request, path, error, found)
  try {
    scene.model.settle()
    found = findEndpoint(scene, request, path)
    const { endpoint } = found
    const answered = answer(scene, request, search, found, changes)
    if (!(answered instanceof Promise)) return toReply(scene, request, 200, answered, endpoint)
    return answered.then((body) => toReply(scene, request, 200, body, endpoint), fail)
  } catch (error) {
    return fail(error)
  }
}

/** Tells whether a path is one of the API's. */
export function isUnderApi(path: string): boolean {
  return path.startsWith('/api/') || path === '/api'
}

function findEndpoint({ router }: Scene, { method }: UnderstudyRequest, path: string) {
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
  scene: Scene,
  request: UnderstudyRequest,
  search: string,
  found: Found,
  changes: Change[] | undefined,
): Written | Promise<Written> {
  const body = once(() => readBody(request, scene.switches))
  const user = authorize(scene, found.endpoint.operation, request, search, body)
  const proceed = (user: WireRecord | undefined) => {
    const credentialed = { search, body, bearer: readBearer(request), user }
    const stage = { model: scene.past ?? scene.model, switches: scene.switches }
    if (changes === undefined) return act(stage, found, credentialed)
    return stage.model.noting(changes, () => act(stage, found, credentialed))
  }
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
