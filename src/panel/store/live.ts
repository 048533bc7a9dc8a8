import { batch, computed, effect, type Signal, signal } from '@preact/signals'
import type { Controls, WorldControls } from '../../client/types.ts'
import type { UpcomingEvent } from '../../engine/events/event-types.ts'
import type { ActiveFault } from '../../engine/faults/faults.ts'
import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import type { WorldSummary } from '../../engine/worlds/worlds.ts'
import type { ResourceDescription } from '../../factories/describe-resources.ts'
import type { LastError } from '../../resources/log/last-errors.ts'
import { type AnyRecord, tableOf } from './acts.ts'

/** Where the clock stood when it was read, and how fast it runs since. */
interface ClockReading {
  readonly now: number
  readonly speed: number
  readonly readAt: number
}

/** What of a world is to be asked for again: a table by its plural, or one of the others. */
type LivePart = 'clock' | 'faults' | 'upcoming' | 'errors' | 'worlds' | 'resources' | `records/${string}`

const mostRequests = 1_000
const retryAfter = 5_000
/** The longest wait of a timer of a browser. */
const longestTimer = 2 ** 31 - 1

/**
 * What the panel knows of a world, as signals. It is fed by the stream of the journal, by what the panel does itself,
 * and by a timer for the next thing that happens by itself; it asks again for what these may have changed.
 */
export class Live {
  readonly controls: Controls
  readonly world: Signal<string>
  readonly worlds = signal<readonly WorldSummary[]>([])
  readonly resources = signal<readonly ResourceDescription[]>([])
  readonly counts = signal<Readonly<Record<string, number>>>({})
  /** The newest first. */
  readonly requests = signal<readonly JournalEntry[]>([])
  readonly faults = signal<readonly ActiveFault[]>([])
  readonly upcoming = signal<readonly UpcomingEvent[]>([])
  readonly lastErrors = signal<readonly LastError[]>([])
  readonly isReady = signal(false)
  /** Since when the server does not answer, and when it is asked again; by this machine's clock. */
  readonly lost = signal<{ readonly since: number; readonly retryAt: number } | undefined>(undefined)
  readonly clock = signal<ClockReading>({ now: 0, speed: 0, readAt: 0 })
  /** The world's time as it passes. */
  readonly now = signal(0)
  readonly isFrozen = computed(() => this.clock.value.speed === 0)
  /** Errors that came under HTTP 200. */
  readonly hiddenErrors = computed(
    () => this.requests.value.filter(({ status, httpStatus }) => status !== 200 && httpStatus === 200).length,
  )
  readonly #tables = new Map<string, Signal<readonly AnyRecord[] | undefined>>()
  readonly #asked = new Set<LivePart>()
  readonly #stops: (() => void)[] = []
  #stopStream: () => void = () => undefined
  #pending: ReturnType<typeof setTimeout> | undefined
  #nextEvent: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  /** Counts what was begun anew, so that replies to what was asked before are dropped. */
  #turn = 0
  #isOver = false

  constructor(controls: Controls, world: string) {
    this.controls = controls
    this.world = signal(world)
    const ticking = setInterval(() => this.#tick(), 250)
    const look = () => {
      if (document.visibilityState === 'visible')
        this.refresh('clock', 'faults', 'upcoming', 'worlds', 'resources')
    }
    document.addEventListener('visibilitychange', look)
    this.#stops.push(
      () => clearInterval(ticking),
      () => document.removeEventListener('visibilitychange', look),
      effect(() => {
        this.world.value
        void this.#begin()
      }),
    )
  }

  get of(): WorldControls {
    return this.controls.world(this.world.value)
  }

  /** The records of a resource, asked for when they are first looked at; `undefined` until they are there. */
  table(plural: string): Signal<readonly AnyRecord[] | undefined> {
    let found = this.#tables.get(plural)
    if (found === undefined) {
      found = signal(undefined)
      this.#tables.set(plural, found)
      this.refresh(`records/${plural}`)
    }
    return found
  }

  /** Asks again, soon, and once for all that is asked meanwhile. */
  refresh(...parts: readonly LivePart[]): void {
    for (const part of parts) this.#asked.add(part)
    this.#pending ??= setTimeout(() => void this.#ask(), 30)
  }

