import { ApiError, quote, recordInvalid } from '../shared/errors.ts'
import type { RequestContext } from './request-context.ts'

/** Explains why a request matches no endpoint: its method, its encoding, or its path. */
export function explainNoMatch({ world, match, method, path }: RequestContext): ApiError {
  const shown = quote(world.origin.redactor.path(path))
  if (match.kind === 'other-methods') {
    const message = `${method} is not allowed on ${shown}; use ${match.methods.join(' or ')}.`
    return new ApiError('method_not_allowed', message)
  }
  if (match.kind === 'bad-encoding') return recordInvalid(`The path ${shown} has a bad percent-encoding.`)
  return new ApiError('record_not_found', `Nothing is at ${shown}.${suggestPath(world, path)}`)
}

/** Names the path that was probably meant: another letter case, a trailing or a double slash. */
function suggestPath({ router, origin }: RequestContext['world'], path: string): string {
  const meant = path.replaceAll(/\/\/+/g, '/').replace(/\/$/, '')
  const candidates = [meant, meant.toLowerCase()]
  const found = candidates.find(
    (candidate) => candidate !== path && router.match('GET', candidate).kind !== 'nothing',
  )
  return found === undefined ? '' : ` Did you mean ${quote(origin.redactor.path(found))}?`
}
