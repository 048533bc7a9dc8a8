import { isObject } from './is-object.ts'

/** How a request is written, where the specification or HTTP leaves a client several ways: none may change the reply. */
export interface RequestVariant {
  readonly name: string
  /** The two variants that this one combines. */
  readonly parts?: readonly [RequestVariant, RequestVariant]
  readonly keyIn?: KeyPlace
  readonly tokenIn?: 'header' | 'cookie'
  /** What stands in the same header of cookies before the token. */
  readonly cookieBefore?: string
  /** Writes letters of the path by their codes, and what is beyond ASCII in the body by escapes. */
  readonly isSpelled?: boolean
  /** Further headers, which HTTP lets a client send with any request of this kind. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Headers that must not change a reply, for requests without and with a body. */
export const requestForms: Readonly<Record<'reads' | 'writes', readonly RequestVariant[]>> = {
  reads: [
    { name: 'a list of accepted media types', headers: { Accept: 'text/html;q=0.1, application/json' } },
    { name: 'an entity tag that no reply has', headers: { 'If-None-Match': '"no-such-tag"' } },
    // A recipient ignores a unit that it does not know (RFC 9110, 14.2).
    { name: 'a range of an unknown unit', headers: { Range: 'records=0-0' } },
    { name: 'a date before everything', headers: { 'If-Modified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' } },
  ],
  writes: [
    { name: 'a charset in the media type', headers: { 'Content-Type': 'application/json; charset=utf-8' } },
    { name: 'a list of accepted media types', headers: { Accept: 'text/html;q=0.1, application/json' } },
  ],
}

/** Combines two ways to write a request. */
export function combined(
  variant: RequestVariant | undefined,
  form: RequestVariant | undefined,
): RequestVariant | undefined {
  if (variant === undefined || form === undefined) return variant ?? form
  return { ...variant, ...form, name: `${variant.name}, and ${form.name}`, parts: [variant, form] }
}

/** Where an API key stands. */
export type KeyPlace = 'header' | 'query' | 'body'

/** The ways in which requests are written by turns; those that a request has no place for are left out. */
export const requestVariants: readonly RequestVariant[] = [
  { name: 'the key in the query', keyIn: 'query' },
  { name: 'the raw token in the cookie', tokenIn: 'cookie' },
  { name: 'the key in the body', keyIn: 'body' },
  { name: 'letters of uuids, ids and tokens written by their codes', isSpelled: true },
  { name: 'the raw token in the second of three cookies', tokenIn: 'cookie', cookieBefore: 'theme=dark; ' },
  { name: 'the key in the query and the raw token in the cookie', keyIn: 'query', tokenIn: 'cookie' },
  { name: 'the key in the body and the raw token in the cookie', keyIn: 'body', tokenIn: 'cookie' },
]

/**
 * Writes the letters of each uuid, id and token by their codes in lower case, and so its last digit (RFC 3986, 2.1 and 2.3:
 * it stays the same address).
 *
 * @example
 * spelledPath('/api/backfills?pipeline_uuid=b_7') // '/api/backfills?pipeline_uuid=%62_%37'
 */
export function spelledPath(path: string): string {
  return path.replaceAll(
    /(\/(?:pipelines|blocks|backfills|pipeline_schedules|pipeline_runs)\/|[?&]pipeline_uuid=)([^/?&]+)/g,
    (_, before: string, name: string) =>
      before +
      name.replaceAll(/(?<!%.?)(?:[a-z]|[A-Z0-9]$)/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  )
}

/** JSON text with what is beyond ASCII written by escapes. */
export function spelledJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns whether a variant would change a request at all. */
export function fitsRequest(
  { keyIn, tokenIn, isSpelled }: RequestVariant,
  { path, body }: { readonly path: string; readonly body: unknown },
  known: { readonly apiKey?: string | undefined; readonly raw?: string | undefined },
): boolean {
  if (keyIn !== undefined && known.apiKey === undefined) return false
  // The body of a trigger is free: a key in it would be one of its variables.
  if (keyIn === 'body' && (!isObject(body) || path.includes('/pipeline_runs/'))) return false
  if (tokenIn === 'cookie' && known.raw === undefined) return false
  return !isSpelled || spelledPath(path) !== path
}
