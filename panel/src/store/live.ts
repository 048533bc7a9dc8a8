import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type {
  ActiveFault,
  ChangedPart,
  Controls,
  JournalEntry,
  LastError,
  ResourceDescription,
  ScheduledEvent,
  WorldControls,
} from '../library.ts'
import { type LivePart, Query, type Read } from './query.ts'
import { mostRequests } from './words.ts'

/** The time of the clock at the last read, and its speed since. */
interface ClockReading {
  readonly now: number
  readonly speed: number
  readonly readAt: number
}

/**
 * Waits in milliseconds: to merge changes, between two refreshes, after the end of a stream, after the loss of a server, and
 * the longest wait of a timer.
 */
const waits = { merge: 30, pace: 400, resume: 50, retry: 2_000, longest: 2 ** 31 - 1 } as const

/**
 * Queries of a world that the stream of changes from any source invalidates, and a timer for the next scheduled
 * event. One refresh runs at a time, at a bounded rate. The next one reads the parts that change meanwhile.
 */
export class Live {
  readonly controls: Controls
  readonly world: Signal<string>
  /** The time by this machine's clock since which the server does not answer. */
  readonly lost = signal<number | undefined>(undefined)
  /** A change from outside that explains a new view. */
  readonly notice = signal<string | undefined>(undefined)
  readonly #queries = new Map<string, Query<unknown>>()
  readonly #observed: ReadonlySignal<unknown>[] = []
  /** False until the first read of the parts that the panel always observes. */
  readonly isReady = computed(() => this.#observed.every(({ value }) => value !== undefined))
  readonly clock: ReadonlySignal<ClockReading>
  readonly resources: ReadonlySignal<readonly ResourceDescription[]>
  readonly faults: ReadonlySignal<readonly ActiveFault[]>
  readonly scheduled: ReadonlySignal<readonly ScheduledEvent[]>
  readonly lastErrors: ReadonlySignal<readonly LastError[]>
  /** The newest first, without headers, bodies and changes. */
  readonly requests: ReadonlySignal<readonly JournalEntry[]>
  /** The number of errors that came under HTTP 200. */
  readonly hiddenErrors = computed(
    () => this.requests.value.filter(({ status, httpStatus }) => status !== 200 && httpStatus === 200).length,
  )
  /** The running time of the world. */
  readonly now = signal(0)
  readonly isFrozen = computed(() => this.clock.value.speed === 0)
  readonly #stops: (() => void)[] = []
  readonly #stale = new Set<LivePart | 'all'>()
  #isRefreshing = false
  #refreshedAt = Number.NEGATIVE_INFINITY
  #stopStream: () => void = () => undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  /** The number of the present stream. Events of earlier ones are ignored. */
  #streamNumber = 0
  /** The time of the page at which the last stream ended; absent while a stream is open. */
  #endedAt: number | undefined

  constructor(controls: Controls, world: string) {
    this.controls = controls
    this.world = signal(world)
    this.resources = this.#observe<readonly ResourceDescription[]>('resources', [], (of) => of.resources())
    this.clock = this.#observe('clock', { now: 0, speed: 0, readAt: 0 }, async ({ clock }) => {
      const [now, speed] = await Promise.all([clock.now(), clock.speed()])
      return { now, speed, readAt: performance.now() }
    })
    this.faults = this.#observe<readonly ActiveFault[]>('faults', [], ({ faults }) => faults.list())
    this.scheduled = this.#observe<readonly ScheduledEvent[]>('scheduled', [], async ({ clock }) => {
      return (await clock.next({ limit: 40 })).events
    })
    this.lastErrors = this.#observe<readonly LastError[]>('errors', [], ({ logs }) => logs.lastErrors())
    this.requests = this.#observe<readonly JournalEntry[]>('requests', [], requestReader({ details: false }))
    const ticking = setInterval(() => this.#tick(), 250)
    const leaving = new AbortController()
    // A page in the background may have missed changes.
    globalThis.document?.addEventListener('visibilitychange', () => void this.refresh('all'), leaving)
    this.#stops.push(
      () => clearInterval(ticking),
      () => leaving.abort(),
      effect(() => this.#tick()),
      effect(() => this.#awaitNext()),
      effect(() => {
        this.world.value
        void this.#begin()
      }),
    )
  }

  get of(): WorldControls {
    return this.controls.world(this.world.value)
  }

  /** Returns the query about the world that `detail` distinguishes from others about the part. */
  query<Value>(part: LivePart, detail: readonly unknown[], read: Read<Value>): Query<Value> {
    const { of } = this
    const key = JSON.stringify([of.name, part, detail])
    const known = this.#queries.get(key)
    if (known !== undefined) return known as Query<Value>
    const made = new Query(of, part, read, (...failure) => void this.#fail(...failure))
    this.#queries.set(key, made as Query<unknown>)
    return made
  }

  /** Reads parts again soon, together with all others that change until the end of the present refresh. */
  async refresh(...parts: readonly (LivePart | 'all')[]): Promise<void> {
    for (const part of parts) this.#stale.add(part)
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    // Sends no reads to a server that does not respond. When it responds again, reads everything again.
    while (this.#stale.size > 0 && this.lost.value === undefined) {
      const wait = Math.max(waits.merge, this.#refreshedAt + waits.pace - performance.now())
      await new Promise((resolve) => setTimeout(resolve, wait))
      this.#refreshedAt = performance.now()
      const stale = new Set<string>(this.#stale)
      this.#stale.clear()
      await Promise.all(
        [...this.#queries].map(([key, query]) => {
          if (!stale.has('all') && !stale.has(query.part)) return undefined
          if (query.isWatched) return query.read()
          return void this.#queries.delete(key)
        }),
      )
    }
    this.#isRefreshing = false
  }

  async readSequence(): Promise<number> {
    const after = this.requests.value[0]?.sequence ?? 0
    const entries = await this.of.journal.entries({ after, details: false })
    return entries.at(-1)?.sequence ?? after
  }

  dispose(): void {
    this.#streamNumber += 1
    this.#stopStream()
    for (const stop of this.#stops) stop()
    clearTimeout(this.#retry)
    this.#stale.clear()
    this.#queries.clear()
  }

  /** Observes a part of the world as long as the panel is open; the last value stays until the next read. */
  #observe<Value>(part: LivePart, initial: Value, read: Read<Value>): ReadonlySignal<Value> {
    const found = signal<Value | undefined>(undefined)
    this.#observed.push(found)
    this.#stops.push(
      effect(() => {
        const query = this.query(part, [], read)
        found.value = query.answer.value ?? found.peek()
        return query.watch()
      }),
    )
    return computed(() => found.value ?? initial)
  }

  /** Subscribes to a world. Opens the stream first, so that no change is lost. */
  async #begin(): Promise<void> {
    this.#streamNumber += 1
    const streamNumber = this.#streamNumber
    this.#stopStream()
    clearTimeout(this.#retry)
    try {
      const stop = await this.of.changes.subscribe(
        ({ parts }) => streamNumber === this.#streamNumber && this.#onChange(parts),
        () => streamNumber === this.#streamNumber && this.#resume(),
      )
      if (streamNumber !== this.#streamNumber) return stop()
      this.#stopStream = stop
      const isRestarted = await this.#hasRestarted()
      this.#endedAt = undefined
      this.lost.value = undefined
      // Another server may have started meanwhile, whose request numbers begin again.
      await this.#restartRequests()
      if (isRestarted) {
        this.notice.value =
          'The server restarted: its state is new or restored, and earlier requests are gone.'
      }
      void this.refresh('all')
    } catch (error) {
      if (streamNumber === this.#streamNumber) await this.#unlessGone(() => this.#lose(error))
    }
  }

  async #restartRequests(): Promise<void> {
    const queries = [...this.#queries.values()].filter(({ part }) => part === 'requests')
    await Promise.all(queries.map((query) => query.restart()))
  }

  /** Returns whether the server has restarted since the last stream ended: its main world is younger than that. */
  async #hasRestarted(): Promise<boolean> {
    if (this.#endedAt === undefined) return false
    const worlds = await this.controls.worlds.list()
    const { age = Number.POSITIVE_INFINITY } = worlds.find(({ name }) => name === 'main') ?? {}
    return age < performance.now() - this.#endedAt
  }

  /** Reads the changed parts again, and those that depend on them. */
  #onChange(parts: readonly ChangedPart[]): void {
    for (const part of parts) {
      if (part === 'journal') void this.#restartRequests()
      else if (part.startsWith('records/')) void this.refresh(part, 'scheduled', 'errors', 'found')
      else if (part === 'clock') void this.refresh(part, 'scheduled')
      else if (part === 'requests') void this.refresh(part, 'worlds')
      else void this.refresh(part)
    }
  }

  /** Continues after the end of a stream. A stream also ends with its world, and another world of that name may exist already. */
  #resume(): void {
    this.#endedAt ??= performance.now()
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#unlessGone(() => void this.#begin()), waits.resume)
  }

  /** Goes to the main world if the present one is gone. */
  async #unlessGone(run: () => void): Promise<void> {
    const world = this.world.peek()
    if (!(await this.#isGone())) return run()
    if (world !== this.world.peek()) return
    this.notice.value = `World ${world} does not exist or was deleted. This is world main.`
    this.world.value = 'main'
  }

  /** Returns whether the present world does not exist; undefined if the server does not answer. */
  async #isGone(): Promise<boolean> {
    const world = this.world.peek()
    const worlds = await Promise.resolve(this.controls.worlds.list()).catch(() => undefined)
    return worlds?.every(({ name }) => name !== world) ?? false
  }

  #lose(error: unknown): void {
    if (this.lost.peek() === undefined)
      console.warn('[understudy] The panel cannot reach the understudy.', error)
    this.lost.value ??= Date.now()
    this.#endedAt ??= performance.now()
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#begin(), waits.retry)
  }

  async #fail(error: unknown, world: string): Promise<void> {
    if (world !== this.world.peek()) return
    if (Object(error).code === 'UNREACHABLE') {
      if (this.lost.peek() === undefined) this.#lose(error)
      return
    }
    await this.#unlessGone(() => console.error('[understudy] The panel could not read the world.', error))
  }

  #tick(): void {
    const { now, speed, readAt } = this.clock.value
    if (this.lost.value !== undefined) return
    this.now.value = speed === 0 ? now : Math.floor(now + (performance.now() - readAt) * speed)
  }

  /** Reads everything again when the next scheduled event has happened. */
  #awaitNext(): (() => void) | undefined {
    const { speed } = this.clock.value
    const [next] = this.scheduled.value
    if (next === undefined || speed === 0 || this.lost.value !== undefined) return undefined
    const wait = (Date.parse(next.at) - this.now.peek()) / speed
    const delay = Math.min(Math.max(wait + 50, 300), waits.longest)
    const timer = setTimeout(() => void this.refresh('all'), delay)
    return () => clearTimeout(timer)
  }
}

/** Returns a function that reads the requests after the known ones; the newest first. */
export function requestReader({ details }: { readonly details: boolean }): Read<readonly JournalEntry[]> {
  return async ({ journal }, known = []) => {
    const entries = await journal.entries({ after: known[0]?.sequence ?? 0, details })
    return entries.length === 0 ? known : [...entries.toReversed(), ...known].slice(0, mostRequests)
  }
}
