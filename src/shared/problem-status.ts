import type { UnderstudyErrorCode } from './understudy-error.ts'

/** The HTTP status of each error code of the admin API. */
export const problemStatus = {
  OPTION_INVALID: 422,
  ARGUMENT_INVALID: 422,
  FIXTURE_BROKEN: 422,
  RECORD_INVALID: 422,
  FAULT_BROKEN: 422,
  SCENARIO_BROKEN: 422,
  NOT_FOUND: 404,
  NAME_TAKEN: 409,
  CONFLICT: 409,
  NOT_READY: 422,
  RUN_ENDED: 422,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  METHOD_NOT_ALLOWED: 405,
  CONTENT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_STREAMS: 503,
} as const satisfies Partial<Record<UnderstudyErrorCode, number>>

/** Reports whether a text is a code of the admin API. */
export function isProblemCode(code: string | undefined): code is keyof typeof problemStatus {
  return code !== undefined && Object.hasOwn(problemStatus, code)
}
