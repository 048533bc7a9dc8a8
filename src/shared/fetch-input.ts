import { isRequest } from './built-ins.ts'
import { isNested } from './is-object.ts'
import { UnderstudyError } from './understudy-error.ts'

/**
 * Makes the request that a `fetch` of ours is asked for: a path is one of the server's, and what was addressed to
 * another origin goes to the server, too.
 *
 * @param server an origin, with what stands before its paths.
 * @throws UnderstudyError where it is asked for something else.
 */
export async function toRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  server: string,
): Promise<Request> {
  if (!isRequest(input)) return new Request(addressAt(server, hrefOf(input)), init)
  const { method, headers, signal } = input
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const asked: RequestInit = {
    method,
    headers: Object.fromEntries(headers),
    signal,
    ...(hasBody && init?.body === undefined && { body: await input.arrayBuffer() }),
  }
  return new Request(addressAt(server, input.url), { ...asked, ...init })
}

/** The text of a URL, of whichever realm or polyfill. */
function hrefOf(input: unknown): string {
  if (typeof input === 'string') return input
  const isObject = isNested(input)
  if (isObject && typeof input.href === 'string') return input.href
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `A fetch: expected a path such as /api/pipelines, a URL or a Request; found ${isObject ? 'an object' : String(input)}.`,
  )
}

function addressAt(server: string, input: string): string {
  const { href, pathname, search } = new URL(input, `${server}/`)
  return href.startsWith(`${server}/`) ? href : `${server}${pathname}${search}`
}
