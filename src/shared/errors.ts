import { hidden } from './hidden.ts'
import { hideNamed } from './hide-in-text.ts'
import { hideSecrets, isSecretName } from './secret-names.ts'

/**
 * The error types this API answers with, each with its code (spec, "Errors").
 * Only `record_not_found` is named there; the others are assumptions (`src/assumptions/`).
 */
export const errorCodes = {
  /** The body, a field or a parameter cannot be accepted; the message names it. */
  record_invalid: 400,
  /** No API key, or an unknown one. */
  invalid_api_key: 401,
  /** An unknown OAuth token. */
  invalid_oauth_token: 401,
  /** An OAuth token that has expired. */
  expired_oauth_token: 401,
  /** No OAuth token where one is needed. */
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
  /** Which record is missing, where the error is about one. */
  readonly missing: { readonly singular: string; readonly value: string } | undefined

  constructor(type: ErrorType, message: string, missing?: { singular: string; value: string }) {
    // It is a reply, and no defect: to write down where it was made, which nobody reads, takes longer than all else of it.
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

/** Builds the error for a record that does not exist. */
export function recordNotFound(singular: string, attribute: string, value: string): ApiError {
  const message = `No ${singular} has the ${attribute} ${isSecretName(attribute) ? hidden : quote(value)}.`
  return new ApiError('record_not_found', message, { singular, value })
}

/** Builds the error for a body, parameter or field that cannot be accepted. */
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
