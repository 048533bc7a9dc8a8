import { messageOf } from '../shared/built-ins.ts'
import { ApiError } from '../shared/errors.ts'
import type { Flaw } from '../shared/issues.ts'
import { isProblemCode, problemStatus } from '../shared/problem-status.ts'
import { UnderstudyError, type UnderstudyErrorCode } from '../shared/understudy-error.ts'

const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
} as const

export type ProblemStatus = keyof typeof titles

interface ProblemDetails {
  /** The code of the error that the same call throws in the same process. Default for 404: `NOT_FOUND`. */
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
    this.code = code ?? (status === 404 ? 'NOT_FOUND' : undefined)
    this.name = 'Problem'
    this.status = status
    this.errors = errors
    this.headers = headers
  }

  toJSON(): object {
    return {
      type: 'about:blank',
      title: titles[this.status],
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
