import type { Following } from '../../factories/change.ts'
import type { OperationName } from '../../resources/table-types.ts'
import { checkNames, type NamesOf } from '../../shared/known-names.ts'
import * as limits from '../../shared/limits.ts'
import { Listeners } from '../listeners.ts'
import type { UnderstudyReply } from '../messages.ts'
import type { Har } from './har.ts'
import { type BudgetedJournal, JournalBudget } from './journal-budget.ts'
import { describeEntry, type JournalEntry } from './journal-entry.ts'
import { type AnsweredRequest, LoggedRequest, weighChanges } from './logged-request.ts'
import type { Redactor } from './redact.ts'

export interface JournalOptions {
  /** How many requests each world keeps, the newest ones. Default 1,000; 0 keeps none and costs nothing. */
  readonly entries?: number
  /** How many all worlds keep together: each as many as every other. Default 50,000. */
  readonly total?: number
  /** How much memory all worlds keep together, in bytes; the heaviest world drops its oldest first. Default 128 MB. */
  readonly bytes?: number
  /** Told once, when the first request is dropped for its bytes. */
  readonly dropped?: () => void
}

/** Which entries are meant; what is left out is any. */
export interface JournalFilter {
  readonly operation?: OperationName
  readonly method?: string
  readonly path?: string
  /** The logical status: `error.code`, or 200. */
  readonly status?: number
  /** Those that came after the one of this `sequence`. */
  readonly after?: number
}

/** The journal of a world: every request it has had, the newest of them. */
export interface Journal {
  /**
   * The entries, oldest first, without credentials.
   *
   * @example
   * understudy.journal.entries({ operation: 'updateBackfill' })
   */
  entries(filter?: JournalFilter): JournalEntry[]
  /** How many requests there have been since the last `clear` that it does not keep; `null` where it keeps none at all. */
  lost(): number | null
  clear(): void
  /** The entries as an HTTP archive (HAR 1.2), for the tools that read those. */
  har(): Promise<Har>
  /**
   * Calls a function for each later request; what it returns ends that. `ended` is told when the world is forgotten.
   * Where the function throws, the error is reported on the console, once; the request and other listeners go on.
   */
  subscribe(listener: (entry: JournalEntry) => void, ended?: () => void): () => void
}

const filterNames: NamesOf<JournalFilter> = {
  operation: true,
  method: true,
  path: true,
  status: true,
  after: true,
}

/** The newest requests of a world, bounded in their number and in the length of their bodies. */
export class JournalQueue implements Journal, BudgetedJournal {
  readonly #world: string
  readonly #redactor: () => Redactor
  readonly #isKept: boolean
  readonly #most: number
  readonly #mostTogether: number
  readonly #worldCount: () => number
  readonly #budget: JournalBudget
  readonly #listeners = new Listeners<JournalEntry>('journal')
  /** Called when a request has been entered, and when it was emptied. */
  changed: (what: 'requests' | 'journal') => void = () => undefined
  #kept: (LoggedRequest | undefined)[] = []
  /** The place of the oldest request; what stood before it is gone. */
  #start = 0
  #weight = 0
  #sequence = 0
  #lost = 0

  constructor(
    world: string,
    redactor: () => Redactor,
    { entries = limits.journalEntries, total = limits.journalTotal }: JournalOptions,
    worldCount: () => number,
    budget = new JournalBudget(limits.journalBytes),
  ) {
    this.#world = world
    this.#redactor = redactor
    this.#isKept = entries > 0 && total > 0
    this.#most = entries
    this.#mostTogether = total
    this.#worldCount = worldCount
    this.#budget = budget
  }

  /** About how much memory its requests take, in bytes. */
  get weight(): number {
    return this.#weight
  }

