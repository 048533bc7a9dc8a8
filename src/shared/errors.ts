import { hidden } from './hidden.ts'
import { hideNamed } from './hide-in-text.ts'
import { hideSecrets, isSecretName } from './secret-names.ts'

/**
 * Error types of this API with their codes (spec, "Errors"). The specification names only `record_not_found`;
 * the others are assumptions (`src/assumptions/`).
 */
export const errorCodes = {
  /** Invalid body, field or parameter; the message names it. */
  record_invalid: 400,
  /** No API key, or an unknown one. */
  invalid_api_key: 401,
  /** An unknown OAuth token. */
  invalid_oauth_token: 401,
  /** An OAuth token that has expired. */
  expired_oauth_token: 401,
  /** Missing OAuth token. */
  unauthorized_access: 403,
  /** No such record, parent or path; also a failed sign-in. */
  record_not_found: 404,
  /** A known path with another method. */
  method_not_allowed: 405,
  /** A body over 10 MB, or a reply over 16 MB. */
  payload_too_large: 413,
} as const satisfies Record<string, number>

/** The name of an error type, as `error.type` spells it. */
export type ErrorType = keyof typeof errorCodes

/**
 * An error the API reports inside the body (spec, "Errors").
 *
 * @example
 * throw new ApiError('record_not_found', 'No backfill has the id 7.')
 */
export class ApiError extends Error {
  readonly code: (typeof errorCodes)[ErrorType]
  readonly type: ErrorType
  /** The missing record, if the error is about one. */
  readonly missing: { readonly singular: string; readonly value: string } | undefined

  constructor(type: ErrorType, message: string, missing?: { singular: string; value: string }) {
    // An API error is a reply, not a defect. Recording its stack would take most of its time.
    const { stackTraceLimit } = Error
    Reflect.set(Error, 'stackTraceLimit', 0)
    super(message)
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
    this.name = 'ApiError'
    this.type = type
    this.code = errorCodes[type]
    this.missing = missing
  }
}

export function recordNotFound(singular: string, attribute: string, value: string): ApiError {
  const message = `No ${singular} has the ${attribute} ${isSecretName(attribute) ? hidden : quote(value)}.`
  return new ApiError('record_not_found', message, { singular, value })
}

export function recordInvalid(message: string): ApiError {
  return new ApiError('record_invalid', message)
}

/** Quotes a value for a message, without credentials, and shortened so that no message grows with its input. */
export function quote(value: unknown): string {
  const whole =
    typeof value === 'bigint' ? String(value) : (JSON.stringify(value, hideSecrets) ?? String(value))
  const text = hideNamed(whole.slice(0, 200))
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
