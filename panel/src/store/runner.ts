import { effect, signal } from '@preact/signals'
import { type Fixture, parseJson } from '../library.ts'
import { type Act, act, codeOf, curlOf, errorOf, runAct } from './acts.ts'
import { readStored, store } from './browser-storage.ts'
import { type ExpectedDifference, expectationOf, reversalOf } from './difference.ts'
import type { Live } from './live.ts'

/** A performed act, with its world and its time on the world's clock. */
export interface DoneAct {
  readonly act: Act
  readonly world: string
  readonly now: number
  readonly wasRunning: boolean
  /** The time of a frozen clock afterwards. */
  readonly after: number | undefined
  readonly value: unknown
  /** The expectation of the changed records; empty if there are none. */
  readonly changed: ExpectedDifference
  readonly sequence: number
}

/** The state that a recording began with. */
export interface RecordingStart {
  readonly world: string
  readonly fixture: Fixture
  readonly faults: readonly object[]
  readonly sequence: number
}

export type ActOutcome = { readonly value: unknown } | { readonly error: Refusal }
export interface Refusal {
  readonly message: string
  readonly flaws: readonly { readonly path: string; readonly expected: string; readonly found: string }[]
}

type Words = string | ((value: unknown) => string)

/** An act with its texts. Buttons, keys and the dialog "Find or do" offer it. */
export interface Action {
  readonly does: Act
  /** Its unique name. */
  readonly title: string
  readonly message: Words
  readonly done?: (value: unknown) => void
}

interface LineMessage {
  readonly text: string
  readonly isError?: boolean
  readonly undo?: () => readonly Act[]
}

/** The snapshot from before an act which changes records. */
const lastSnapshot = 'before-the-last-act'
const languageName = 'understudy-panel-language'
/** The name in the storage of a tab, which may contain several panels. */
const recordingName = () => `understudy-panel-recording ${location.pathname}`
const ofAll = () => localStorage
const ofTab = () => sessionStorage

interface StoredRecording {
  readonly start: RecordingStart
  readonly done: readonly DoneAct[]
}

/** Executes acts: shows each before and after, and records it. */
export class ActRunner {
  readonly pending = signal<Act | undefined>(undefined)
  readonly last = signal<{ readonly act: Act; readonly world: string } | undefined>(undefined)
  readonly message = signal<LineMessage | undefined>(undefined)
  readonly done = signal<readonly DoneAct[]>([])
  readonly language = signal<'TypeScript' | 'curl'>(
    readStored(ofAll, languageName) === 'curl' ? 'curl' : 'TypeScript',
  )
  start: RecordingStart | undefined
  readonly #live: Live
  readonly #origin: string

  /** @param isStored true to store the recording across a reload of the page. */
  constructor(live: Live, origin: string, isStored: boolean) {
    this.#live = live
    this.#origin = origin
    if (!isStored) return
    const stored: Partial<StoredRecording> = Object(parseJson(readStored(ofTab, recordingName()) ?? '{}'))
    this.start = stored.start
    this.done.value = stored.done ?? []
    effect(() => {
      const recording = { start: this.start, done: this.done.value }
      store(ofTab, recordingName(), JSON.stringify(recording))
    })
  }

  choose(language: 'TypeScript' | 'curl'): void {
    this.language.value = language
    store(ofAll, languageName, language)
  }

