import { HttpResponse } from 'msw'
import type { Understudy } from '../engine/create-understudy.ts'
import { deliver, fromFetch } from '../engine/fetch.ts'
import { requireUnderstudy } from '../engine/require-understudy.ts'
import { quote } from '../shared/errors.ts'
import { escapeRegExp } from '../shared/glob.ts'
import { checkNames } from '../shared/known-names.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { readBaseUrl, withoutPrefix } from '../shared/urls.ts'
import { keysOf } from '../shared/values.ts'

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
  answer(asked: Intercepted): Promise<Response | undefined>
}

/** Reads the options of handlers, and attaches MSW to the mock. */
export function createResolver(understudy: Understudy, options: HandlerOptions, caller: string): Resolver {
  requireUnderstudy(understudy, caller)
  checkOptions(options, caller)
  const { origin, prefix } = readBaseUrl(options.baseUrl ?? '')
  const isPassing = options.unknown === 'pass'
  if (options.world !== undefined) understudy.world(options.world)
  const waits = understudy.attach({
    name: 'Mock Service Worker',
    refuses: {
      reset: 'it hands on whole connections; truncate cuts the body, drop closes unanswered',
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

const values: { readonly [Name in keyof HandlerOptions]-?: (value: unknown) => string | undefined } = {
  baseUrl: (value) => (typeof value === 'string' ? undefined : 'a URL or a path'),
  world: (value) => (typeof value === 'string' ? undefined : 'the name of a world'),
  unknown: (value) => (value === 'answer' || value === 'pass' ? undefined : 'answer or pass'),
}

function checkOptions(options: HandlerOptions, caller: string): void {
  checkNames(caller, options, values)
  for (const name of keysOf(options)) {
    const value = options[name]
    const expected = value === undefined ? undefined : values[name](value)
    if (expected === undefined) continue
    throw new UnderstudyError(
      'OPTION_INVALID',
      `${caller}: ${name}: expected ${expected}; found ${quote(value)}.`,
    )
  }
}
