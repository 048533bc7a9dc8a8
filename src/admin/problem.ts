import { FaultError } from '../engine/faults/fault.ts'
import { FixtureError } from '../factories/fixture.ts'
import { ApiError } from '../wire/errors.ts'
import type { Flaw } from '../wire/issues.ts'
import { RecordError } from '../wire/record-error.ts'

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

/**
 * What the admin API answers instead of a reply, as RFC 9457 has it.
 *
 * @example
 * throw new Problem(404, 'There is no snapshot named "before".')
 */
export class Problem extends Error {
  readonly status: ProblemStatus
  readonly errors: readonly Flaw[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: ProblemStatus,
    detail: string,
    {
      errors = [],
      headers = {},
    }: { errors?: readonly Flaw[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail)
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
      ...(this.errors.length > 0 && { errors: this.errors }),
    }
  }
}

const ownMark = '[understudy] '

/** Makes a problem of anything thrown; `root` is where in the body the values that were refused stand. */
export function toProblem(error: unknown, root = '$'): Problem {
  if (error instanceof Problem) return error
  if (error instanceof ApiError) return new Problem(error.code as ProblemStatus, error.message)
  const message = error instanceof Error ? error.message : String(error)
  const detail = message.startsWith(ownMark) ? message.slice(ownMark.length) : message
  if (error instanceof RecordError) {
    return new Problem(422, detail, {
      errors: error.flaws.map((flaw) => ({ ...flaw, path: `${root}.${flaw.path}` })),
    })
  }
  if (error instanceof FixtureError || error instanceof FaultError) {
    return new Problem(422, detail, {
      errors: [{ ...error.flaw, path: error.flaw.path.replace('$', () => root) }],
    })
  }
  // What the understudy says itself is about the request; everything else is a defect of ours.
  if (message.startsWith(ownMark)) return new Problem(422, detail)
  return new Problem(500, `A defect of pipeline-understudy: ${message}`)
}

/** Does what can fail for one reason only; says so in the understudy's own words. */
export function orProblem<Result>(status: ProblemStatus, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    const { message } = error as Error
    throw message.startsWith(ownMark) ? new Problem(status, message.slice(ownMark.length)) : error
  }
}
