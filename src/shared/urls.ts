import { isRequest } from './built-ins.ts'
import { quote } from './errors.ts'
import { escapeRegExp } from './glob.ts'
import { isReadMethod } from './http.ts'
import { UnderstudyError } from './understudy-error.ts'
import { isNested } from './values.ts'

/** Removes the slashes at the end of a URL. */
export function withoutTrailingSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}

/** Returns a text that should be a URL without its credentials: before the last `@`, and in the query. */
export function shownUrl(text: string): string {
  const [address = ''] = text.split(/[?#]/)
  const user = address.lastIndexOf('@')
  return user < 0 ? address : `${/^\w+:\/\//.exec(address)?.[0] ?? ''}${address.slice(user + 1)}`
}

/**
 * Refuses `/api` at the end of the URL of a server.
 *
 * @throws Error
 */
export function refuseApiPath(url: string): void {
  if (/\/api\/*$/.test(new URL(url).pathname)) {
    throw new Error(
      'Expected a base URL without /api, because every path of the API begins with it. Remove /api from the URL.',
    )
  }
}

/** Suggests the URL that a host and port probably mean; empty for other texts. */
export function suggestUrl(text: string): string {
  return /^[\w.-]+:\d+(?:\/|$)/.test(text) ? ` Did you mean http://${text}?` : ''
}

const anyOrigin = '[a-z][a-z0-9+.-]*://[^/]+'

/** Parses the base URL of the API: the source of a pattern for its origin, and its path before `/api`. */
export function readBaseUrl(baseUrl: string): { origin: string; prefix: string } {
  const trimmed = withoutTrailingSlashes(baseUrl)
  if (trimmed.endsWith('/api')) {
    throw new UnderstudyError(
      'OPTION_INVALID',
      `baseUrl: expected the address without /api; found ${quote(baseUrl)}. Remove /api: ${quote(trimmed.slice(0, -'/api'.length))}.`,
    )
  }
  if (trimmed === '' || trimmed.startsWith('/')) return { origin: anyOrigin, prefix: trimmed }
  // `localhost:3000` is a URL, too, whose scheme is `localhost`.
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) {
    const meant = /^[\w.-]+:\d+(?:\/|$)/.test(trimmed) ? `http://${trimmed}` : 'https://api.example.com'
    throw new UnderstudyError(
      'OPTION_INVALID',
      `baseUrl: expected a URL such as ${meant} or a path such as /backend; found ${quote(baseUrl)}.`,
    )
  }
  const url = new URL(trimmed)
  return { origin: escapeRegExp(url.origin), prefix: withoutTrailingSlashes(url.pathname) }
}

/** Returns the path and query of a URL, from `/api` on. */
export function withoutPrefix(url: string, prefix: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return url.slice(start + prefix.length)
}

/**
 * Creates the request for `fetch`. Paths, and URLs of other origins, go to the server.
 *
 * @param server origin, with the prefix of its paths.
 * @throws UnderstudyError if the input is not a path, URL or `Request`.
 */
export async function toRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  server: string,
): Promise<Request> {
  if (!isRequest(input)) return new Request(addressAt(server, hrefOf(input)), init)
  const { method, headers, signal } = input
  const hasBody = !isReadMethod(method)
  const copied: RequestInit = {
    method,
    headers: Object.fromEntries(headers),
    signal,
    ...(hasBody && init?.body === undefined && { body: await input.arrayBuffer() }),
  }
  return new Request(addressAt(server, input.url), { ...copied, ...init })
}

/** Returns the text of a URL of any realm or polyfill. */
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
