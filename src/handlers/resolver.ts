import { HttpResponse } from 'msw'
import type { Understudy } from '../engine/create-understudy.ts'
import { deliver, fromFetch } from '../engine/fetch.ts'
import { requireUnderstudy } from '../engine/require-understudy.ts'
import { checkOptions, type OptionChecks } from '../shared/check-options.ts'
import { escapeRegExp } from '../shared/glob.ts'
import { readBaseUrl, withoutPrefix } from '../shared/urls.ts'

export interface HandlerOptions {
  /** Prefix of `/api`: an origin, a path, or both. Default: any origin, no path. */
  readonly baseUrl?: string
  /** World of requests that name none, such as one per page. Default `main`. */
  readonly world?: string
  /**
   * Treatment of requests under `/api` that match no operation. `answer` (default) replies "not found" as the
   * API does; `pass` leaves them to later handlers.
   */
  readonly unknown?: 'answer' | 'pass'
}

export interface Intercepted {
  readonly request: Request
  readonly cookies: Record<string, string>
}

export interface Resolver {
  /** Matches the URLs of the API. */
  readonly pattern: RegExp
  /** Returns the reply; `undefined` to leave the request to other handlers. */
  answer(intercepted: Intercepted): Promise<Response | undefined>
}

/** Reads the options of handlers, and attaches MSW to the mock. */
export function createResolver(understudy: Understudy, options: HandlerOptions, caller: string): Resolver {
  requireUnderstudy(understudy, caller)
  checkOptions(caller, options, checks)
  const { origin, prefix } = readBaseUrl(options.baseUrl ?? '')
  const isPassing = options.unknown === 'pass'
  if (options.world !== undefined) understudy.world(options.world)
  const waits = understudy.attach({
    name: 'Mock Service Worker',
    refuses: {
      reset: 'it cannot reset a connection; truncate cuts the body, drop closes without an answer',
    },
  })
  return {
    pattern: new RegExp(`^${origin}${escapeRegExp(prefix)}/api(?:/.*)?$`),
    async answer({ request, cookies }) {
      const incoming = await fromFetch(request, cookies).catch(() => undefined)
      // The client stopped sending, so nobody reads the reply.
      if (incoming === undefined) return HttpResponse.error()
      const url = prefix === '' ? incoming.url : withoutPrefix(incoming.url, prefix)
      const reply = await understudy.dispatch({
        ...incoming,
        url,
        world: options.world,
        isPassing,
      })
      if (reply === undefined || reply.isPassed) return undefined
      const parts = await deliver(reply, waits, request)
      return parts === undefined ? HttpResponse.error() : new HttpResponse(...parts)
    },
  }
}

const checks: OptionChecks<HandlerOptions> = {
  baseUrl: { expected: 'a URL or a path', accepts: (value) => typeof value === 'string' },
  world: { expected: 'the name of a world', accepts: (value) => typeof value === 'string' },
  unknown: { expected: 'answer or pass', accepts: (value) => value === 'answer' || value === 'pass' },
}
