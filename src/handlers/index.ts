import { HttpResponse, http, type RequestHandler } from 'msw'
import type { Understudy } from '../engine/create-understudy.ts'
import { deliver, fromFetch } from '../engine/fetch.ts'
import { escapeRegExp, pathSource } from '../wire/glob.ts'
import { UnderstudyError } from '../wire/understudy-error.ts'

export interface HandlerOptions {
  /** What stands before `/api`: an origin, a path, or both. Default: any origin, no path. */
  readonly baseUrl?: string
  /** One handler for all (default), or one per operation and one for the rest, to see or override single ones. */
  readonly per?: 'api' | 'operation'
  /** The world of requests that name none, such as one per story. Default `main`. */
  readonly world?: string
}

/**
 * Creates Mock Service Worker handlers that answer from an understudy, for `setupServer` and `setupWorker`.
 *
 * Requests outside `/api` are left to other handlers.
 *
 * @throws FaultError where the understudy has a fault that cannot be expressed here: `reset`.
 * @throws where `baseUrl` is neither a URL nor a path that starts with `/`.
 * @example
 * const server = setupServer(...createHandlers(createUnderstudy()))
 */
export function createHandlers(understudy: Understudy, options: HandlerOptions = {}): RequestHandler[] {
  const { origin, prefix } = readBaseUrl(options.baseUrl ?? '')
  if (options.world !== undefined) understudy.world(options.world)
  const waits = understudy.attach({
    name: 'Mock Service Worker',
    refuses: {
      reset: 'it hands on whole connections; truncate cuts the body, drop closes without an answer',
    },
  })
  const resolver = async ({ request, cookies }: { request: Request; cookies: Record<string, string> }) => {
    const incoming = await fromFetch(request, cookies)
    const url = prefix === '' ? incoming.url : withoutPrefix(incoming.url, prefix)
    const reply = await understudy.dispatch({ ...incoming, url, world: options.world, inSlices: true })
    if (reply === undefined) return undefined
    const parts = await deliver(reply, waits, request.signal)
    return parts === undefined ? HttpResponse.error() : new HttpResponse(...parts)
  }
  const handlers =
    options.per === 'operation'
      ? understudy.endpoints.map(({ route }) => {
          const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
          return http[method](
            new RegExp(`^${origin}${escapeRegExp(prefix)}${pathSource(route.path)}$`),
            resolver,
          )
        })
      : []
  return [...handlers, http.all(new RegExp(`^${origin}${escapeRegExp(prefix)}/api(?:/.*)?$`), resolver)]
}

const anyOrigin = '[a-z][a-z0-9+.-]*://[^/]+'

function readBaseUrl(baseUrl: string): { origin: string; prefix: string } {
  const trimmed = baseUrl.replace(/\/+$/, '')
  if (trimmed === '' || trimmed.startsWith('/')) return { origin: anyOrigin, prefix: trimmed }
  if (!URL.canParse(trimmed)) {
    throw new UnderstudyError(
      'OPTION_INVALID',
      `baseUrl: expected a URL such as https://api.example.com or a path such as /backend; found ${JSON.stringify(baseUrl)}.`,
    )
  }
  const url = new URL(trimmed)
  return { origin: escapeRegExp(url.origin), prefix: url.pathname.replace(/\/+$/, '') }
}

function withoutPrefix(url: string, prefix: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return url.slice(start + prefix.length)
}
