import { ApiError, quote, recordInvalid } from '../wire/errors.ts'
import type { RequestContext } from './request-context.ts'
import type { Router } from './router.ts'

/** Says why a request has reached no endpoint: its method, its encoding, or nothing is there. */
export function explainNoMatch({ world, match, method, path }: RequestContext): ApiError {
  if (match.kind === 'other-methods') {
    const message = `${method} is not allowed on ${quote(path)}; use ${match.methods.join(' or ')}.`
    return new ApiError('method_not_allowed', message)
  }
  if (match.kind === 'bad-encoding')
    return recordInvalid(`The path ${quote(path)} has a bad percent-encoding.`)
  return new ApiError('record_not_found', `Nothing is at ${quote(path)}.${suggestPath(world.router, path)}`)
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
