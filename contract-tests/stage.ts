import type { Exchange, SendOptions } from './client.ts'
import { type Client, isObject } from './client.ts'
import type { Ledger } from './ledger.ts'
import { recordFields } from './rules/fields.ts'
import type { Verdicts } from './verdicts.ts'

/** A record as a reply carries it. */
export type Received = Readonly<Record<string, unknown>>

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
  #count = 0

  constructor(client: Client, verdicts: Verdicts, ledger: Ledger, provided: Provided, prefix: string) {
    this.client = client
    this.verdicts = verdicts
    this.ledger = ledger
    this.provided = provided
    this.prefix = prefix
  }

  /** A name no other record has: the prefix, a word and a number. */
  name(word: string): string {
    this.#count++
    return `${this.prefix}-${word}${this.#count}`
  }

  get(path: string, options?: SendOptions): Promise<Exchange> {
    return this.client.send('GET', path, options)
  }

  delete(path: string): Promise<Exchange> {
    return this.client.send('DELETE', path)
  }

  put(path: string, body: unknown): Promise<Exchange> {
    return this.client.send('PUT', path, { body })
  }

  post(path: string, body: unknown, options?: SendOptions): Promise<Exchange> {
    return this.client.send('POST', path, { ...options, body })
  }

  check(id: string, holds: boolean, exchange: Exchange, received?: unknown): void {
    this.verdicts.check(id, holds, exchange, received)
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
    const exchange = await this.client.send(method, `/api/pipelines/${pipeline}/backfills`, {
      body: { backfill: values },
    })
    const id = recordIn(exchange, 'backfill')?.id
    if (id !== undefined) this.ledger.created('backfill', `/api/backfills/${id}`, pipeline)
    return exchange
  }

  /** Holds the fields of a record against the document's table; fields that are absent are another rule's matter. */
  observe(record: string, value: Received | undefined, exchange: Exchange): void {
    const { fields } = recordFields.find((candidate) => candidate.record === record)!
    for (const [field, shape] of Object.entries(fields)) {
      const present = value !== undefined && Object.hasOwn(value, field)
      this.check(`${record}-fields/${field}`, present && shape.fits(value[field]), exchange, {
        [field]: present ? value[field] : '(absent)',
      })
    }
  }

  /** Checks that a request was refused: an error, and no record beside it. */
  checkRefused(id: string, exchange: Exchange): void {
    this.check(id, isError(exchange), exchange)
  }
}

function pathOf(pipeline: string): string {
  return `/api/pipelines/${encodeURIComponent(pipeline)}`
}

/** The record under its singular name. */
export function recordIn({ body }: Exchange, singular: string): Received | undefined {
  const record = isObject(body) ? body[singular] : undefined
  return isObject(record) ? record : undefined
}

/** The records under their plural name; undefined where the reply has no such list. */
export function listIn({ body }: Exchange, plural: string): Received[] | undefined {
  const list = isObject(body) ? body[plural] : undefined
  return Array.isArray(list) ? list.filter(isObject) : undefined
}

/** The metadata beside a list. */
export function metadataIn({ body }: Exchange): Received | undefined {
  return isObject(body) && isObject(body.metadata) ? body.metadata : undefined
}

/**
 * The triggers a record carries when it was asked for them, and not otherwise: the document does not show under which
 * key, so it is the array that the plain record lacks.
 */
export function triggersIn(asked: Received | undefined, plain: Received | undefined): Received[] | undefined {
  if (asked === undefined || plain === undefined) return undefined
  const added = Object.keys(asked).find((key) => Array.isArray(asked[key]) && !Object.hasOwn(plain, key))
  return added === undefined ? undefined : (asked[added] as unknown[]).filter(isObject)
}

/** Tells an error as a client does: by `error.code` in the body; an HTTP error counts too. */
export function isError(exchange: Exchange): boolean {
  return exchange.error !== undefined || exchange.httpStatus >= 400
}

/** Tells whether two JSON values are equal, whatever the order of keys. */
export function equal(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

/** Tells whether a record has all the fields of a table. */
export function hasFields(record: Received | undefined, kind: string): boolean {
  const { fields } = recordFields.find((candidate) => candidate.record === kind)!
  return record !== undefined && Object.keys(fields).every((field) => Object.hasOwn(record, field))
}
