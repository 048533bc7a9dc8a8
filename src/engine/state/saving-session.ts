import { messageOf } from '../../shared/built-ins.ts'
import { realTime } from '../../shared/real-time.ts'
import type { WorldStart } from '../worlds/world-start.ts'
import type { WorldMap } from '../worlds/worlds.ts'
import type { StatePlace } from './state-place.ts'
import type { StateSession, StorageListener } from './state-storage.ts'
import { StorageError } from './storage-error.ts'
import { writeState } from './write-state.ts'

/** Milliseconds between a first change and saving it, so that simultaneous changes share one write. */
const shortPause = 20
/** Default of the milliseconds between two writes. They leave some of the promised second for the write itself. */
const usualPause = 800

// Captured at load, because tests replace timers later.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** Saves the state whenever it has changed, and at the end. */
export class SavingSession implements StateSession {
  readonly #place: StatePlace
  readonly #worlds: WorldMap
  readonly #fixtureStart: WorldStart
  readonly #report: StorageListener
  /** Number of changes so far, and number of saved ones. */
  #changes = 0
  #saved = 0
  #lastWrite = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | undefined
  /** Time of the first failed attempt, while saving fails. */
  #failedAt: string | undefined
  #closing: Promise<void> | undefined

  /** @param fixtureStart the start of later worlds that the fixture gives; it is not stored. */
  constructor(place: StatePlace, worlds: WorldMap, fixtureStart: WorldStart, report: StorageListener) {
    this.#place = place
    this.#worlds = worlds
    this.#fixtureStart = fixtureStart
    this.#report = report
    worlds.settings.saving.changed = () => this.noteChange()
  }

  noteChange(): void {
    this.#changes += 1
    this.#schedule()
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  abandon(): Promise<void> {
    this.#stop()
    this.#closing ??= this.#place.close?.() ?? Promise.resolve()
    return this.#closing
  }

  #stop(): void {
    this.#worlds.settings.saving.changed = undefined
    stopTimer(this.#timer)
  }

  async #end(): Promise<void> {
    const place = this.#place
    this.#stop()
    try {
      // Before the first `await`: the caller disposes of the worlds next.
      const last = this.#changes > this.#saved ? this.#write() : undefined
      await this.#saving
      if (last !== undefined) await place.write(last)
    } catch (error) {
      throw new StorageError(
        'STATE_REFUSED',
        `The last changes could not be saved in ${place.name}: ${sentenceOf(error)}`,
        error,
      )
    } finally {
      await place.close?.()
    }
  }

  #write(): string {
    return JSON.stringify(writeState(this.#worlds, this.#fixtureStart))
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#saving !== undefined || this.#closing !== undefined) return
    const wait = Math.max(shortPause, this.#lastWrite + (this.#place.pause ?? usualPause) - realTime())
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
      await this.#place.write(this.#write())
      this.#saved = changes
      this.#reportRecovery()
    } catch (error) {
      this.#reportFailure(sentenceOf(error))
    }
    this.#lastWrite = realTime()
    this.#saving = undefined
    if (this.#changes > this.#saved) this.#schedule()
  }

  #reportFailure(reason: string): void {
    if (this.#failedAt !== undefined) return
    this.#failedAt = new Date().toISOString()
    this.#report({
      kind: 'failed',
      text: `The state cannot be saved in ${this.#place.name}: ${reason} The mock tries again.`,
    })
  }

  #reportRecovery(): void {
    if (this.#failedAt === undefined) return
    this.#report({
      kind: 'recovered',
      text: `The state is saved in ${this.#place.name} again; it could not be since ${this.#failedAt}.`,
    })
    this.#failedAt = undefined
  }
}

/** Returns the message of an error with its period, which those of the system lack. */
function sentenceOf(error: unknown): string {
  return messageOf(error).replace(/\.?$/, '.')
}
