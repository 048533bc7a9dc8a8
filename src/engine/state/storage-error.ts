import { UnderstudyError } from '../../shared/understudy-error.ts'

type StorageErrorCode = 'STATE_REFUSED' | 'STATE_IN_USE'

/** These hints are here, and not in the table of `UnderstudyError`, because pages without a storage do not load them. */
const hints: Readonly<Record<StorageErrorCode, string>> = {
  STATE_REFUSED: 'Choose another place for the state. The message has the reason.',
  STATE_IN_USE: 'Stop what uses it, or choose another place for the state.',
}

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

  override get hint(): string {
    return hints[this.code] ?? super.hint
  }
}
