import { signal } from '@preact/signals'
import type { Fixture } from '../../../src/factories/fixture-type.ts'
import { type Act, act, type NamedRecord } from './acts.ts'
import { type AnyRecord, tableOf } from './any-table.ts'
import { keep, readKept } from './kept.ts'
import type { Live } from './live.ts'
import { type Answered, errorOf, runAct } from './run-act.ts'
import { changesRecords, countState, type StateCounts } from './state-lines.ts'

/** What was done, where, and when on the world's clock. */
export interface DoneAct {
  readonly act: Act
  readonly world: string
  readonly now: number
  readonly wasRunning: boolean
  /** Where a clock that stands still stood afterwards. */
  readonly after: number | undefined
  readonly value: unknown
  /** How many records there were before, and after; nothing where it changes none. */
  readonly counts: readonly [before: StateCounts, after: StateCounts] | undefined
  /** The newest request there had been. */
  readonly sequence: number
}

/** The state that a sitting began with. */
export interface SittingStart {
  readonly world: string
  readonly fixture: Fixture | undefined
  readonly faults: readonly object[]
  readonly sequence: number
}

/** What became of an act. */
export type ActOutcome = { readonly value: unknown } | { readonly error: Refusal }
/** What is told of a refusal. */
export interface Refusal {
  readonly message: string
  readonly flaws: readonly { readonly path: string; readonly expected: string; readonly found: string }[]
}

/** What is said of an act that was done, which may depend on what came of it. */
export type Words = string | ((value: unknown) => string)

/** What is said in the line of calls. */
export interface Said {
  readonly text: string
  readonly isError?: boolean
  /** What takes it back. */
  readonly undo?: Act
}

/** What is read out with a start of a test; more records would make a file that nobody pastes. */
const mostRecords = 5_000
/** The snapshot that an act is taken back by which changes records that are not known afterwards. */
const beforeName = 'before-the-last-act'
const language = 'language'

/** Where things are done: each act is shown before and after, and collected. */
export class ActRunner {
  readonly coming = signal<Act | undefined>(undefined)
  readonly last = signal<{ readonly act: Act; readonly world: string } | undefined>(undefined)
  readonly said = signal<Said | undefined>(undefined)
  readonly book = signal<readonly DoneAct[]>([])
  readonly language = signal<'TypeScript' | 'curl'>(readKept(language) === 'curl' ? 'curl' : 'TypeScript')
  start: SittingStart | undefined
  readonly #live: Live
  /** The scripts that stood where this panel has put others, by world and record. */
  readonly #replaced = new Map<string, unknown>()

  constructor(live: Live) {
    this.#live = live
  }

  speak(chosen: 'TypeScript' | 'curl'): void {
    this.language.value = chosen
    keep(language, chosen)
  }

