import type { Change, Following, NotedChanges } from '../../factories/change.ts'
import type { OperationName } from '../../resources/table-types.ts'
import { checkOptions, type OptionChecks } from '../../shared/check-options.ts'
import * as limits from '../../shared/limits.ts'
import { keysOf } from '../../shared/values.ts'
import { tooLarge } from '../body.ts'
import type { Delivery } from '../faults/delivery.ts'
import { Listeners } from '../listeners.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../messages.ts'
import type { Match } from '../router.ts'
import type { Har } from './har.ts'
import type { JournalEntry } from './journal-entry.ts'

export interface JournalOptions {
  /**
   * Maximum number of requests in the journal of a world; it drops the oldest. Default 1,000; 0 stores none
   * at no cost.
   */
  readonly entries?: number
  /**
   * Maximum memory for all worlds together, in bytes. The largest world drops its oldest entries first.
   * Default 128 MB.
   */
  readonly bytes?: number
  /** Called once, when the journal drops the first request because of its size. */
  readonly dropped?: () => void
}

/** Filter of journal entries. Omitted members match any entry. */
export interface JournalFilter {
  readonly operation?: OperationName
  readonly method?: string
  readonly path?: string
  /** The logical status: `error.code`, or 200. */
  readonly status?: number
  /** Only entries after the one with this `sequence`. */
  readonly after?: number
  /** Only the entry with this `sequence`. */
  readonly sequence?: number
  /** False to leave headers, bodies and changes empty. Default true. */
  readonly details?: boolean
}

/** The journal of a world: its newest requests. */
export interface Journal {
  /**
   * Returns the entries, oldest first, without credentials.
   *
   * @example
   * understudy.journal.entries({ operation: 'updateBackfill' })
   */
  entries(filter?: JournalFilter): JournalEntry[]
  /**
   * Returns the number of requests since the last `clear` that are not stored; `null` if the journal is off.
   */
  lost(): number | null
  clear(): void
  /** Returns the entries as an HTTP archive (HAR 1.2). */
  har(): Promise<Har>
  /**
   * Calls a function for each later request, and returns a function that unsubscribes. `ended` is called when
   * the world is evicted. If the function throws, the console shows the error once. The request and other
   * listeners continue.
   */
  subscribe(listener: (entry: JournalEntry) => void, ended?: () => void): () => void
}

/** The members of a filter that are members of an entry. */
type EntryFilter = Omit<JournalFilter, 'after' | 'details'>

const filterNames: OptionChecks<JournalFilter> = {
  operation: true,
  method: true,
  path: true,
  status: true,
  after: true,
  sequence: true,
  details: true,
}

interface ChangeNotes {
  readonly isHeard: boolean
  note(part: 'requests' | 'journal'): void
}

/** The newest requests of a world, bounded in their number and in the length of their bodies. */
export class JournalQueue implements Omit<Journal, 'har'> {
  readonly #toEntry: (logged: LoggedRequest, details?: boolean) => JournalEntry
  readonly #isStored: boolean
  readonly #changes: ChangeNotes
  readonly #budget: JournalBudget
  readonly #listeners = new Listeners<JournalEntry>('journal')
  /** True if the journal stores requests or has a listener. */
  isOn: boolean
  weight = 0
  /** Requests, oldest first, from the index `#start`. */
  #stored: (LoggedRequest | undefined)[] = []
  #start = 0
  #sequence = 0
  #lost = 0

  constructor(
    toEntry: (logged: LoggedRequest, details?: boolean) => JournalEntry,
    changes: ChangeNotes,
    budget: JournalBudget,
  ) {
    this.#toEntry = toEntry
    this.#isStored = budget.entries > 0
    this.isOn = this.#isStored
    this.#changes = changes
    this.#budget = budget
  }

