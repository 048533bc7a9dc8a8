import { UnderstudyError } from '../shared/understudy-error.ts'
import { decodeBody } from './body.ts'
import type { UnderstudyRequest } from './messages.ts'

/** A request as people write it; an adapter writes an `UnderstudyRequest`, which is one. */
export interface RequestInput extends Omit<UnderstudyRequest, 'headers' | 'body' | 'isNormalized'> {
  readonly isNormalized?: never
  /** By name, in whatever letter case; or a `Headers`. */
  readonly headers?:
    | UnderstudyRequest['headers']
    | Iterable<readonly [name: string, value: string]>
    | undefined
  /** Text or bytes of the body; an object becomes JSON. */
  readonly body?: UnderstudyRequest['body'] | Uint8Array | object | undefined
}

type PlainHeaders = NonNullable<UnderstudyRequest['headers']>

/**
 * Returns a request in normal form: method in capitals, header names in lower case, body as text.
 *
 * @throws UnderstudyError where a part of it cannot be that of a request.
 */
export function normalizeRequest(request: RequestInput | UnderstudyRequest): UnderstudyRequest {
  const { method, url, headers, body } = request ?? {}
  if (typeof method !== 'string' || method === '') refuse('method', 'a text such as GET', method)
  if (typeof url !== 'string' || !/^\/|:\/\//.test(url))
    refuse('url', 'a path such as /api/pipelines, or a whole URL', url)
  return { ...request, method: method.toUpperCase(), headers: lowerNames(headers), body: write(body) }
}

function lowerNames(headers: RequestInput['headers'] = {}): PlainHeaders {
  if (headers === null || typeof headers !== 'object') return refuse('headers', 'an object of texts', headers)
  const pairs: Iterable<readonly [string, PlainHeaders[string]]> =
    // `in` does not narrow the type.
    Symbol.iterator in headers
      ? (headers as Iterable<readonly [string, string]>)
      : Object.entries(headers as PlainHeaders)
  return Object.fromEntries(Array.from(pairs, ([name, value]) => [name.toLowerCase(), value]))
}

function write(body: unknown): UnderstudyRequest['body'] {
  if (typeof body === 'string' || body === undefined || typeof body === 'symbol') return body
  if (ArrayBuffer.isView(body)) {
    return decodeBody(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  }
  const isPlain =
    typeof body === 'object' &&
    !/\[object (?:FormData|Blob|File|ReadableStream|ArrayBuffer|URLSearchParams|Promise)\]/.test(
      Object.prototype.toString.call(body),
    )
  if (isPlain) return JSON.stringify(body)
  return refuse('body', 'a text, bytes, or an object to be written as JSON', body)
}

function refuse(part: string, expected: string, found: unknown): never {
  const shown = typeof found === 'object' ? Object.prototype.toString.call(found) : String(found)
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `A request: expected its ${part} to be ${expected}; found ${shown}.`,
  )
}
