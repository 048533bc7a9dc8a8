import type { Flaw } from '../../shared/issues.ts'
import { UnderstudyError, type UnderstudyErrorCode } from '../../shared/understudy-error.ts'

/**
 * Thrown if the server rejects the call or does not answer. It has the `code` of the error that the same
 * call throws in one process with the mock.
 *
 * @example
 * await client.restore('before').catch((error) => error.code) // 'NOT_FOUND'
 */
export class ClientError extends UnderstudyError {
  /** The HTTP status; `undefined` where no admin API answered. */
  readonly status: number | undefined

  constructor(
    code: UnderstudyErrorCode,
    detail: string,
    status?: number,
    more: { readonly flaws?: readonly Flaw[]; readonly cause?: unknown } = {},
  ) {
    super(code, detail, more)
    this.name = 'ClientError'
    this.status = status
  }
}