  /** Drops the oldest eighth of its requests; false if it stores none. */
  lighten(): boolean {
    const count = Math.ceil((this.#stored.length - this.#start) / 8)
    this.#drop(count)
    return count > 0
  }

  /** Adds an answered request. `at` is in milliseconds since the epoch. */
  add(answered: AnsweredRequest, reply: UnderstudyReply, at: number, milliseconds: number): void {
    this.#sequence += 1
    const last = this.#stored.at(-1)?.headers ?? noHeaders
    const headers = shareHeaders(answered.request.headers ?? noHeaders, last)
    const logged = log(answered, reply, headers, this.#sequence, at, milliseconds)
    this.#stored.push(logged)
    if (logged.following !== undefined) this.#follow(logged.following)
    this.#budget.add(this, logged.weight)
    if (this.#stored.length - this.#start > this.#budget.entries) this.#drop(1)
    if (this.#changes.isHeard) this.#changes.note('requests')
    if (!this.#listeners.isEmpty) this.#listeners.notify(this.#toEntry(logged))
  }

  entries(filter: JournalFilter = {}): JournalEntry[] {
    checkOptions('journal.entries', filter, filterNames)
    return [...this.describe(filter)].filter((entry) => entry !== undefined)
  }

  /**
   * Yields entries; describes each on reading. Yields `undefined` for each entry that the filter omits: to compare its
   * path takes time too, and the reader may let others work in between.
   */
  *describe({ after = 0, details, ...wanted }: JournalFilter = {}): Iterable<JournalEntry | undefined> {
    // All other members of a filter are also members of entries.
    const names = keysOf(wanted).filter((name) => wanted[name] !== undefined)
    for (const logged of this.#stored.slice(this.#start)) {
      if (logged === undefined || logged.sequence <= after) continue
      if (wanted.sequence !== undefined && logged.sequence !== wanted.sequence) continue
      // The body of an entry takes most of the time.
      const isWanted = names.length === 0 || names.every(matches(this.#toEntry(logged, false), wanted))
      yield isWanted ? this.#toEntry(logged, details) : undefined
    }
  }

  lost(): number | null {
    return this.#isStored ? this.#lost : null
  }

  clear(): void {
    for (const logged of this.#stored) if (logged?.following !== undefined) dropChanges(logged.following)
    this.#stored = []
    this.#start = 0
    this.#lost = 0
    this.#budget.add(this, -this.weight)
    this.#changes.note('journal')
  }

  /** Clears the journal, and counts from 1 again. */
  restart(): void {
    this.clear()
    this.#sequence = 0
  }

  dispose(): void {
    this.clear()
    this.#listeners.end()
  }

  subscribe(hear: (entry: JournalEntry) => void, ended?: () => void): () => void {
    const stop = this.#listeners.add(hear, ended)
    this.isOn = true
    return () => {
      stop()
      this.isOn = this.#isStored || !this.#listeners.isEmpty
    }
  }

  /** Stores the scheduled events that follow from a request, within the limit of one request. */
  #follow(following: Following): void {
    let room: number = limits.journalChanges
    following.shouldStore = (changes) => {
      if (changes.length > room) return false
      room -= changes.length
      const weight = sizeOfChanges(changes)
      this.#budget.add(this, weight)
      // The journal may already have dropped the request.
      const isStored = following.shouldStore !== undefined
      if (!isStored) this.#budget.add(this, -weight)
      return isStored
    }
  }

  #drop(count: number): void {
    for (let left = count; left > 0; left--) {
      const oldest = this.#stored[this.#start]
      if (oldest === undefined) return
      this.#stored[this.#start] = undefined
      this.#start += 1
      const { weight, following } = oldest
      this.#budget.add(this, -weight - (following === undefined ? 0 : dropChanges(following)))
      this.#lost += 1
    }
    // Rarely moves the others: dropping the first item of a list each time costs more (`bench -- --only throughput`).
    if (this.#start < 512 || this.#start * 2 < this.#stored.length) return
    this.#stored = this.#stored.slice(this.#start)
    this.#start = 0
  }
}

/** Returns whether an entry has the value of a filter. */
function matches(entry: JournalEntry, wanted: EntryFilter): (name: keyof EntryFilter) => boolean {
  return (name) => entry[name] === wanted[name]
}

/** Drops the scheduled events that followed from a request. Returns their size in bytes. */
function dropChanges(following: Following): number {
  const weight = following.stored.reduce((sum, { changes }) => sum + sizeOfChanges(changes), 0)
  following.shouldStore = undefined
  following.stored = []
  return weight
}

/** Limits the journal of each world, and the total size of all journals. */
export class JournalBudget {
  readonly entries: number
  readonly #bytes: number
  readonly #dropped: (() => void) | undefined
  readonly #journals = new Set<JournalQueue>()
  #weight = 0
  #hasDropped = false

  constructor({ entries = limits.journalEntries, bytes = limits.journalBytes, dropped }: JournalOptions) {
    this.entries = entries
    this.#bytes = bytes
    this.#dropped = dropped
  }

  /** Adds the bytes that a journal has gained or lost. Beyond the limit, the largest journals drop their oldest requests. */
  add(journal: JournalQueue, weight: number): void {
    journal.weight += weight
    this.#weight += weight
    if (journal.weight > 0) this.#journals.add(journal)
    else this.#journals.delete(journal)
    if (weight > 0 && this.#weight > this.#bytes) this.#drop()
  }

  #drop(): void {
    if (!this.#hasDropped) {
      this.#hasDropped = true
      this.#dropped?.()
    }
    let hasMore = true
    while (hasMore && this.#weight > this.#bytes) {
      const heaviest = [...this.#journals].reduce((one, other) => (other.weight > one.weight ? other : one))
      hasMore = heaviest.lighten()
    }
  }
}

export interface AnsweredRequest {
  readonly request: UnderstudyRequest
  readonly match: Match
  readonly changes: NotedChanges | undefined
}

/** Text of a body, or its length if it is too long. */
export type LoggedBody = string | number | undefined

/** A request with its reply, as the journal stores it. The journal describes it when somebody reads it. */
export type LoggedRequest = Readonly<ReturnType<typeof log>>

/**
 * Copies the parts of a request that the journal stores. Entries live long, and each object that does costs time in
 * garbage collection, so there are few: requests share their headers, and a single change has no list around it.
 *
 * @param at time of the world, in milliseconds since the epoch.
 * @param milliseconds time taken to answer.
 */
function log(
  { request, match, changes: noted }: AnsweredRequest,
  reply: UnderstudyReply,
  headers: SentHeaders,
  sequence: number,
  at: number,
  milliseconds: number,
) {
  const all: readonly Change[] = noted ?? none
  // The panel shows all stored changes of a request at once.
  const shown = all.length > limits.journalChanges ? all.slice(0, limits.journalChanges) : all
  let shownWeight = 0
  for (const change of shown) shownWeight += change.weight
  const isLarge = shownWeight > limits.journalChangesBytes
  const changes = isLarge ? none : shown
  // The length of an unread body is unknown.
  const requestBody = request.body === tooLarge ? limits.body : toLogged(request.body)
  const replyBody = toLogged(reply.body)
  let weight = bytesOfEntry + 2 * request.url.length
  for (const body of [requestBody, replyBody]) if (typeof body === 'string') weight += 2 * body.length
  for (const name in headers) weight += 2 * (name.length + String(headers[name]).length)
  return {
    sequence,
    at,
    microseconds: Math.round(milliseconds * 1_000),
    held: reply.delivery ? heldBy(reply.delivery) : 0,
    method: request.method,
    url: request.url,
    endpoint: match.kind === 'endpoint' ? match.endpoint : undefined,
    headers,
    requestBody,
    httpStatus: reply.status,
    replyHeaders: reply.headers,
    replyBody,
    code: reply.code,
    faults: reply.faults ?? none,
    changes: changes.length > 1 ? changes : (changes[0] ?? none),
    omittedChanges: all.length - changes.length,
    /** Scheduled events that follow from the request, if there can be any. */
    following: noted?.following,
    /** Estimated size in bytes. */
    weight: isLarge ? weight : weight + shownWeight,
  }
}

type SentHeaders = NonNullable<UnderstudyRequest['headers']>
const noHeaders: SentHeaders = {}

/** Returns the headers of the previous request if they are equal, because clients repeat them. */
function shareHeaders(headers: SentHeaders, last: SentHeaders): SentHeaders {
  let others = 0
  for (const _ in last) others++
  for (const name in headers) {
    if (headers[name] !== last[name]) return headers
    others--
  }
  return others === 0 ? last : headers
}

const none: readonly never[] = []

function heldBy({ delay = 0, headTime = 0, bodyTime = 0, end }: Delivery): number | null {
  return end === 'hang' ? null : delay + headTime + bodyTime
}

function toLogged(body: UnderstudyRequest['body']): LoggedBody {
  if (typeof body !== 'string' || body === '') return undefined
  return body.length > limits.journalBody ? body.length : body
}

/** Estimated size of an entry without its texts. */
const bytesOfEntry = 1_000

/** Estimates the size of changes in bytes. Their records may exist only in the journal. */
function sizeOfChanges(changes: readonly Change[]): number {
  let weight = 0
  for (const change of changes) weight += change.weight
  return weight
}
