import { quote } from './errors.ts'
import { escapeRegExp } from './glob.ts'
import { withoutTrailingSlashes } from './trailing-slashes.ts'
import { UnderstudyError } from './understudy-error.ts'

const anyOrigin = '[a-z][a-z0-9+.-]*://[^/]+'

/** Reads what stands before `/api` in URLs: an origin, as the source of a pattern, and a path. */
export function readBaseUrl(baseUrl: string): { origin: string; prefix: string } {
  const trimmed = withoutTrailingSlashes(baseUrl)
  if (trimmed.endsWith('/api')) {
    throw new UnderstudyError(
      'OPTION_INVALID',
      `baseUrl: expected what stands before /api, which every path of the API begins with; found ${quote(baseUrl)}. Leave /api away: ${quote(trimmed.slice(0, -'/api'.length))}.`,
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

/** The path and query of a URL, as the API knows them. */
export function withoutPrefix(url: string, prefix: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return url.slice(start + prefix.length)
}