  textOf(chosen: Act, world = this.#live.world.value): string {
    if (this.language.value === 'curl') return curlOf(chosen, world, this.#origin)
    return `await ${codeOf(chosen, world).text}`
  }

  refuse(text: string): void {
    this.message.value = { text, isError: true }
  }

  async attempt(read: () => Promise<void>): Promise<void> {
    await read().catch((thrown) => this.refuse(refusalOf(thrown).message))
  }

  /** Undoes the last act, which leaves the recording. */
  async undo(acts: readonly Act[]): Promise<void> {
    const world = this.#live.world.value
    try {
      for (const each of acts) {
        await runAct(this.#live.controls, world, each)
        this.last.value = { act: each, world }
      }
      this.done.value = this.done.value.slice(0, -1)
      this.message.value = { text: 'Undone.' }
    } catch (thrown) {
      this.refuse(refusalOf(thrown).message)
    } finally {
      void this.#live.refresh('all')
    }
  }

  /** Performs an act, shows a message with Undo, and records the act; a rejected act changes nothing. */
  async perform({ does: chosen, message, done }: Omit<Action, 'title'>): Promise<ActOutcome> {
    const live = this.#live
    const world = live.world.value
    if (live.lost.value !== undefined)
      return { error: { message: 'The server does not respond.', flaws: [] } }
    try {
      this.start ??= await this.#readStart()
      // Read again, because the previous act may have changed it.
      const [now, speed] = await Promise.all([live.of.clock.now(), live.of.clock.speed()])
      const sequence = await live.readSequence()
      if (changesRecords(chosen)) await live.of.snapshot(lastSnapshot)
      const startedAt = performance.now()
      const value = await runAct(live.controls, world, chosen)
      // The panel showed the deleted world.
      if (chosen.name === 'worlds.delete') live.world.value = 'main'
      // At once, because a later change of the application would count as one of the act.
      const difference = changesRecords(chosen) ? await live.of.diff(lastSnapshot) : undefined
      const after = (await live.of.clock.speed()) === 0 ? await live.of.clock.now() : undefined
      const changed = difference === undefined ? {} : expectationOf(difference, live.resources.value)
      this.last.value = { act: chosen, world }
      this.done.value = [
        ...this.done.value,
        { act: chosen, world, now, wasRunning: speed !== 0, after, value, changed, sequence },
      ]
      const error = chosen.name === 'fetch' ? errorOf(value) : undefined
      if (error !== undefined) this.refuse(`The API answered with the error ${error.code}: ${error.message}`)
      else {
        const text = typeof message === 'function' ? message(value) : message
        const reversal = difference === undefined ? [] : reversalOf(difference, live.resources.value)
        const undo = () => undoOf(chosen, reversal, now + (performance.now() - startedAt) * speed, speed)
        this.message.value = { text, ...(undo().length > 0 && { undo }) }
      }
      done?.(value)
      return { value }
    } catch (thrown) {
      const error = refusalOf(thrown)
      this.refuse(error.message)
      return { error }
    } finally {
      void live.refresh('all')
    }
  }

  async #readStart(): Promise<RecordingStart> {
    const { of, faults, world } = this.#live
    return {
      world: world.value,
      fixture: await of.export(),
      faults: faults.value.flatMap(({ id: _, used, ...fault }) => {
        if (fault.times === undefined) return [fault]
        return used < fault.times ? [{ ...fault, times: fault.times - used }] : []
      }),
      sequence: await this.#live.readSequence(),
    }
  }

  /** Ends the recording; the next act begins another. */
  clear(): void {
    this.start = undefined
    this.done.value = []
  }
}

/** Returns whether an act moves the clock, which changes records by due events. */
function movesClock({ name, given }: Act): boolean {
  return name === 'clock.advance' || (name === 'clock.freeze' && given.length > 0)
}

/** Acts that undo reverses record by record. */
const undoable: readonly string[] = ['update', 'delete', 'signOut', 'runs.script']
/** Acts that change some records; others replace all of them, or change none. */
const changing: readonly string[] = [...undoable, 'make', 'runs.finish', 'runs.advance', 'fetch']

function changesRecords(chosen: Act): boolean {
  return movesClock(chosen) || changing.includes(chosen.name)
}

/** Returns the acts that undo one; a running clock gets the `time` that it would have now. */
function undoOf(chosen: Act, reversal: readonly Act[], time: number, speed: number): readonly Act[] {
  if (undoable.includes(chosen.name)) return reversal
  if (['reset', 'import', 'restore', 'scenarios.start'].includes(chosen.name)) return [act('undo')]
  if (!movesClock(chosen)) return []
  const restore = act('restore', lastSnapshot)
  if (speed === 0) return [restore]
  return [act('clock.freeze', new Date(time).toISOString()), restore, act('clock.run', speed)]
}

function refusalOf(thrown: unknown): Refusal {
  const { message = String(thrown), flaws = [] }: Partial<Refusal> = Object(thrown)
  return { message: message.replace(/^\[understudy\] /, ''), flaws }
}
