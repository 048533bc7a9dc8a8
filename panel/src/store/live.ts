import { batch, computed, effect, type Signal, signal } from '@preact/signals'
import type { Controls, WorldControls } from '../../../src/admin/client/types.ts'
import type { UpcomingEvent } from '../../../src/engine/events/event-types.ts'
import type { ActiveFault } from '../../../src/engine/faults/faults.ts'
import type { ChangedPart } from '../../../src/engine/worlds/change-stream.ts'
import type { WorldSummary } from '../../../src/engine/worlds/worlds.ts'
import type { ResourceDescription } from '../../../src/factories/describe-resources.ts'
import type { LastError } from '../../../src/resources/log/controls/last-errors.ts'
import { type AnyRecord, tableOf } from './any-table.ts'
import { type ClockReading, isGone, type LivePart, makeWorld, passOver, put, waits } from './live-parts.ts'
import { type Question, Questions } from './questions.ts'
import { RequestLog } from './request-log.ts'

/**
 * What the panel knows of a world, as signals: fed by the stream of changes, whoever makes them, and by a timer for the
 * next thing that happens by itself; it asks again for what these may have changed.
 */
export class Live {
  readonly controls: Controls
  readonly world: Signal<string>
  readonly #log = new RequestLog()
  readonly requests = this.#log.entries
  readonly hiddenErrors = this.#log.hiddenErrors
  readonly worlds = signal<readonly WorldSummary[]>([])
  readonly resources = signal<readonly ResourceDescription[]>([])
  readonly counts = signal<Readonly<Record<string, number>>>({})
  readonly faults = signal<readonly ActiveFault[]>([])
  readonly upcoming = signal<readonly UpcomingEvent[]>([])
  readonly lastErrors = signal<readonly LastError[]>([])
  /** Name of the world's faulty variant, where it has one. */
  readonly faultyVariant = computed(
    () => this.worlds.value.find(({ name }) => name === this.world.value)?.faultyVariant,
  )
  /** Counts how often a choice was switched where the document is silent. */
  readonly switched = signal(0)
  readonly isReady = signal(false)
  /** Since when the server does not answer, and when it is asked again; by this machine's clock. */
  readonly lost = signal<{ readonly since: number; readonly retryAt: number } | undefined>(undefined)
  readonly clock = signal<ClockReading>({ now: 0, speed: 0, readAt: 0 })
  /** The world's time as it passes. */
  readonly now = signal(0)
  readonly isFrozen = computed(() => this.clock.value.speed === 0)
  /** What views ask of tables that may be long. */
  readonly questions = new Questions((plural) => tableOf(this.of, plural))
  readonly #tables = new Map<string, Signal<readonly AnyRecord[] | undefined>>()
  readonly #asked = new Set<LivePart>()
  readonly #stops: (() => void)[] = []
  #stopStream: () => void = () => undefined
  #pending: ReturnType<typeof setTimeout> | undefined
  #nextEvent: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  /** Replies to what was asked before it was begun anew are dropped. */
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

  /** All records of a resource of which there are few; `undefined` until they are there. */
  table(plural: string): Signal<readonly AnyRecord[] | undefined> {
    let found = this.#tables.get(plural)
    if (found === undefined) {
      found = signal(undefined)
      this.#tables.set(plural, found)
      this.refresh(`records/${plural}`)
    }
    return found
  }

  /** Looks at a part of a table from now on, until what it returns is called. */
  watch(plural: string, question: Question): () => void {
    return this.questions.watch(plural, question, (error) => this.#fail(error))
  }

  /** Asks again, soon, and once for all that is asked meanwhile. */
  refresh(...parts: readonly LivePart[]): void {
    for (const part of parts) this.#asked.add(part)
    this.#pending ??= setTimeout(() => {
      this.#pending = undefined
      const asked = [...this.#asked]
      this.#asked.clear()
      void this.#ask(asked)
    }, 30)
  }

