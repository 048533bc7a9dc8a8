import { ApiError, quote, recordInvalid } from '../wire/errors.ts'
import type { RequestContext } from './request-context.ts'
import type { Endpoint, Router } from './router.ts'

/**
 * Gives the endpoint that a request has reached.
 *
 * @throws ApiError `record_not_found`, `method_not_allowed` or, for a path that cannot be decoded, `record_invalid`.
 */
export function matchEndpoint({ world, match, method, path }: RequestContext): Endpoint {
  switch (match.kind) {
    case 'endpoint':
      return match.endpoint
    case 'other-methods':
      throw new ApiError(
        'method_not_allowed',
        `${method} is not allowed on ${quote(path)}; use ${match.methods.join(' or ')}.`,
      )
    case 'bad-encoding':
      throw recordInvalid(`The path ${quote(path)} has a bad percent-encoding.`)
    case 'nothing':
      throw new ApiError(
        'record_not_found',
        `Nothing is at ${quote(path)}.${suggestPath(world.router, path)}`,
      )
  }
}

/** Names the path that was probably meant: another letter case, a trailing or a double slash. */
function suggestPath(router: Router, path: string): string {
  const meant = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
  const candidates = [meant, meant.toLowerCase()]
  const found = candidates.find(
    (candidate) => candidate !== path && router.match('GET', candidate).kind !== 'nothing',
  )
  return found === undefined ? '' : ` Did you mean ${quote(found)}?`
}
