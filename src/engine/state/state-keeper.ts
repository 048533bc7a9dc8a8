import { messageOf } from '../../shared/built-ins.ts'
import { realTime } from '../../shared/real-time.ts'
import { doInSlices } from '../worlds/turns.ts'
import type { ChangeCounter } from './change-counter.ts'
import type { StatePlace } from './state-place.ts'
import type { StateKeeping, StorageListener } from './state-storage.ts'
import type { StateMoment, StateWriter } from './state-writer.ts'
import { StorageError } from './storage-error.ts'

/** Milliseconds from a change until it is kept where the place says nothing, and what of them is left for writing. */
const usualWithin = 1_000
const forWriting = 100
/**
 * How many bytes may be made of records, and be written, in a millisecond: a state that has more waits longer. Not how
 * long that takes, which on a busy machine says nothing.
 */
const most = { made: 20_000, written: 50_000 }
/** Milliseconds from a first change to the look at it: what comes together is written together. */
const soon = 20

// As they are at the beginning: a test may put the clock of its page or process aside later.
const { setTimeout: afterwards, clearTimeout: forget } = globalThis

export interface StateKeeperOptions {
  readonly place: StatePlace
  readonly writer: StateWriter
  readonly changes: ChangeCounter
  readonly told: StorageListener
  /** Whether what is kept is the present state. */
  readonly isKept: boolean
  /** Makes room for the state, where what is kept is in its way, and could not be moved when that was said. */
  readonly makeRoom?: (() => Promise<void>) | undefined
}

/** Keeps the state of an understudy in a place, while it changes and at the end. */
export class StateKeeper implements StateKeeping {
  readonly #place: StatePlace
  readonly #writer: StateWriter
  readonly #changes: ChangeCounter
  readonly #told: StorageListener
  #makeRoom: (() => Promise<void>) | undefined
  /** The number of the last change that is kept. */
  #kept: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Milliseconds from one look at the state to the next: usually, and now. */
  readonly #usualPause: number
  #pause: number
  /** Since when the state cannot be kept. */
  #failedAt: string | undefined
  #closing: Promise<void> | undefined

  constructor({ place, writer, changes, told, isKept, makeRoom }: StateKeeperOptions) {
    this.#place = place
    this.#writer = writer
    this.#changes = changes
    this.#told = told
    this.#makeRoom = makeRoom
    if (makeRoom !== undefined) this.#failedAt = new Date().toISOString()
    this.#usualPause = (place.within ?? usualWithin) - forWriting
    this.#pause = this.#usualPause
    this.#kept = isKept ? changes.count : -1
    this.#listen()
  }

  /**
   * Keeps what has changed since, and lets the place go.
   *
   * @throws where the last changes cannot be kept.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  /** Keeps the present state, where that can be; where it cannot, that is tried again. */
  async keepNow(): Promise<void> {
    this.#stop()
    await this.#saveAndListen()
  }

  /** Keeps nothing more, and lets the place go. */
  leave(): Promise<void> {
    this.#stop()
    this.#closing ??= this.#place.close?.() ?? Promise.resolve()
    return this.#closing
  }

  #stop(): void {
    forget(this.#timer)
    this.#changes.whenNext(undefined)
  }

  async #end(): Promise<void> {
    this.#stop()
    // Now: what holds the state is taken apart next.
    const last = this.#isPresent ? undefined : this.#writer.look()
    await this.#saving
    try {
      if (last !== undefined) await this.#keep(last)
    } catch (error) {
      throw new StorageError(
        'STATE_REFUSED',
        `The last changes could not be kept in ${this.#place.name}: ${messageOf(error)}`,
        error,
      )
    } finally {
      await this.#place.close?.()
    }
  }

  get #isPresent(): boolean {
    return this.#kept === this.#changes.count
  }

  #listen(): void {
    if (this.#closing !== undefined) return
    if (this.#isPresent) this.#changes.whenNext(() => this.#plan())
    else this.#plan()
  }

  #plan(): void {
    const wait = Math.max(soon, this.#lookedAt + this.#pause - realTime())
    this.#timer = afterwards(() => void this.#saveAndListen(), wait)
    // A program that has come to its end waits for its last changes, and not for a disk that may never have room.
    if (this.#failedAt !== undefined) (this.#timer as { unref?: () => void }).unref?.()
  }

  #saveAndListen(): Promise<void> {
    this.#saving = this.#save().finally(() => {
      this.#saving = undefined
      this.#listen()
    })
    return this.#saving
  }

  async #save(): Promise<void> {
    const { count } = this.#changes
    this.#lookedAt = realTime()
    try {
      const before = this.#writer.made
      const written = await this.#keep(await this.#writer.lookInTurn())
      const made = this.#writer.made - before
      this.#kept = count
      const whole = realTime() - this.#lookedAt
      this.#pause = Math.max(
        this.#usualPause - whole,
        this.#usualPause / 2,
        made / most.made,
        written / most.written,
      )
      this.#recover()
    } catch (error) {
      this.#pause = this.#usualPause
      this.#fail(messageOf(error))
    }
  }

  /** Returns how many bytes it was. */
  async #keep(moment: StateMoment): Promise<number> {
    const pieces = await doInSlices(this.#writer.write(moment))
    await this.#makeRoom?.()
    this.#makeRoom = undefined
    const note = await this.#place.write(pieces)
    if (typeof note === 'string') this.#told({ kind: 'set aside', text: note })
    return pieces.reduce((sum, { length }) => sum + length, 0)
  }

  #fail(reason: string): void {
    if (this.#failedAt !== undefined) return
    this.#failedAt = new Date().toISOString()
    const text = `The state cannot be kept in ${this.#place.name}: ${reason} It is tried again.`
    this.#told({ kind: 'failed', text })
  }

  #recover(): void {
    if (this.#failedAt === undefined) return
    const text = `The state is kept in ${this.#place.name} again; it could not be since ${this.#failedAt}.`
    this.#failedAt = undefined
    this.#told({ kind: 'recovered', text })
  }
}