  /** Asks for everything again: something was done that may have changed anything. */
  refreshAll(): void {
    const plurals = new Set([...this.#tables.keys(), ...this.questions.plurals()])
    const tables = [...plurals].map((plural) => `records/${plural}` as const)
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
    try {
      // The page may be opened at a world that is not there yet; later ones are there, or have gone.
      if (!this.isReady.peek()) await makeWorld(this.controls, this.world.peek())
      if (turn !== this.#turn) return
      // What each view begins with is asked for meanwhile, and asked for again once nothing can be missed.
      if (!this.isReady.peek()) void this.#ask(['resources'])
      const stop = await this.of.changes.subscribe(
        ({ parts }) => turn === this.#turn && this.#hear(parts),
        () => turn === this.#turn && this.#resume(),
      )
      if (turn !== this.#turn) {
        stop()
        return
      }
      this.#stopStream = stop
      const setRequests = await this.#log.readAll(this.of)
      if (turn !== this.#turn) return
      batch(() => {
        this.lost.value = undefined
        setRequests()
      })
      this.refreshAll()
    } catch (error) {
      if (turn === this.#turn) await this.#unlessGone(() => this.#lose(error))
    }
  }

  /** Asks again for what has changed, whoever has changed it. */
  #hear(parts: readonly ChangedPart[]): void {
    for (const part of parts) {
      if (part.startsWith('records/')) this.refresh(part as LivePart, 'upcoming', 'errors')
      else if (part === 'clock') this.refresh('clock', 'upcoming')
      else if (part === 'assumptions') this.switched.value += 1
      else if (part !== 'snapshots') this.refresh(part as LivePart)
    }
  }

  /** Reads the requests that have come since; says how far it has read. */
  async readRequests(): Promise<number> {
    const set = await this.#log.readNew(this.of)
    set()
    return this.#log.last
  }

  /** A stream ends with its world, too, and another of that name may stand there already: only who finds none is lost. */
  #resume(): void {
    if (this.#isOver) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#unlessGone(() => void this.#begin()), waits.resume)
  }

  /** Goes to the main world where the one that was looked at is gone. */
  async #unlessGone(run: () => void): Promise<void> {
    if (await isGone(this.controls, this.world.peek())) this.world.value = 'main'
    else run()
  }

  #lose(error?: unknown): void {
    if (this.#isOver) return
    if (error !== undefined) console.warn('[understudy] The panel cannot reach the understudy.', error)
    const since = this.lost.value?.since ?? Date.now()
    this.lost.value = { since, retryAt: Date.now() + waits.retry }
    clearTimeout(this.#nextEvent)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#begin(), waits.retry)
  }

  async #ask(asked: readonly LivePart[]): Promise<void> {
    const turn = this.#turn
    try {
      const answers = await Promise.all(
        asked.map((part) => this.#answer(part).catch((error) => passOver(this.of, part, error))),
      )
      if (turn !== this.#turn) return
      batch(() => {
        for (const set of answers) set()
        if (asked.includes('faults')) this.isReady.value = true
      })
      this.#awaitNext()
    } catch (error) {
      if (turn === this.#turn) this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    if ((error as { code?: string }).code === 'UNREACHABLE') this.#lose()
    // What goes away while it is asked may not end a stream that was only beginning.
    else void this.#unlessGone(() => console.error('[understudy] The panel could not read the world.', error))
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
        return () => put(this.faults, faults)
      }
      case 'requests':
        return this.#log.readNew(of)
      case 'journal':
        return this.#log.readAll(of)
      case 'upcoming': {
        const { events } = await of.clock.next({ limit: 40 })
        return () => put(this.upcoming, events)
      }
      case 'errors': {
        const errors = await of.logs.lastErrors()
        return () => put(this.lastErrors, errors)
      }
      case 'worlds': {
        const worlds = await controls.worlds.list()
        return () => put(this.worlds, worlds)
      }
      case 'resources': {
        const resources = await of.resources()
        const stored = resources.filter(({ isStored }) => isStored)
        const counts = await Promise.all(stored.map(({ plural }) => tableOf(of, plural).count()))
        const byPlural = Object.fromEntries(stored.map(({ plural }, index) => [plural, counts[index]!]))
        return () => {
          put(this.resources, resources)
          put(this.counts, byPlural)
        }
      }
      default: {
        const plural = part.slice('records/'.length)
        const isLookedAt = this.#tables.has(plural)
        const table = tableOf(of, plural)
        const records = isLookedAt ? await table.all() : undefined
        const [count, setAnswers] = await Promise.all([
          records?.length ?? table.count(),
          this.questions.askAgain(plural),
        ])
        return () => {
          setAnswers()
          if (records !== undefined) this.table(plural).value = records
          if (this.counts.value[plural] !== count)
            this.counts.value = { ...this.counts.value, [plural]: count }
        }
      }
    }
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
    this.#nextEvent = setTimeout(() => this.refreshAll(), Math.min(Math.max(wait + 50, 300), waits.longest))
  }
}
