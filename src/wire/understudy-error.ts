import type { Flaw } from './issues.ts'

/** What can be refused, and what to do then. */
const hints = {
  OPTION_INVALID: 'Correct the option that the message names; the types of the package say what it takes.',
  ARGUMENT_INVALID: 'Call it again with what the message expects.',
  FIXTURE_BROKEN: 'Correct the fixture where `flaws` say; `understudy fixture check FILE` checks a file.',
  RECORD_INVALID: 'Correct the attributes that `flaws` name.',
  FAULT_BROKEN: 'Correct the fault where `flaws` say.',
  SCENARIO_BROKEN: 'Correct the scenario where `flaws` say; `understudy scenario check FILE` checks a file.',
  NOT_FOUND: 'Use one of the names that there are, or make what is missing first.',
  NAME_TAKEN: 'Choose another name, or delete what has it.',
  CONFLICT: 'The present state does not allow it; the message says what to do instead.',
  NOT_READY: 'Wait for `ready` before anything but requests.',
  STATE_BROKEN: 'Start with the fixture; what was kept is set aside.',
  STATE_REFUSED: 'Choose another place for the state; the message says why.',
  STATE_IN_USE: 'End what uses it, or choose another place for the state.',
  RUN_ENDED: 'Script, advance and finish runs while they are initial or running.',
  REPLY_INVALID: 'A defect of pipeline-understudy, or of the resource that was added to it: report it.',
  // Those of a server and of a client stand with them: a page that mocks loads these.
  PORT_IN_USE: '',
  PORT_FORBIDDEN: '',
  HOST_UNKNOWN: '',
  LISTEN_FAILED: '',
  UNREACHABLE: '',
  NOT_AN_ADMIN: '',
  REFUSED: '',
} as const satisfies Record<string, string>

/** Why an understudy refuses: the same in every release, where messages may be worded better. */
export type UnderstudyErrorCode = keyof typeof hints

/**
 * What an understudy refuses: every error that it throws on purpose is one.
 *
 * @example
 * try {
 *   understudy.restore('before')
 * } catch (error) {
 *   if (error instanceof UnderstudyError && error.code === 'NOT_FOUND') understudy.snapshot('before')
 * }
 */
export class UnderstudyError extends Error {
  readonly code: UnderstudyErrorCode
  /** The message without the mark that says whose it is. */
  readonly detail: string
  /** What is wrong with values that were given, where in them, and what was expected. */
  readonly flaws: readonly Flaw[]

  constructor(
    code: UnderstudyErrorCode,
    detail: string,
    { flaws = [], cause }: { readonly flaws?: readonly Flaw[]; readonly cause?: unknown } = {},
  ) {
    super(`[understudy] ${detail}`, cause === undefined ? {} : { cause })
    this.name = 'UnderstudyError'
    this.code = code
    this.detail = detail
    this.flaws = flaws
  }

  /** What to do. */
  get hint(): string {
    return hints[this.code]
  }
}

/** Tells whether a text is a code that this release knows. */
export function isErrorCode(code: unknown): code is UnderstudyErrorCode {
  return typeof code === 'string' && Object.hasOwn(hints, code)
}
