import type { RequestListener } from 'node:http'
import type { Predicted, Profile } from '../model-based/model.ts'
import type { Credentials, Exchange } from './client.ts'
import type { LeftRecord } from './left-behind.ts'
import type { Answering, Fetchable } from './transports/transport.ts'
import type { Finding } from './verdicts.ts'

/** A schedule that the verifier may read, and perhaps trigger. */
export interface ScheduleNeed {
  readonly id: string
  readonly token: string
}

/** Target, selection and permissions of a run. */
export interface CheckOptions {
  /** A base URL, a Node application, or an object in this process with `fetch`, such as a mock, or with `answer`. */
  readonly target: string | RequestListener | Fetchable | Answering
  /** The API key, if the target needs one. */
  readonly apiKey?: string | undefined
  /** A decoded OAuth token, if there is no user. */
  readonly token?: string | undefined
  /** The user who signs in, with `password`. */
  readonly email?: string | undefined
  /** The password of that user. */
  readonly password?: string | undefined
  /** A schedule that the run may trigger. */
  readonly schedule?: ScheduleNeed | undefined
  /** A token of another user. */
  readonly otherToken?: string | undefined
  /** A token of the user that has expired. */
  readonly expiredToken?: string | undefined
  /** Sends no requests that write, and deletes nothing. */
  readonly readOnly?: boolean | undefined
  /** The names of the scenarios to run. Default: all. */
  readonly scenarios?: readonly string[]
  /** Globs of rule ids; skips the others. */
  readonly only?: readonly string[] | undefined
  /** Allows requests that may damage the target, and triggers of any schedule on it. */
  readonly allowDestructive?: boolean | undefined
  /** Allows to create schedules and delete pipelines, which only the conventions describe. */
  readonly useConventions?: boolean | undefined
  /** A certificate in PEM format to trust besides those of Node. */
  readonly ca?: string | undefined
  /** Maximum milliseconds for each reply. Default 10,000. */
  readonly timeout?: number
  /** Minimum milliseconds from one request to the next. Default 0. */
  readonly delay?: number | undefined
  /** The prefix of the names of created records. Default: derived from the time. */
  readonly prefix?: string | undefined
  /**
   * The credentials that the target must require: none (`open`), an API key (`key`), or a key and a session token
   * (`login`). Default: those that the first requests find, so that a target which requires too little is not detected.
   */
  readonly expect?: Expected | undefined
  /** Number of generated sequences, besides the scripted ones; 0 generates none. Default 2, or as `minutes` allows. */
  readonly sequences?: number | undefined
  /** Minutes from the start during which the run generates sequences. */
  readonly minutes?: number | undefined
  /** Seed of the generated sequences: equal seeds give equal sequences. Default 1; with `minutes` a random one. */
  readonly seed?: number | undefined
  /** Number of sequences that run concurrently; 1 if the target handles one request at a time. Default 4. */
  readonly concurrency?: number | undefined
  /** False reports reproductions without minimizing them, which takes more requests. */
  readonly shrink?: boolean | undefined
  /** False reports deviations without a second run to confirm them, which takes more requests. Default true, except with `bail`. */
  readonly confirm?: boolean | undefined
  /** Stops at the first failed rule, and deletes the created records. */
  readonly bail?: boolean | undefined
  /** Ends the run when it aborts; deletes the created records. */
  readonly signal?: AbortSignal
  /** Receives the progress before each scenario, and after each reply. */
  readonly onProgress?: (progress: Progress) => void
  /** The profile of a real server by which sequences predict replies, instead of the specification. */
  readonly profile?: Profile | undefined
  /** Receives each exchange of a sequence, with the model's reply to the same request. */
  readonly onPredicted?: ((exchange: Exchange, predicted: Predicted) => void) | undefined
  /** Receives every exchange, without redaction. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** The credentials that a target may require. */
export const expectations = ['open', 'key', 'login'] as const

/** The credentials that a target must require. */
export type Expected = (typeof expectations)[number]

/** The progress of a run. */
export interface Progress {
  /** The current scenario, its index, and the number of scenarios. */
  readonly scenario: string
  readonly index: number
  readonly of: number
  /** The number of sequences that ended and of all; `of` is undefined if the time decides. */
  readonly sequence?: { readonly ended: number; readonly of: number | undefined; readonly doing: string }
  readonly requests: number
  /** Milliseconds since the start. */
  readonly milliseconds: number
  /** Estimated milliseconds that remain. */
  readonly left?: number
}

/** The credentials that a target checks, and the place of the API key. */
export interface Checks {
  readonly keys: boolean
  readonly tokens: boolean
  readonly keyIn?: Credentials['keyIn']
}

/** The result of a run. */
export interface CheckResult {
  /** The id of the run, which is in the names of all created records. */
  readonly run: string
  readonly findings: readonly Finding[]
  readonly requests: number
  /** The number of replies by which the target limited the rate. */
  readonly slowed: number
  /** Duration of the run. */
  readonly milliseconds: number
  /** Sum of the milliseconds of all replies; concurrent ones count each. */
  readonly waited: number
  /** The created records that are still on the target. */
  readonly leftBehind: readonly LeftRecord[]
  /** Lists that the target returned before the run and not afterwards. */
  readonly harm: readonly string[]
  readonly checks: Checks
  /** Seed and number of the generated sequences; both together generate them again. */
  readonly drawn: { readonly seed: number; readonly sequences: number }
  /** The rules that failed once, and not in a second run. */
  readonly flaky: readonly string[]
  /** The implementation choices of the target, by the id of the assumption. */
  readonly choices: Readonly<Record<string, readonly string[]>>
}

/**
 * Thrown for an unsuitable target: unreachable, or not of this API.
 *
 * @example
 * await expect(verify({ target: 'http://127.0.0.1:9' })).rejects.toThrow(CannotVerify)
 */
export class CannotVerify extends Error {}

/** The credentials of the first requests. */
export function credentialsOf({ apiKey, token }: Omit<CheckOptions, 'target'>): Credentials {
  return { apiKey, token }
}

/** The secrets, which must not appear in a report. */
export function secretsOf(options: Omit<CheckOptions, 'target'>): Readonly<Record<string, unknown>> {
  const { apiKey, token, password, otherToken, expiredToken, schedule } = options
  return {
    UNDERSTUDY_API_KEY: apiKey,
    UNDERSTUDY_TOKEN: token,
    UNDERSTUDY_PASSWORD: password,
    UNDERSTUDY_OTHER_TOKEN: otherToken,
    UNDERSTUDY_EXPIRED_TOKEN: expiredToken,
    UNDERSTUDY_SCHEDULE_TOKEN: schedule?.token,
  }
}
