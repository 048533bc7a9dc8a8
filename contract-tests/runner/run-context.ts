import type { Need } from '../rules/define-rules.ts'
import { cleanUp } from './clean-up.ts'
import type { CleanupEntry, CleanupLog } from './cleanup-log.ts'
import type { Client, Exchange, SendOptions } from './client.ts'
import type { ForeignRecords } from './foreign-records.ts'
import type { CheckOptions, ScheduleNeed } from './options.ts'
import { carriesName } from './record-owner.ts'
import type { Verdicts } from './verdicts.ts'

/** What the target's owner provides or allows. */
export interface Provided extends Pick<CheckOptions, 'profile' | 'onPredicted'> {
  readonly schedule?: ScheduleNeed | undefined
  readonly email?: string | undefined
  readonly password?: string | undefined
  /** A token of another user, which the token list must not show. */
  readonly otherToken?: string | undefined
  /** A token of the user that has expired, which `show_all` must show. */
  readonly expiredToken?: string | undefined
  readonly mayTrigger: boolean
  readonly useConventions: boolean
  readonly allowDestructive: boolean
  /** The uuids of the pipelines that were there before. */
  readonly before: ReadonlySet<string>
  /** What lists have shown as somebody else's. */
  readonly foreignRecords: ForeignRecords
  /** Whether the target checks API keys and OAuth tokens. */
  readonly checksKeys: boolean
  readonly checksTokens: boolean
  /** Maximum number of generated sequences; 0 generates none. */
  readonly sequences: number | undefined
  readonly seed: number
  /** When no more sequences are drawn, by `performance.now()`. */
  readonly until: number | undefined
  readonly shrink: boolean
  readonly concurrency: number
  /** Whether what was seen once is said at once. */
  readonly isOneSightEnough: boolean
}

/** Progress of the sequences. */
export interface SequenceProgress {
  /** How many have been drawn, and how many have ended, those included that are always told. */
  drawn: number
  ended: number
  /** How many there are to be; undefined where the time decides. */
  of?: number | undefined
  /** The step that was begun last. */
  doing?: string
}

/** Client, verdicts and cleanup log of a run. */
export class RunContext {
  readonly client: Client
  readonly verdicts: Verdicts
  readonly cleanupLog: CleanupLog
  readonly provided: Provided
  readonly prefix: string
  readonly sequenceProgress: SequenceProgress = { drawn: 0, ended: 0 }
  /** The pipelines of this run with and without log files. */
  logged: { readonly run: string; readonly empty: string } | undefined
  /** The pipeline whose logs are read, after the search for one. */
  logs: { readonly pipeline: string | undefined } | undefined
  /** The reason why a precondition is missing, where more is known than that it is. */
  readonly missing: Partial<Record<Need, string>> = {}
  readonly #signal: AbortSignal | undefined
  #count = 0

  constructor(
    client: Client,
    verdicts: Verdicts,
    cleanupLog: CleanupLog,
    provided: Provided,
    prefix: string,
    signal?: AbortSignal,
  ) {
    this.client = client
    this.verdicts = verdicts
    this.cleanupLog = cleanupLog
    this.provided = provided
    this.prefix = prefix
    this.#signal = signal
  }

  /** Sends a request, unless the verifier was told to stop. */
  async send(method: string, path: string, options?: SendOptions): Promise<Exchange> {
    this.#signal?.throwIfAborted()
    return this.client.send(method, path, options)
  }

  /** A name no other record has: the prefix, a word and a number. */
  name(word: string): string {
    this.#count++
    return `${this.prefix}-${word}${this.#count}`
  }

  get(path: string, options?: SendOptions): Promise<Exchange> {
    return this.send('GET', path, options)
  }

  put(path: string, body: unknown): Promise<Exchange> {
    return this.send('PUT', path, { body })
  }

  post(path: string, body: unknown, options?: SendOptions): Promise<Exchange> {
    return this.send('POST', path, { ...options, body })
  }

  /** Deletes what was made under a prefix of its own, as far as that is allowed. */
  async cleanUp(part: string): Promise<void> {
    this.#signal?.throwIfAborted()
    const { useConventions, before, foreignRecords } = this.provided
    const isOfPart = ({ path, home, name }: CleanupEntry) =>
      [decodeURIComponent(path.split('/')[3] ?? ''), home, name].some(
        (text) => carriesName(text, part) && !/^[a-z\d]/i.test(text?.slice(part.length) ?? ''),
      )
    await cleanUp(this.client, this.cleanupLog, {
      useConventions,
      before,
      foreignRecords,
      prefix: this.prefix,
      only: isOfPart,
    })
  }
}
