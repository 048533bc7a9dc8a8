import { UnderstudyError } from '../../shared/understudy-error.ts'

type StorageErrorCode = 'STATE_BROKEN' | 'STATE_REFUSED' | 'STATE_IN_USE'

/** What to do: a page that keeps no state loads none of it. */
const hints: Readonly<Record<StorageErrorCode, string>> = {
  STATE_BROKEN: 'Start with the fixture; what was kept is set aside.',
  STATE_REFUSED: 'Choose another place for the state; the message says why.',
  STATE_IN_USE: 'End what uses it, or choose another place for the state.',
}

/**
 * Thrown where a state cannot be taken up or kept; the message says the way out.
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
