import { UnderstudyError } from '../../shared/understudy-error.ts'

type StorageErrorCode = 'STATE_REFUSED' | 'STATE_IN_USE'

/**
 * Thrown if loading or saving a state fails; the message has the fix.
 *
 * @example
 * await expect(understudy.ready).rejects.toThrow(StorageError)
 */
export class StorageError extends UnderstudyError {
  declare readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, detail: string, cause?: unknown) {
    super(code, detail, { cause })
  }
}
