import { fieldsOf, type RecordName } from '../rules/fields.ts'
import type { RuleId } from '../rules/index.ts'
import { cleanUp } from './clean-up.ts'
import type { CleanupEntry, CleanupLog } from './cleanup-log.ts'
import type { Client, Exchange, SendOptions } from './client.ts'
import type { ForeignRecords } from './foreign-records.ts'
import type { CheckDetails } from './invariants/invariant-check.ts'
import { isObject } from './is-object.ts'
import type { CheckOptions, ScheduleNeed } from './options.ts'
import { carriesName, ownerOf } from './record-owner.ts'
import { equal, isError, type ReceivedRecord, recordIn } from './replies.ts'
import { requestScope } from './request-scope.ts'
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
  /** The pipeline that was run so that there are log files. */
  logged: string | undefined
  /** A pipeline of others that has log files, once one was looked for. */
  logs: { readonly pipeline: string | undefined } | undefined
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

  /** Notes whether a rule holds; without `received` the whole reply shows it. */
  check(
    id: RuleId,
    holds: boolean,
    exchange: Exchange,
    ...rest: [received?: unknown, details?: CheckDetails]
  ): void {
    const { verdicts } = this
    const check = requestScope.getStore() ?? verdicts.check.bind(verdicts)
    check(id, holds, exchange, ...rest)
  }

  /** Notes whether a value is the one that should have come. */
  compare(id: RuleId, expected: unknown, received: unknown, exchange: Exchange): void {
    this.check(id, equal(received, expected), exchange, received, { expected })
  }

  /** Creates a pipeline to work in; undefined where the target made none, or answers with one that is not ours. */
  async pipelineFor(word: string): Promise<string | undefined> {
    const name = this.name(word)
    const uuid = recordIn(
      await this.post('/api/pipelines', { pipeline: { name, type: 'python' } }),
      'pipeline',
    )?.uuid
    if (typeof uuid !== 'string' || this.provided.before.has(uuid)) return undefined
    const owner = await ownerOf(
      this.client,
      { kind: 'pipeline', path: `/api/pipelines/${encodeURIComponent(uuid)}`, name },
      this.prefix,
      this.provided.foreignRecords,
    )
    return owner === 'this run' ? uuid : undefined
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

  /** Holds the fields of a record against the document's table; fields that are absent are another rule's matter. */
  observe(record: RecordName, value: ReceivedRecord | undefined, exchange: Exchange): void {
    for (const { id, field, shape } of fieldsOf(record)) {
      // A target may put anything where a record belongs.
      const present = isObject(value) && Object.hasOwn(value, field)
      const described = `${field} is ${shape.expected}`
      this.check(id, present && shape.fits(value[field]), exchange, value?.[field], { described })
    }
  }

  /** Checks that a request was refused: an error, and no record beside it. */
  checkRefused(id: RuleId, exchange: Exchange): void {
    this.check(id, isError(exchange), exchange)
  }
}
