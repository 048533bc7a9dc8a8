import { isObject } from './is-object.ts'

/** A form of a request that the specification or HTTP allows: it must not change the reply. */
export interface RequestVariant {
  readonly name: string
  /** The two variants that this one combines. */
  readonly parts?: readonly [RequestVariant, RequestVariant]
  readonly keyIn?: KeyPlace
  readonly tokenIn?: 'header' | 'cookie'
  /** The cookies before and after the token. */
  readonly cookies?: readonly [before: string, after: string]
  /** True if the key is before the other members of the query or body. */
  readonly isKeyFirst?: boolean
  /** True to percent-encode letters of the path and query, and to escape characters beyond ASCII in the body. */
  readonly isEncoded?: boolean
  /** Further headers, which HTTP lets a client send with any request of this kind. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Headers that must not change the reply to a request without a body. */
const formsWithoutBody: readonly RequestVariant[] = [
  { name: 'a list of accepted media types', headers: { Accept: 'text/html;q=0.1, application/json' } },
  {
    name: 'a range of accepted media types, and a language',
    headers: { Accept: 'application/*', 'Accept-Language': 'de' },
  },
  { name: 'an entity tag that no reply has', headers: { 'If-None-Match': '"no-such-tag"' } },
  // A recipient ignores a unit that it does not know (RFC 9110, 14.2).
  { name: 'a range of an unknown unit', headers: { Range: 'records=0-0' } },
  { name: 'a date before everything', headers: { 'If-Modified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' } },
]

/** Headers that must not change a reply, by the kind of the request. */
export const requestForms: Readonly<Record<'reads' | 'deletions' | 'writes', readonly RequestVariant[]>> = {
  // Some frameworks read the media type of a deletion, and refuse it for its missing body.
  reads: [
    {
      name: 'no compression, and a media type without a body',
      headers: { 'Accept-Encoding': 'identity', 'Content-Type': 'application/json' },
    },
    ...formsWithoutBody,
  ],
  deletions: formsWithoutBody,
  writes: [
    { name: 'a charset in the media type', headers: { 'Content-Type': 'application/json; charset=utf-8' } },
    { name: 'a list of accepted media types', headers: { Accept: 'text/html;q=0.1, application/json' } },
    {
      name: 'a charset in capitals, a range of accepted media types, and a language',
      headers: {
        'Content-Type': 'application/json;charset=UTF-8',
        Accept: 'application/*',
        'Accept-Language': 'de',
      },
    },
    { name: 'a body in chunks', headers: { 'Transfer-Encoding': 'chunked' } },
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

/** The place of the API key in a request. */
export type KeyPlace = 'header' | 'query' | 'body'

/** The forms of requests, used in rotation. A request skips forms that do not apply to it. */
export const requestVariants: readonly RequestVariant[] = [
  { name: 'the key in the query', keyIn: 'query' },
  { name: 'the raw token in the cookie', tokenIn: 'cookie' },
  { name: 'the key in the body', keyIn: 'body' },
  { name: 'letters of the path and query percent-encoded', isEncoded: true },
  {
    name: 'the raw token in the second of three cookies',
    tokenIn: 'cookie',
    cookies: ['theme=dark; ', '; more=1'],
  },
  {
    name: 'the key first in the query and the raw token in the cookie',
    keyIn: 'query',
    isKeyFirst: true,
    tokenIn: 'cookie',
  },
  {
    name: 'the key first in the body and the raw token in the cookie',
    keyIn: 'body',
    isKeyFirst: true,
    tokenIn: 'cookie',
  },
  {
    name: 'the raw token in the last of three cookies',
    tokenIn: 'cookie',
    cookies: ['theme=dark; lang=en; ', ''],
  },
]

/**
 * Percent-encodes the letters and the last digit of each uuid, id and token, in lower case. The address stays the same
 * (RFC 3986, 2.1 and 2.3). Encodes the parameters of the query too, and reverses their order.
 *
 * @example
 * encodedPath('/api/backfills?pipeline_uuid=b_7&_limit=1') // '/api/backfills?%5flimit=%31&pipeline%5fuuid=%62_%37'
 */
export function encodedPath(path: string): string {
  const [address = '', query] = path.split('?')
  const encoded = address.replaceAll(
    /(\/(?:pipelines|blocks|backfills|pipeline_schedules|pipeline_runs)\/)([^/]+)/g,
    (_, before: string, name: string) => before + encodedText(name),
  )
  return query === undefined
    ? encoded
    : `${encoded}?${query.split('&').toReversed().map(encodedParameter).join('&')}`
}

function encodedParameter(parameter: string): string {
  const [name = '', value = ''] = parameter.split('=')
  // Reports redact a key only in its plain form.
  return name === 'api_key' ? parameter : `${name.replaceAll(/[_[\]]/g, codeOf)}=${encodedText(value)}`
}

function encodedText(text: string): string {
  const inLowerCase = text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  return inLowerCase.replaceAll(/(?<!%.?)(?:[a-z]|[A-Z0-9]$)/g, codeOf)
}

function codeOf(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`
}

/** Creates JSON text that escapes characters beyond ASCII. */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns whether a variant would change a request. */
export function fitsRequest(
  { keyIn, tokenIn, isEncoded }: RequestVariant,
  { path, body }: { readonly path: string; readonly body: unknown },
  known: { readonly apiKey?: string | undefined; readonly raw?: string | undefined },
): boolean {
  if (keyIn !== undefined && known.apiKey === undefined) return false
  // The body of a trigger may have any content: a key in it would be one of its variables.
  if (keyIn === 'body' && (!isObject(body) || path.includes('/pipeline_runs/'))) return false
  if (tokenIn === 'cookie' && known.raw === undefined) return false
  return !isEncoded || encodedPath(path) !== path
}