  /** Asks for everything again: something was done that may have changed anything. */
  refreshAll(): void {
    const tables = [...this.#tables.keys()].map((plural) => `records/${plural}` as const)
    this.refresh('clock', 'faults', 'upcoming', 'errors', 'worlds', 'resources', ...tables)
  }

  /** Asks whether the server answers again. */
  tryNow(): void {
    if (this.lost.value !== undefined) void this.#begin()
  }

  dispose(): void {
    this.#isOver = true
    this.#turn += 1
    this.#stopStream()
    for (const stop of this.#stops) stop()
    for (const timer of [this.#pending, this.#nextEvent, this.#retry]) clearTimeout(timer)
  }

  /** Looks at a world from the beginning: its stream first, so that nothing is missed. */
  async #begin(): Promise<void> {
    this.#turn += 1
    const turn = this.#turn
    this.#stopStream()
    clearTimeout(this.#retry)
    const { journal } = this.of
    try {
      const heard: JournalEntry[] = []
      let hear: (entry: JournalEntry) => void = (entry) => {
        heard.push(entry)
      }
      const stop = await journal.subscribe(
        (entry) => hear(entry),
        () => turn === this.#turn && this.#lose(),
      )
      if (turn !== this.#turn) {
        stop()
        return
      }
      this.#stopStream = stop
      const before = await journal.entries()
      if (turn !== this.#turn) return
      const last = before.at(-1)?.sequence ?? 0
      batch(() => {
        this.lost.value = undefined
        this.requests.value = [...before, ...heard.filter(({ sequence }) => sequence > last)].reverse()
      })
      hear = (entry) => this.#hear(entry)
      this.refreshAll()
    } catch (error) {
      if (turn === this.#turn) this.#lose(error)
    }
  }

  #hear(entry: JournalEntry): void {
    this.requests.value = [entry, ...this.requests.value].slice(0, mostRequests)
    if (entry.faults.length > 0) this.refresh('faults')
    const changed = new Set(entry.changes.map(({ path }) => path.split('/')[1] ?? ''))
    if (changed.size === 0) return
    this.refresh('upcoming', 'errors', 'clock', ...[...changed].map((plural) => `records/${plural}` as const))
  }

  #lose(error?: unknown): void {
    if (this.#isOver) return
    if (error !== undefined) console.warn('[understudy] The panel cannot reach the understudy.', error)
    const since = this.lost.value?.since ?? Date.now()
    this.lost.value = { since, retryAt: Date.now() + retryAfter }
    clearTimeout(this.#nextEvent)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#begin(), retryAfter)
  }

  async #ask(): Promise<void> {
    this.#pending = undefined
    const asked = [...this.#asked]
    this.#asked.clear()
    const turn = this.#turn
    try {
      const answers = await Promise.all(asked.map((part) => this.#answer(part)))
      if (turn !== this.#turn) return
      batch(() => {
        for (const set of answers) set()
        this.isReady.value = true
      })
      this.#awaitNext()
    } catch (error) {
      if (turn !== this.#turn) return
      if ((error as { code?: string }).code === 'UNREACHABLE') this.#lose()
      else console.error('[understudy] The panel could not read the world.', error)
    }
  }

  /** Asks for a part; what it gives puts the answer in its place. */
  async #answer(part: LivePart): Promise<() => void> {
    const { of, controls } = this
    switch (part) {
      case 'clock': {
        const [now, speed] = await Promise.all([of.clock.now(), of.clock.speed()])
        return () => {
          this.clock.value = { now, speed, readAt: performance.now() }
          this.#tick()
        }
      }
      case 'faults': {
        const faults = await of.faults.list()
        return () => this.#set(this.faults, faults)
      }
      case 'upcoming': {
        const { events } = await of.clock.next({ limit: 40 })
        return () => this.#set(this.upcoming, events)
      }
      case 'errors': {
        const errors = await of.logs.lastErrors()
        return () => this.#set(this.lastErrors, errors)
      }
      case 'worlds': {
        const worlds = await controls.worlds.list()
        return () => this.#set(this.worlds, worlds)
      }
      case 'resources': {
        const resources = await of.resources()
        const stored = resources.filter(({ isStored }) => isStored)
        const counts = await Promise.all(stored.map(({ plural }) => tableOf(of, plural).count()))
        return () => {
          this.#set(this.resources, resources)
          this.#set(
            this.counts,
            Object.fromEntries(stored.map(({ plural }, index) => [plural, counts[index]!])),
          )
        }
      }
      default: {
        const plural = part.slice('records/'.length)
        const isLookedAt = this.#tables.has(plural)
        const table = tableOf(of, plural)
        const records = isLookedAt ? await table.all() : undefined
        const count = records?.length ?? (await table.count())
        return () => {
          if (records !== undefined) this.table(plural).value = records
          if (this.counts.value[plural] !== count)
            this.counts.value = { ...this.counts.value, [plural]: count }
        }
      }
    }
  }

  /** Puts a value in its place, where it says something new. */
  #set<Value>(place: Signal<Value>, value: Value): void {
    if (JSON.stringify(place.peek()) !== JSON.stringify(value)) place.value = value
  }

  #tick(): void {
    const { now, speed, readAt } = this.clock.value
    if (this.lost.value !== undefined) return
    this.now.value = speed === 0 ? now : Math.floor(now + (performance.now() - readAt) * speed)
  }

  /** Asks again when the next thing has happened by itself. */
  #awaitNext(): void {
    clearTimeout(this.#nextEvent)
    const { speed } = this.clock.value
    const [next] = this.upcoming.value
    if (next === undefined || speed === 0) return
    const wait = (Date.parse(next.at) - this.now.value) / speed
    this.#nextEvent = setTimeout(() => this.refreshAll(), Math.min(Math.max(wait + 50, 300), longestTimer))
  }
}
