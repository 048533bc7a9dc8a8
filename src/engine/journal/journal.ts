import type { Router } from '../router.ts'
import { type Exchange, type Kept, keepExchange } from './exchange.ts'
import { type Har, toHar } from './har.ts'
import { describeEntry, type JournalEntry } from './journal-entry.ts'

export interface JournalOptions {
  /** How many requests each world keeps, the newest ones. Default 1,000; 0 keeps none and costs nothing. */
  readonly entries?: number
  /** How many all worlds keep together: each as many as every other. Default 50,000. */
  readonly total?: number
  /** How much of their bodies each world keeps, in characters. Default 4 million. */
  readonly characters?: number
}

/** Which entries are meant; what is left out is any. */
export interface JournalFilter {
  readonly operation?: string
  readonly method?: string
  readonly path?: string
  /** The logical status: `error.code`, or 200. */
  readonly status?: number
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
  har(): Har
  /** Calls a function for each later request; what it returns ends that. `ended` is told when the world is forgotten. */
  subscribe(listener: (entry: JournalEntry) => void, ended?: () => void): () => void
}

interface Listener {
  readonly hear: (entry: JournalEntry) => void
  readonly ended: (() => void) | undefined
}

/** The newest exchanges of a world, bounded in their number and in the length of their bodies. */
export class JournalQueue implements Journal {
  readonly #world: string
  readonly #router: () => Router
  readonly #isKept: boolean
  readonly #most: () => number
  readonly #mostCharacters: number
  readonly #listeners = new Set<Listener>()
  #kept: (Kept | undefined)[] = []
  /** The place of the oldest exchange; what stood before it is gone. */
  #start = 0
  #characters = 0
  #sequence = 0
  #lost = 0

  constructor(
    world: string,
    router: () => Router,
    { entries = 1_000, total = 50_000, characters = 4_000_000 }: JournalOptions,
    worlds: () => number,
  ) {
    this.#world = world
    this.#router = router
    this.#isKept = entries > 0 && total > 0
    this.#most = () => Math.min(entries, Math.ceil(total / worlds()))
    this.#mostCharacters = characters
  }

  /** Whether requests are kept, or somebody listens. */
  get isOn(): boolean {
    return this.#isKept || this.#listeners.size > 0
  }

  add(exchange: Exchange): void {
    this.#sequence += 1
    const kept = keepExchange(exchange, this.#sequence)
    this.#keep(kept)
    if (this.#listeners.size === 0) return
    const entry = this.#describe(kept)
    for (const { hear } of this.#listeners) {
      try {
        hear(entry)
      } catch (error) {
        // What a listener does wrong is not the request's fault, and is not to be lost either.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  entries(filter: JournalFilter = {}): JournalEntry[] {
    const asked = Object.entries(filter).filter(([, value]) => value !== undefined)
    return this.#kept
      .slice(this.#start)
      .map((exchange) => this.#describe(exchange!))
      .filter((entry) => asked.every(([name, value]) => entry[name as keyof JournalFilter] === value))
  }

  lost(): number | null {
    return this.#isKept ? this.#lost : null
  }

  clear(): void {
    this.#kept = []
    this.#lost = 0
    this.#start = 0
    this.#characters = 0
  }

  /** Forgets every request, and counts from 1 again. */
  restart(): void {
    this.clear()
    this.#sequence = 0
  }

  /** Forgets every request and every listener. */
  dispose(): void {
    this.clear()
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const { ended } of listeners) ended?.()
  }

  har(): Har {
    return toHar(this.entries())
  }

  subscribe(hear: Listener['hear'], ended?: () => void): () => void {
    // Each subscription is one of its own, even of the same function.
    const own: Listener = { hear, ended }
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  #describe(exchange: Kept): JournalEntry {
    return describeEntry(exchange, this.#world, this.#router())
  }

  #keep(exchange: Kept): void {
    this.#kept.push(exchange)
    this.#characters += exchange.weight
    const most = this.#most()
    while (this.#kept.length - this.#start > most || this.#characters > this.#mostCharacters) this.#drop()
    // Moved together seldom, so that it costs little each time.
    if (this.#start < 512 || this.#start * 2 < this.#kept.length) return
    this.#kept = this.#kept.slice(this.#start)
    this.#start = 0
  }

  #drop(): void {
    this.#characters -= this.#kept[this.#start]!.weight
    this.#kept[this.#start] = undefined
    this.#start += 1
    this.#lost += 1
  }
}
