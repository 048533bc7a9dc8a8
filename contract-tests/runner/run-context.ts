import type { Need } from '../rules/define-rules.ts'
import { cleanUp } from './clean-up.ts'
import type { CleanupLog } from './cleanup-log.ts'
import type { Client, Exchange, SendOptions } from './client.ts'
import type { ForeignRecords } from './foreign-records.ts'
import type { CheckOptions } from './options.ts'
import type { Verdicts } from './verdicts.ts'

/** The options of the run with their defaults, and the results of the preflight requests. */
export interface Provided extends Omit<CheckOptions, 'target'> {
  readonly useConventions: boolean
  readonly seed: number
  readonly shrink: boolean
  readonly concurrency: number
  readonly confirm: boolean
  /** The end of the generated sequences, by `performance.now()`. */
  readonly until: number | undefined
  /** The uuids of the pipelines that existed before. */
  readonly before: ReadonlySet<string>
  /** The records of other clients in lists. */
  readonly foreignRecords: ForeignRecords
  /** True if the target checks API keys and OAuth tokens. */
  readonly checksKeys: boolean
  readonly checksTokens: boolean
}

/** Progress of the sequences. */
export interface SequenceProgress {
  /** The number of generated sequences that began. */
  drawn: number
  /** The number of sequences that ended. */
  ended: number
  /** The number of sequences of the group; undefined if the time decides. */
  of?: number | undefined
  /** The current command. */
  doing?: string
}

/** Client, verdicts and cleanup log of a run. */
export interface RunParts {
  readonly client: Client
  readonly verdicts: Verdicts
  readonly cleanupLog: CleanupLog
  readonly provided: Provided
  /** The prefix of the names of created records. */
  readonly prefix: string
  readonly signal: AbortSignal
}

/** Shared state of the sequences of a run. */
export class RunContext {
  readonly client: Client
  readonly verdicts: Verdicts
  readonly cleanupLog: CleanupLog
  readonly provided: Provided
  readonly prefix: string
  readonly sequenceProgress: SequenceProgress = { drawn: 0, ended: 0 }
  /** The keys of the deviations that were reported: another sequence does not confirm them again. */
  readonly reported = new Set<string>()
  /** The pipelines of this run with and without log files. */
  logged: { readonly run: string; readonly empty: string } | undefined
  /** The pipeline for reading logs, after the search for one. */
  logs: { readonly pipeline: string | undefined } | undefined
  /** The known reasons for missing preconditions. */
  readonly missing: Partial<Record<Need, string>> = {}
  readonly #signal: AbortSignal

  constructor({ client, verdicts, cleanupLog, provided, prefix, signal }: RunParts) {
    this.client = client
    this.verdicts = verdicts
    this.cleanupLog = cleanupLog
    this.provided = provided
    this.prefix = prefix
    this.#signal = signal
  }

  /** Sends a request, except after an abort. */
  async send(method: string, path: string, options?: SendOptions): Promise<Exchange> {
    this.#signal.throwIfAborted()
    return this.client.send(method, path, options)
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

  /** Deletes the records of one sequence, as far as the options allow. */
  async cleanUp(part: string): Promise<void> {
    this.#signal.throwIfAborted()
    await cleanUp(this.client, this.cleanupLog, { ...this.provided, prefix: part })
  }
}
