import type { RequestListener } from 'node:http'
import type { Predicted, Profile } from '../model-based/model.ts'
import type { CleanupEntry } from './cleanup-log.ts'
import type { Credentials, Exchange } from './client.ts'
import type { Answering, Fetchable } from './transports/transport.ts'
import type { Finding } from './verdicts.ts'

/** A schedule the suite may read, and perhaps trigger. */
export interface ScheduleNeed {
  readonly id: string
  readonly token: string
}

/** Target, selection and permissions of a run. */
export interface CheckOptions {
  /** A base URL, a Node application, or what is asked without a socket: something with `fetch` such as an understudy, or with `answer`. */
  readonly target: string | RequestListener | Fetchable | Answering
  /** The API key that lets in, where the target asks for one. */
  readonly apiKey?: string | undefined
  /** A decoded OAuth token, where no user is given. */
  readonly token?: string | undefined
  /** The user who signs in, with `password`. */
  readonly email?: string | undefined
  /** The password of that user. */
  readonly password?: string | undefined
  /** A schedule that may be triggered. */
  readonly schedule?: ScheduleNeed | undefined
  /** A token of another user. */
  readonly otherToken?: string | undefined
  /** A token of the user that has expired. */
  readonly expiredToken?: string | undefined
  /** Nothing that writes is sent, and nothing is deleted. */
  readonly readOnly?: boolean
  /** The names of the scenarios to play; default: all. */
  readonly scenarios?: readonly string[]
  /** Globs of rule ids; the others are skipped. */
  readonly only?: readonly string[]
  /** The target may be damaged, and any schedule on it triggered. */
  readonly allowDestructive?: boolean
  /** The suite may create schedules and delete pipelines, which only the conventions describe. */
  readonly useConventions?: boolean
  /** A certificate in PEM format that is trusted besides those of Node. */
  readonly ca?: string | undefined
  /** Milliseconds each reply may take. Default 10,000. */
  readonly timeout?: number
  /** Milliseconds from one request to the next, at least. Default 0. */
  readonly delay?: number | undefined
  /** What the names of created records begin with. Default: made up from the time. */
  readonly prefix?: string
  /**
   * What the target should ask of clients: nothing (`open`), an API key (`key`), or a key and a token of a user who has
   * signed in (`login`). Default: what the first look finds, so that a target which asks too little goes unnoticed.
   */
  readonly expect?: Expected | undefined
  /** Number of generated sequences, besides the scripted ones; 0 generates none. Default 3, or as `minutes` allows. */
  readonly sequences?: number | undefined
  /** Minutes from the start during which sequences are generated. */
  readonly minutes?: number | undefined
  /** Seed of the generated sequences: equal seeds give equal sequences. Default 1; with `minutes` a random one. */
  readonly seed?: number | undefined
  /** Number of sequences that run concurrently; 1 if the target handles one request at a time. Default 4. */
  readonly concurrency?: number | undefined
  /** False tells a failing sequence as it is: shortening it takes more requests. */
  readonly shrink?: boolean | undefined
  /** False says at once what scenarios and invariants have seen: to see it a second time takes more requests. Default true, but with `bail`. */
  readonly confirm?: boolean | undefined
  /** Stops once a rule is found broken, and deletes what was created: enough to know that something is. */
  readonly bail?: boolean | undefined
  /** Once it aborts nothing more is judged, and what was created is deleted. */
  readonly signal?: AbortSignal
  /** Told before each scenario, and after each reply. */
  readonly onProgress?: (progress: Progress) => void
  /** The ways of a real server that sequences predict by, instead of the document's. */
  readonly profile?: Profile | undefined
  /** Given each exchange of a sequence with what the model answers to the same request. */
  readonly onPredicted?: ((exchange: Exchange, predicted: Predicted) => void) | undefined
  /** Given every exchange as it is made, with nothing redacted. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** The ways a target may authenticate. */
export const expectations = ['open', 'key', 'login'] as const

/** What a target should ask of clients. */
export type Expected = (typeof expectations)[number]

/** How far judging is. */
export interface Progress {
  /** What is being tried: a scenario, and which of how many. */
  readonly scenario: string
  readonly index: number
  readonly of: number
  /** Which sequence of how many, where the scenario tells some; `of` is undefined where the time decides. */
  readonly sequence?: { readonly ended: number; readonly of: number | undefined; readonly doing: string }
  readonly requests: number
  /** Milliseconds since the start. */
  readonly milliseconds: number
  /** Milliseconds that are left, where that can be told. */
  readonly left?: number
}

/** Which credentials a target checks, and where it takes the API key. */
export interface Checks {
  readonly keys: boolean
  readonly tokens: boolean
  readonly keyIn?: Credentials['keyIn']
}

/** What a judge found. */
export interface CheckResult {
  /** Who this run was: its number is in the names of everything it made. */
  readonly run: string
  readonly findings: readonly Finding[]
  readonly requests: number
  /** How often the target asked for patience, and was given it. */
  readonly slowed: number
  /** Time spent. */
  readonly milliseconds: number
  /** Milliseconds that replies took, added up over requests side by side. */
  readonly waited: number
  /** What was created and could not be deleted through what was allowed. */
  readonly leftBehind: readonly CleanupEntry[]
  /** What was harmed: lists that answered before and do not any more. */
  readonly harm: readonly string[]
  readonly checks: Checks
  /** Seed and number of the generated sequences; both together generate them again. */
  readonly drawn: { readonly seed: number; readonly sequences: number }
  /** The rules that were seen broken once and not again. */
  readonly flaky: readonly string[]
  /** What the target chooses where the document leaves it open, by the id of the assumption. */
  readonly choices: Readonly<Record<string, readonly string[]>>
}

/**
 * Thrown where a target cannot be judged at all: it is unreachable, or not of this API.
 *
 * @example
 * await expect(verify({ target: 'http://127.0.0.1:9' })).rejects.toThrow(CannotVerify)
 */
export class CannotVerify extends Error {}

/** The credentials that requests carry from the start. */
export function credentialsOf({ apiKey, token }: Omit<CheckOptions, 'target'>): Credentials {
  return { apiKey, token }
}

/** Everything that must not appear in a report. */
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
