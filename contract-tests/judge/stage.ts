import { fieldsOf, type RecordName } from '../rules/fields.ts'
import type { RuleId } from '../rules/index.ts'
import type { Client, Exchange, SendOptions } from './client.ts'
import type { Ledger } from './ledger.ts'
import { isError, type Received, recordIn } from './replies.ts'
import type { Told, Verdicts } from './verdicts.ts'

/** A schedule the suite may read, and perhaps trigger. */
export interface ScheduleNeed {
  readonly id: string
  readonly token: string
}

/** What the target's owner provides or allows. */
export interface Provided {
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
  /** Whether the target checks API keys and OAuth tokens. */
  readonly checksKeys: boolean
  readonly checksTokens: boolean
  /** How many stories are drawn besides those that are always told, and from which seed; 0 tells none. */
  readonly stories: number
  readonly seed: number
  readonly shrink: boolean
  readonly concurrency: number
}

/** What the names of created records begin with, unless the user says otherwise. */
export const ownPrefix = 'judged'

/** What a scenario plays on: a client, the verdicts, and the ledger of what it creates. */
export class Stage {
  readonly client: Client
  readonly verdicts: Verdicts
  readonly ledger: Ledger
  readonly provided: Provided
  readonly prefix: string
  readonly #signal: AbortSignal | undefined
  #count = 0

  constructor(
    client: Client,
    verdicts: Verdicts,
    ledger: Ledger,
    provided: Provided,
    prefix: string,
    signal?: AbortSignal,
  ) {
    this.client = client
    this.verdicts = verdicts
    this.ledger = ledger
    this.provided = provided
    this.prefix = prefix
    this.#signal = signal
  }

  /** Sends a request, unless the judge was told to stop. */
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

  delete(path: string): Promise<Exchange> {
    return this.send('DELETE', path)
  }

  put(path: string, body: unknown): Promise<Exchange> {
    return this.send('PUT', path, { body })
  }

  post(path: string, body: unknown, options?: SendOptions): Promise<Exchange> {
    return this.send('POST', path, { ...options, body })
  }

  check(id: RuleId, holds: boolean, exchange: Exchange, received?: unknown, told?: Told): void {
    this.verdicts.check(id, holds, exchange, received, told)
  }

  /** Creates a pipeline and notes it in the ledger. */
  async createPipeline(values: Received): Promise<Exchange> {
    // Noted before it is sent, by the uuid the document derives from the name: an interruption may lose the reply.
    const expected = pathOf(String(values.name).replaceAll('-', '_'))
    this.ledger.created('pipeline', expected)
    const exchange = await this.post('/api/pipelines', { pipeline: values })
    const uuid = recordIn(exchange, 'pipeline')?.uuid
    const actual = typeof uuid === 'string' ? pathOf(uuid) : undefined
    // A success that does not say its uuid may have made the pipeline all the same: the note stays.
    if (actual !== expected && (actual !== undefined || isError(exchange))) {
      this.ledger.deleted(expected)
      if (actual !== undefined) this.ledger.created('pipeline', actual)
    }
    return exchange
  }

  /** Creates a block and notes it in the ledger. */
  async createBlock(pipeline: string, values: Received): Promise<Exchange> {
    const exchange = await this.post(`/api/pipelines/${pipeline}/blocks`, { block: values })
    if (exchange.error === undefined) {
      const uuid = String(values.name).replaceAll(/[ -]/g, '_')
      this.ledger.created('block', `/api/pipelines/${pipeline}/blocks/${uuid}?force=True`)
    }
    return exchange
  }

  /** Creates a backfill and notes it in the ledger. */
  async createBackfill(pipeline: string, values: Received, method = 'POST'): Promise<Exchange> {
    const exchange = await this.send(method, `/api/pipelines/${pipeline}/backfills`, {
      body: { backfill: values },
    })
    const id = recordIn(exchange, 'backfill')?.id
    if (id !== undefined) this.ledger.created('backfill', `/api/backfills/${id}`, pipeline)
    return exchange
  }

  /** Holds the fields of a record against the document's table; fields that are absent are another rule's matter. */
  observe(record: RecordName, value: Received | undefined, exchange: Exchange): void {
    for (const { id, field, shape } of fieldsOf(record)) {
      const present = value !== undefined && Object.hasOwn(value, field)
      this.check(id, present && shape.fits(value[field]), exchange, {
        [field]: present ? value[field] : '(absent)',
      })
    }
  }

  /** Checks that a request was refused: an error, and no record beside it. */
  checkRefused(id: RuleId, exchange: Exchange): void {
    this.check(id, isError(exchange), exchange)
  }
}

function pathOf(pipeline: string): string {
  return `/api/pipelines/${encodeURIComponent(pipeline)}`
}
