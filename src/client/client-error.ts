import type { Flaw } from '../wire/issues.ts'

/**
 * Thrown where the server refuses, or is not there; the message says what and the way out.
 *
 * @example
 * await client.restore('before').catch((error) => error.status) // 404
 */
export class ClientError extends Error {
  /** The HTTP status; `undefined` where no admin API answered. */
  readonly status: number | undefined
  /** What is wrong with the values that were sent, where in them, and what was expected. */
  readonly errors: readonly Flaw[]

  constructor(message: string, status?: number, errors: readonly Flaw[] = [], cause?: unknown) {
    super(`[understudy] ${message}`, cause === undefined ? {} : { cause })
    this.name = 'ClientError'
    this.status = status
    this.errors = errors
  }
}
