/* Patterns and types of the messages of HTTP and of the API. */

/**
 * Returns the method of the route that answers a request: GET for HEAD, without the body (RFC 9110, section
 * 9.3.2).
 */
export function routedMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

/** Returns the methods that the route of a method answers. */
export function answeredMethods(method: string): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

/** Returns whether requests of a method only read, and have no body. */
export function isReadMethod(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function hasReplyBody(method: string | undefined): boolean {
  return method !== 'HEAD'
}

/** Splits a request's URL into its path and its query text, without scheme, host and fragment. */
export function splitUrl(url: string): { readonly path: string; readonly search: string } {
  let start = 0
  if (!url.startsWith('/')) {
    const scheme = url.indexOf('://')
    const slash = scheme === -1 ? -1 : url.indexOf('/', scheme + 3)
    if (slash === -1) return { path: '/', search: '' }
    start = slash
  }
  const hash = url.indexOf('#', start)
  const end = hash === -1 ? url.length : hash
  const mark = url.indexOf('?', start)
  if (mark === -1 || mark >= end) return { path: url.slice(start, end), search: '' }
  return { path: url.slice(start, mark), search: url.slice(mark + 1, end) }
}

/** Reads parameters by name. A repeated parameter has a list of values. */
export function readParameters(search: URLSearchParams): Record<string, string | string[]> {
  const found = new Map<string, string | string[]>()
  for (const [name, value] of search) {
    const before = found.get(name)
    if (before === undefined) found.set(name, value)
    else if (typeof before === 'string') found.set(name, [before, value])
    else before.push(value)
  }
  return Object.fromEntries(found)
}

/** Reports whether a reply with an HTTP status has no body (RFC 9110). */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

/** The `metadata` object beside a list (spec, "List metadata"). */
export interface ListMetadata {
  readonly count: number
  readonly next: boolean
}

/** Returns the body of a reply with one record: `{ "<singular>": record }` (spec, conventions, rule 3). */
export function recordEnvelope(singular: string, record: string, hasNullMetadata = false): string {
  return hasNullMetadata ? `{"${singular}":${record},"metadata":null}` : `{"${singular}":${record}}`
}

/** Returns the body of a reply with a list: `{ "<plural>": [...], "metadata": {...} }` (conventions, rule 3). */
export function listEnvelope(
  plural: string,
  records: readonly string[],
  metadata: ListMetadata | null,
): string {
  return `{"${plural}":[${records.join(',')}${listEnd(metadata)}`
}

function listEnd(metadata: ListMetadata | null): string {
  const text = metadata === null ? '{}' : `{"count":${metadata.count},"next":${metadata.next}}`
  return `],"metadata":${text}}`
}

/** The members of `error` (spec, "Errors", rule 2). */
export interface ErrorMembers {
  readonly code: number
  readonly message: string
  readonly type: string
}

/** Returns the body of an error reply, whose own `status` is always 200 (spec, "Errors", rules 1 and 2). */
export function errorEnvelope({ code, message, type }: ErrorMembers): string {
  return JSON.stringify({ error: { code, message, type }, status: 200 })
}
