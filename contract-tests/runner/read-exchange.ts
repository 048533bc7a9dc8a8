import { tryParseJson } from '../../src/shared/json.ts'
import { isObject } from './is-object.ts'
import type { Secrets } from './redact.ts'
import { curlCommand } from './shell.ts'
import type { Incoming, Outgoing } from './transports/transport.ts'

/** A request and its reply. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly requestBody: unknown
  readonly httpStatus: number
  readonly contentType: string
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly body: unknown
  /** The logical status: `error.code` of the body, or 200. */
  readonly code: number
  readonly error: Readonly<Record<string, unknown>> | undefined
  /** Time of the reply by the target's clock, if a header contains it. */
  readonly date: Date | undefined
  /** The address that a redirect names. */
  readonly location: string | undefined
  /** The headers with credentials. */
  readonly credentials: Readonly<Record<string, string>>
  /** A curl command for the same request; keys and tokens are variables of the environment. */
  readonly curl: string
}

/** Makes an exchange of a request and its reply. */
export function toExchange(
  { method, path, headers }: Outgoing,
  requestBody: unknown,
  { status, contentType, text, date, location }: Incoming,
  base: string,
  secrets: Secrets,
): Exchange {
  const body = tryParseJson(text)
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  secrets.learn(body)
  return {
    method,
    path,
    requestBody,
    httpStatus: status,
    contentType,
    text,
    body,
    code: error ? Number(error.code) : 200,
    error,
    date: date === undefined || Number.isNaN(Date.parse(date)) ? undefined : new Date(date),
    credentials: headers,
    location,
    // Only a finding needs it, and few exchanges become one.
    get curl() {
      return curlCommand(base, { method, path, credentials: headers, requestBody }, secrets)
    },
  }
}

/** Thrown for an id that is too large for a number of JavaScript. */
export class Rounded extends Error {
  constructor(name: string) {
    super(
      `${name} is beyond ${Number.MAX_SAFE_INTEGER}, where JavaScript rounds numbers: different records would have the same id`,
    )
  }
}

/** Returns the name of a rounded id in a reply. It ignores values that clients have written. */
export function roundedId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object') {
      const found = name.endsWith('variables') ? undefined : roundedId(inner)
      if (found !== undefined) return found
    } else if (
      typeof inner === 'number' &&
      Math.abs(inner) > Number.MAX_SAFE_INTEGER &&
      /^id$|_id$/.test(name)
    )
      return name
  }
  return undefined
}