  lighten(weight: number): void {
    while (this.#weight > weight && this.#kept.length > this.#start) this.#drop()
  }

  /** Whether requests are kept, or somebody listens. */
  get isOn(): boolean {
    return this.#isKept || !this.#listeners.isEmpty
  }

  /** Enters a request that was answered at a moment, in milliseconds since the epoch, and in so many milliseconds. */
  add(answered: AnsweredRequest, reply: UnderstudyReply, at: number, milliseconds: number): void {
    this.#sequence += 1
    const logged = new LoggedRequest(answered, reply, this.#sequence, at, milliseconds, this.#kept.at(-1))
    this.#keep(logged)
    this.changed('requests')
    if (!this.#listeners.isEmpty) this.#listeners.tell(this.#describe(logged))
  }

  entries(filter?: JournalFilter): JournalEntry[] {
    return [...this.describing(filter)]
  }

  /** The entries of this moment, one by one, as they are asked for; those after a sequence. */
  describing(filter: JournalFilter = {}, after = filter.after ?? 0): Iterable<JournalEntry> {
    checkNames('journal.entries', filter, filterNames)
    return this.#describeAll(this.#kept.slice(this.#start), filter, after)
  }

  *#describeAll(
    kept: readonly (LoggedRequest | undefined)[],
    { after: _, ...wanted }: JournalFilter,
    after: number,
  ): Iterable<JournalEntry> {
    // All other names of a filter are those of what entries are to have.
    const names = Object.keys(wanted) as (keyof typeof wanted)[]
    for (const logged of kept) {
      if (logged === undefined || logged.sequence <= after) continue
      const entry = this.#describe(logged)
      if (names.every((name) => wanted[name] === undefined || entry[name] === wanted[name])) yield entry
    }
  }

  lost(): number | null {
    return this.#isKept ? this.#lost : null
  }

  clear(): void {
    for (const logged of this.#kept) if (logged?.following !== undefined) forget(logged.following)
    this.#kept = []
    this.#lost = 0
    this.#start = 0
    this.#weigh(-this.#weight)
    this.changed('journal')
  }

  /** Forgets every request, and counts from 1 again. */
  restart(): void {
    this.clear()
    this.#sequence = 0
  }

  /** Forgets every request and every listener. */
  dispose(): void {
    this.clear()
    this.#listeners.end()
  }

  async har(): Promise<Har> {
    const entries = this.describing()
    const { toHar, toHarEntries } = await import('./har.ts')
    return toHar([...toHarEntries(entries)])
  }

  subscribe(hear: (entry: JournalEntry) => void, ended?: () => void): () => void {
    return this.#listeners.add(hear, ended)
  }

  #describe(logged: LoggedRequest): JournalEntry {
    return describeEntry(logged, this.#world, this.#redactor())
  }

  #keep(logged: LoggedRequest): void {
    this.#kept.push(logged)
    if (logged.following !== undefined) this.#follow(logged.following)
    this.#weigh(logged.weight)
    const most = Math.min(this.#most, Math.ceil(this.#mostTogether / this.#worldCount()))
    while (this.#kept.length - this.#start > most) this.#drop()
    this.#budget.keep()
    // Moved together seldom, so that it costs little each time.
    if (this.#start < 512 || this.#start * 2 < this.#kept.length) return
    this.#kept = this.#kept.slice(this.#start)
    this.#start = 0
  }

  #weigh(weight: number): void {
    this.#weight += weight
    this.#budget.count(this, weight)
  }

  /** Keeps what follows from a request with it, as far as there may be so much of one. */
  #follow(following: Following): void {
    following.room = limits.journalChanges
    following.keeps = (changes) => {
      if (changes.length + (changes.more ?? 0) > following.room) return false
      following.room -= changes.length
      const weight = weighChanges(changes)
      this.#weigh(weight)
      this.#budget.keep()
      // The request itself may have had to go.
      const isKept = following.keeps !== undefined
      if (!isKept) this.#weigh(-weight)
      return isKept
    }
  }

  #drop(): void {
    const oldest = this.#kept[this.#start]
    if (oldest === undefined) return
    const { weight, following } = oldest
    this.#weigh(-weight)
    if (following !== undefined) this.#weigh(-forget(following))
    this.#kept[this.#start] = undefined
    this.#start += 1
    this.#lost += 1
  }
}

/** Keeps nothing more of what follows from a request that is gone; gives what it has taken, in bytes. */
function forget(following: Following): number {
  const weight = following.kept.reduce((sum, { changes }) => sum + weighChanges(changes), 0)
  following.keeps = undefined
  following.kept = []
  return weight
}
