import type { Flaw } from '../wire/issues.ts'
import { UnderstudyError, type UnderstudyErrorCode } from '../wire/understudy-error.ts'

/**
 * Thrown where the server refuses, or is not there; the message says what and the way out. Its code is that of the
 * error which the same call throws in the same process.
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

  /** The same as `flaws`. */
  get errors(): readonly Flaw[] {
    return this.flaws
  }
}
