import { messageOf } from '../shared/built-ins.ts'
import { ApiError } from '../shared/errors.ts'
import type { Flaw } from '../shared/issues.ts'
import { isProblemCode, problemStatus } from '../shared/problem-status.ts'
import { UnderstudyError, type UnderstudyErrorCode } from '../shared/understudy-error.ts'

/** The title of each status, and the code of problems that have no other. */
const statuses = {
  400: { title: 'Bad Request', code: 'ARGUMENT_INVALID' },
  401: { title: 'Unauthorized', code: 'UNAUTHORIZED' },
  403: { title: 'Forbidden', code: 'FORBIDDEN' },
  404: { title: 'Not Found', code: 'NOT_FOUND' },
  405: { title: 'Method Not Allowed', code: 'METHOD_NOT_ALLOWED' },
  409: { title: 'Conflict', code: 'CONFLICT' },
  413: { title: 'Content Too Large', code: 'CONTENT_TOO_LARGE' },
  415: { title: 'Unsupported Media Type', code: 'UNSUPPORTED_MEDIA_TYPE' },
  422: { title: 'Unprocessable Content', code: 'ARGUMENT_INVALID' },
  500: { title: 'Internal Server Error', code: undefined },
  503: { title: 'Service Unavailable', code: 'TOO_MANY_STREAMS' },
} as const satisfies Record<
  number,
  { readonly title: string; readonly code: UnderstudyErrorCode | undefined }
>

export type ProblemStatus = keyof typeof statuses

interface ProblemDetails {
  /** The code of the error that the same call throws in the same process. Default: that of the status. */
  readonly code?: UnderstudyErrorCode
  readonly errors?: readonly Flaw[]
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An error response of the admin API (RFC 9457).
 *
 * @example
 * throw new Problem(404, 'There is no snapshot named "before".')
 */
export class Problem extends Error {
  readonly status: ProblemStatus
  readonly code: UnderstudyErrorCode | undefined
  readonly errors: readonly Flaw[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: ProblemStatus,
    detail: string,
    { code, errors = [], headers = {} }: ProblemDetails = {},
  ) {
    super(detail)
    this.code = code ?? statuses[status].code
    this.name = 'Problem'
    this.status = status
    this.errors = errors
    this.headers = headers
  }

  toJSON(): object {
    return {
      type: 'about:blank',
      title: statuses[this.status].title,
      status: this.status,
      detail: this.message,
      ...(this.code && { code: this.code }),
      ...(this.errors.length > 0 && { errors: this.errors }),
    }
  }
}

/** Creates the problem of an input that does not fit its schema. Its detail names the first flaw. */
export function inputProblem(status: 400 | 422, what: string, errors: readonly Flaw[]): Problem {
  const [first] = errors
  const place =
    first === undefined ? '' : ` at ${first.path}: expected ${first.expected}; found ${first.found}`
  const others = errors.length > 1 ? ` There are ${errors.length - 1} more errors.` : ''
  const detail = `The ${what} cannot be accepted${place}.${others}`
  return new Problem(status, detail, { code: 'ARGUMENT_INVALID', errors })
}

/** Converts anything thrown into a problem; `root` is the path in the body of the rejected values. */
export function toProblem(error: unknown, root = '$'): Problem {
  if (error instanceof Problem) return error
  if (error instanceof ApiError) return new Problem(error.code, error.message)
  if (error instanceof UnderstudyError) {
    const { code, detail } = error
    // Errors of a fixture or a fault have a path from its root, errors of a record an attribute.
    const errors = error.flaws.map(({ path, ...flaw }) => ({
      path: path.startsWith('$') ? root + path.slice(1) : `${root}.${path}`,
      ...flaw,
    }))
    return new Problem(isProblemCode(code) ? problemStatus[code] : 500, detail, { code, errors })
  }
  return new Problem(500, `A defect of pipeline-understudy: ${messageOf(error)}`)
}
