import { messageOf } from '../../shared/built-ins.ts'
import { realTime } from '../../shared/real-time.ts'
import type { WorldSettings } from '../worlds/world-settings.ts'
import type { WorldMap } from '../worlds/worlds.ts'
import type { StatePlace } from './state-place.ts'
import type { StateSession, StorageListener } from './state-storage.ts'
import { StorageError } from './storage-error.ts'
import { type SharedParts, writeState } from './write-state.ts'

/** Milliseconds between a first change and saving it, so that simultaneous changes share one write. */
const shortPause = 20
/** Milliseconds between two writes by default; they leave some of the promised second for the write itself. */
const usualPause = 800

// Taken at once, because tests replace timers later.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

interface SavingOptions {
  readonly place: StatePlace
  readonly worlds: WorldMap
  readonly settings: WorldSettings
  readonly report: StorageListener
  /** True if the storage has the present state. */
  readonly isSaved: boolean
  readonly shared: SharedParts
}

/** Saves the state whenever it has changed, and at the end. */
export class SavingSession implements StateSession {
  readonly #options: SavingOptions
  readonly #pause: number
  /** Number of changes so far, and of those in the storage. */
  #changes = 0
  #saved = 0
  #lastWrite = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | undefined
  /** Since when saving fails. */
  #failedAt: string | undefined
  #closing: Promise<void> | undefined

  constructor(options: SavingOptions) {
    this.#options = options
    this.#pause = options.place.pause ?? usualPause
    options.settings.changes.listener = () => {
      this.#changes += 1
      this.#schedule()
    }
    if (!options.isSaved) options.settings.changes.note()
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  abandon(): Promise<void> {
    this.#stop()
    this.#closing ??= this.#options.place.close?.() ?? Promise.resolve()
    return this.#closing
  }

  #stop(): void {
    this.#options.settings.changes.listener = undefined
    stopTimer(this.#timer)
  }

  async #end(): Promise<void> {
    const { place } = this.#options
    this.#stop()
    try {
      // Before the first `await`: the caller disposes of the worlds next.
      const last = this.#changes > this.#saved ? this.#write() : undefined
      await this.#saving
      if (last !== undefined) await place.write(last)
    } catch (error) {
      throw new StorageError(
        'STATE_REFUSED',
        `The last changes could not be saved in ${place.name}: ${messageOf(error)}`,
        error,
      )
    } finally {
      await place.close?.()
    }
  }

  #write(): string {
    const { worlds, shared } = this.#options
    return JSON.stringify(writeState(worlds, shared))
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#saving !== undefined || this.#closing !== undefined) return
    const wait = Math.max(shortPause, this.#lastWrite + this.#pause - realTime())
    this.#timer = startTimer(() => {
      this.#timer = undefined
      this.#saving = this.#save()
    }, wait)
    // A program that ends waits for its last changes, but not for a full disk.
    if (this.#failedAt !== undefined && typeof this.#timer === 'object') this.#timer.unref()
  }

  async #save(): Promise<void> {
    const changes = this.#changes
    try {
      await this.#options.place.write(this.#write())
      this.#saved = changes
      this.#reportRecovery()
    } catch (error) {
      this.#reportFailure(messageOf(error))
    }
    this.#lastWrite = realTime()
    this.#saving = undefined
    if (this.#changes > this.#saved) this.#schedule()
  }

  #reportFailure(reason: string): void {
    if (this.#failedAt !== undefined) return
    this.#failedAt = new Date().toISOString()
    const { place, report } = this.#options
    report({
      kind: 'failed',
      text: `The state cannot be saved in ${place.name}: ${reason} It is tried again.`,
    })
  }

  #reportRecovery(): void {
    if (this.#failedAt === undefined) return
    const { place, report } = this.#options
    report({
      kind: 'recovered',
      text: `The state is saved in ${place.name} again; it could not be since ${this.#failedAt}.`,
    })
    this.#failedAt = undefined
  }
}