  /**
   * Does it, says so, and enters it in the book; what is refused is said and changes nothing. What takes it back is
   * offered with what is said.
   */
  async perform(chosen: Act, words?: Words): Promise<ActOutcome> {
    const live = this.#live
    const world = live.world.value
    if (live.lost.value !== undefined) return { error: { message: 'The server does not answer.', flaws: [] } }
    try {
      await this.#open()
      if (isTakenBackByRestoring(chosen)) await live.of.snapshot(beforeName)
      // Asked and not remembered: the one before may have changed it a moment ago.
      const [now, speed] = await Promise.all([live.of.clock.now(), live.of.clock.speed()])
      const wasRunning = speed !== 0
      const sequence = await live.readRequests()
      const before = changesRecords(chosen) ? await countState(live) : undefined
      const undo = undoOf(chosen) ?? (await this.#putsBack(chosen))
      const value = await runAct(live.controls, world, chosen)
      const after = (await live.of.clock.speed()) === 0 ? await live.of.clock.now() : undefined
      const counts = before && ([before, await countState(live)] as const)
      const done = { act: chosen, world, now, wasRunning, after, value, counts, sequence }
      this.last.value = { act: chosen, world }
      this.book.value = [...this.book.value, done]
      const error = chosen.name === 'fetch' ? errorOf(value as Answered) : undefined
      this.said.value =
        error === undefined
          ? { text: typeof words === 'function' ? words(value) : (words ?? 'Called'), ...(undo && { undo }) }
          : { text: `The API answered with the error ${error.code}: ${error.message}`, isError: true }
      live.refreshAll()
      return { value }
    } catch (thrown) {
      const error = refusalOf(thrown)
      this.said.value = { text: error.message, isError: true }
      live.refreshAll()
      return { error }
    }
  }

  /** Begins a sitting: what is there before the first act is what a test of it starts from. */
  async #open(): Promise<void> {
    if (this.start !== undefined) return
    const live = this.#live
    const records = Object.values(live.counts.value).reduce((sum, count) => sum + count, 0)
    this.start = {
      world: live.world.value,
      fixture: records <= mostRecords ? ((await live.of.export()) as Fixture) : undefined,
      faults: live.faults.value.flatMap(({ id: _, used, ...fault }) => {
        if (fault.times === undefined) return [fault]
        return used < fault.times ? [{ ...fault, times: fault.times - used }] : []
      }),
      sequence: live.requests.value[0]?.sequence ?? 0,
    }
  }

  /** The script that a record had before one of this sitting took its place; `null` where it had none. */
  replacedScript(record: NamedRecord): unknown {
    return this.#replaced.get(this.#nameOf(record)) ?? null
  }

  /** What gives a record the values that it has now, where an act is about to change them. */
  async #putsBack(chosen: Act): Promise<Act | undefined> {
    const change = changeOf(chosen)
    if (change === undefined) return undefined
    const [record, names] = change
    const options = { where: record.where, limit: 1 }
    const { records } = await tableOf(this.#live.of, record.plural).page(options)
    const [before] = records as readonly AnyRecord[]
    if (before === undefined) return undefined
    if (names.includes('run_script')) {
      const place = this.#nameOf(record)
      if (chosen.name === 'update') this.#replaced.delete(place)
      else if (!this.#replaced.has(place)) this.#replaced.set(place, before.run_script)
    }
    return act('update', record, Object.fromEntries(names.map((name) => [name, before[name] ?? null])))
  }

  #nameOf({ plural, key }: NamedRecord): string {
    return `${this.#live.world.value} ${plural} ${key}`
  }

  /** Closes the book, and begins another with the next act. */
  clear(): void {
    this.book.value = []
    this.start = undefined
  }
}

/** Acts that change records which are not known afterwards. */
function isTakenBackByRestoring({ name }: Act): boolean {
  return name === 'delete' || name === 'signOut'
}

/** What takes an act back, where the understudy knows how. */
function undoOf(chosen: Act): Act | undefined {
  const { name } = chosen
  if (isTakenBackByRestoring(chosen)) return act('restore', beforeName)
  return ['reset', 'import', 'restore', 'scenarios.start'].includes(name) ? act('undo') : undefined
}

/** Which attributes of which record an act gives other values; nothing where it is no such act. */
function changeOf(chosen: Act): readonly [NamedRecord, readonly string[]] | undefined {
  if (chosen.name === 'update') return [chosen.given[0], Object.keys(chosen.given[1])]
  if (chosen.name !== 'runs.script') return undefined
  const [[name, key] = []] = Object.entries(chosen.given[0])
  const plural = { pipeline_uuid: 'pipelines', pipeline_schedule_id: 'pipeline_schedules' }[name ?? '']
  if (plural === undefined) return undefined
  return [
    { plural, where: { [plural === 'pipelines' ? 'uuid' : 'id']: key }, key: String(key) },
    ['run_script'],
  ]
}

function refusalOf(thrown: unknown): Refusal {
  const { message, flaws = [] } = thrown as Error & Partial<Refusal>
  return { message: message.replace(/^\[understudy\] /, ''), flaws }
}
