import { messageOf } from './built-ins.ts'
import type { Flaw } from './issues.ts'

/** Error codes with a hint for each. `npm run docs` writes their descriptions to the reference. */
const hints = {
  /** An option of a function, of the command or of a switch has a value that it does not take. */
  OPTION_INVALID: 'Correct the option that the message names. The types of the package list its values.',
  /** An argument of a method is invalid. */
  ARGUMENT_INVALID: 'Call it again with what the message expects.',
  /** A fixture is not as fixtures are, or contradicts itself. */
  FIXTURE_BROKEN:
    'Correct the places in `flaws`. To check a file, run `pipeline-understudy fixture check FILE`.',
  /** A record is to have attributes that its resource does not have, or values that they do not take. */
  RECORD_INVALID: 'Correct the attributes that `flaws` name.',
  /** A fault is invalid, or names an unknown operation or resource. */
  FAULT_BROKEN: 'Correct the places in `flaws`.',
  /** A scenario is not as scenarios are. */
  SCENARIO_BROKEN:
    'Correct the places in `flaws`. To check a file, run `pipeline-understudy scenario check FILE`.',
  /** There is nothing of this name, id or path: no such snapshot, world, scenario, record or run. */
  NOT_FOUND: 'Use one of the names that there are, or make what is missing first.',
  /** A world of this name exists. */
  NAME_TAKEN: 'Choose another name, or delete what has it.',
  /**
   * The present state does not allow the call: `main` cannot be deleted, there is nothing to undo, or there
   * are too many snapshots.
   */
  CONFLICT: 'Follow the message.',
  /** The state is still loading from its storage. */
  NOT_READY: 'Wait for `ready` before anything but requests.',
  /** The run has ended, so it cannot be scripted, advanced or finished. */
  RUN_ENDED: 'Script, advance and finish runs while they are initial or running.',
} as const satisfies Record<string, string>

/**
 * Errors of storages, servers and clients. Their hints are in those modules, so that a mocked page does not
 * load them.
 */
interface RefusedElsewhere {
  /** The file is not a state, or reading or writing the storage failed. */
  STATE_REFUSED: true
  /** Another process or page stores its state there. */
  STATE_IN_USE: true
  /** Something else listens on the port. */
  PORT_IN_USE: true
  /** The system does not let this process listen on the port. */
  PORT_FORBIDDEN: true
  /** The host is no address of this machine. */
  HOST_UNKNOWN: true
  /** The system refuses to listen for another reason. */
  LISTEN_FAILED: true
  /** Of a client: nothing answers at the URL, or the connection broke off. */
  UNREACHABLE: true
  /** Of a client: the server at the URL has no admin API of this package. */
  NOT_AN_ADMIN: true
  /** Of a client: the server refuses for a reason that has no code, such as a missing token. */
  REFUSED: true
}

/** Reason of an error. It is stable across releases, while messages may change. */
export type UnderstudyErrorCode = keyof typeof hints | keyof RefusedElsewhere

/**
 * Base class of all errors that this package throws on purpose.
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
  /** Message without the prefix `[understudy]`. */
  readonly detail: string
  /** Flaws of the given values: path, found value and expected value of each. */
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

  get hint(): string {
    const known: Readonly<Record<string, string>> = hints
    return known[this.code] ?? ''
  }
}

/** Reports whether a text is a code that this release knows. */
export function isErrorCode(code: unknown): code is UnderstudyErrorCode {
  return typeof code === 'string' && Object.hasOwn(hints, code)
}

/** Returns the message of any thrown value, without the prefix of this package. */
export function reasonOf(thrown: unknown): string {
  // Bundles of this package contain their own copies of the class.
  return messageOf(thrown).replace(/^\[understudy\] /, '')
}
