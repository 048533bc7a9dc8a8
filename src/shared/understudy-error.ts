import { messageOf } from './built-ins.ts'
import type { Flaw } from './issues.ts'

/** Error codes with their meaning. `npm run docs` writes them to the reference. */
interface ErrorCodes {
  /** An option of a function or of the command is unknown, or its value is invalid. */
  OPTION_INVALID: true
  /** An argument of a method is invalid. */
  ARGUMENT_INVALID: true
  /** A fixture has an unknown name or an invalid value, or contradicts itself. */
  FIXTURE_BROKEN: true
  /** The attributes given for a record are unknown, or their values are invalid. */
  RECORD_INVALID: true
  /** A fault is invalid, or names an unknown operation or resource. */
  FAULT_BROKEN: true
  /** A scenario has an unknown part, or a part that cannot be applied. */
  SCENARIO_BROKEN: true
  /** Nothing has this name, id or path: no snapshot, world, scenario, record or run. */
  NOT_FOUND: true
  /** A world of this name exists. */
  NAME_TAKEN: true
  /**
   * The present state does not allow the call: `main` cannot be deleted, there is nothing to undo, or there
   * are too many snapshots.
   */
  CONFLICT: true
  /** The state is still loading from its storage. */
  NOT_READY: true
  /** The run has ended, so it cannot be scripted, advanced or finished. */
  RUN_ENDED: true
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
  /** Of the admin API: its token is missing or wrong. */
  UNAUTHORIZED: true
  /** Of the admin API: it does not answer other machines, other origins, proxies or foreign host names. */
  FORBIDDEN: true
  /** Of the admin API: the path has other methods. */
  METHOD_NOT_ALLOWED: true
  /** Of the admin API: the body is too large. */
  CONTENT_TOO_LARGE: true
  /** Of the admin API: the content type of the body is not JSON. */
  UNSUPPORTED_MEDIA_TYPE: true
  /** Of the admin API: too many clients follow streams. */
  TOO_MANY_STREAMS: true
  /** Of a client: nothing answers at the URL, or the connection broke off. */
  UNREACHABLE: true
  /** Of a client: the server at the URL has no admin API of this package. */
  NOT_AN_ADMIN: true
  /** Of a client: the server refuses for a reason whose code this version of the client does not know. */
  REFUSED: true
}

/** Reason of an error. It is stable across releases, while messages may change. */
export type UnderstudyErrorCode = keyof ErrorCodes

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
}

/** Returns the message of any thrown value, without the prefix of this package. */
export function reasonOf(thrown: unknown): string {
  // Bundles of this package contain their own copies of the class.
  return messageOf(thrown).replace(/^\[understudy\] /, '')
}
