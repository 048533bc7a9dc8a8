import type { Flaw } from '../../shared/issues.ts'
import { UnderstudyError, type UnderstudyErrorCode } from '../../shared/understudy-error.ts'

/** Solutions if the server is missing or is another service. */
const hints: Partial<Record<UnderstudyErrorCode, string>> = {
  UNREACHABLE: 'Start `pipeline-understudy serve`, or correct the URL.',
  NOT_AN_ADMIN: 'Serve with the admin API: `pipeline-understudy serve` without --no-admin.',
  REFUSED: 'The message and `flaws` list what the server rejects.',
}

/**
 * Thrown if the server rejects the call or cannot be reached. Its `code` is that of the error that the same
 * call throws in the same process.
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

  override get hint(): string {
    return hints[this.code] ?? super.hint
  }
}
