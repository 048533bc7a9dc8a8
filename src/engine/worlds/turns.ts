import { realTime } from '../../shared/real-time.ts'
import type { Slices } from '../../shared/slices.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** How long a slice of work takes, in milliseconds: so long others are not served. */
const sliceTime = 10

// As they are at the beginning: a test may put the clock of its page or process aside later.
const { setImmediate: immediately, setTimeout: afterwards } = globalThis

const inNextTurn: (run: () => void) => void =
  typeof immediately === 'function' ? (run) => void immediately(run) : (run) => void afterwards(run, 0)

/**
 * Whether the next turn comes by itself: not where a test has put the clock of its process aside before this was loaded, and
 * nobody knows it where a page has no turns of its own (jsdom).
 */
export function hasRealTurns(): boolean {
  return typeof immediately === 'function' && !('clock' in immediately)
}

/** Calls a function once what is at work now has come to its end: the same turn of the event loop, or the next. */
export function laterThisTurn(run: () => void): void {
  inNextTurn(run)
}

/** What goes on when others have had their turn: all of it together takes no longer than a slice in each turn. */
let waiting: (() => void)[] = []
let isAwaited = false

/** Whether work in slices goes on in the next turn of the event loop, or at the end of this one. */
export function isSliceAhead(): boolean {
  return isAwaited
}

function later(run: () => void): void {
  waiting.push(run)
  if (isAwaited) return
  isAwaited = true
  inNextTurn(goOnWithAll)
}

function goOnWithAll(): void {
  let count = 0
  try {
    doSlice(() => {
      // Never called where nobody waits.
      waiting[count++]!()
      return count >= waiting.length
    })
  } finally {
    waiting = waiting.slice(count)
    isAwaited = waiting.length > 0
    if (isAwaited) inNextTurn(goOnWithAll)
  }
}

/** When what is at work now began, where it said so. */
let begun: number | undefined

/** Says that something begins whose time is part of the first slice of its work: what took long by then gives way at once. */
export function beginSlice(): void {
  begun = realTime()
}

export function endSlice(): void {
  begun = undefined
}

/** Does a slice of work; true where that was the last. */
function doSlice(next: () => boolean): boolean {
  const end = (begun ?? realTime()) + sliceTime
  do {
    if (next()) return true
  } while (realTime() < end)
  return false
}

/** What has the turn of a world. */
export interface TurnTaking<Result> {
  /** What has come of it. */
  readonly result: Result
  /** Does one slice; true where it is done. */
  goOn(): boolean
  /** Does the rest at once, where somebody cannot wait. */
  complete(): void
}

/** Work in slices, and what has come of it. */
export class Work<Result> implements TurnTaking<Result> {
  readonly #slices: Slices<Result>
  #outcome: { readonly result: Result } | { readonly error: unknown } | undefined
  #isAtWork = false

  constructor(slices: Slices<Result>) {
    this.#slices = slices
  }

  get isDone(): boolean {
    return this.#outcome !== undefined
  }

  /** What has come of it. */
  get result(): Result {
    // Nobody asks before it is done.
    const outcome = this.#outcome!
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }

  /** Does one slice; true where it is done. */
  goOn(): boolean {
    return this.isDone || this.#do(() => doSlice(() => this.#next()))
  }

  /** Does the rest at once; nothing where it is asked for by the work itself. */
  complete(): void {
    if (this.isDone || this.#isAtWork) return
    this.#do(() => {
      while (!this.#next());
      return true
    })
  }

  #do(run: () => boolean): boolean {
    this.#isAtWork = true
    try {
      return run()
    } catch (error) {
      this.#outcome = { error }
      return true
    } finally {
      this.#isAtWork = false
    }
  }

  #next(): boolean {
    const { done, value } = this.#slices.next()
    if (done) this.#outcome = { result: value }
    return done === true
  }
}

/** Does work in slices, while everybody else goes on; at once where a single one is enough. */
export function doInSlices<Result>(slices: Slices<Result>): MaybePromise<Result> {
  const work = new Work(slices)
  return work.goOn() ? work.result : whenDone(work)
}

function whenDone<Result>(work: TurnTaking<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const goOn = () => {
      if (!work.goOn()) return later(goOn)
      try {
        resolve(work.result)
      } catch (error) {
        reject(error)
      }
    }
    later(goOn)
  })
}

/** Gives what an iterable holds, as fast as others are served meanwhile. */
export async function* inTurn<Value>(
  values: Iterable<Value> | AsyncIterable<Value>,
): AsyncGenerator<Value, void, undefined> {
  let end = realTime() + sliceTime
  for await (const value of values) {
    yield value
    if (realTime() < end) continue
    await new Promise<void>((resolve) => later(resolve))
    end = realTime() + sliceTime
  }
}

/**
 * Whose turn it is in a world. One request at a time is at work in it: while that takes more than a slice, those that
 * come wait, in their order, and find the world as it left it. Other worlds go on. Whoever cannot wait has the work
 * completed, so that nobody ever sees half of it.
 */
export class Turns {
  #work: TurnTaking<unknown> | undefined
  #waiting: (() => void)[] = []

  /** Whether somebody is at work, or waits. */
  get isTaken(): boolean {
    return this.#work !== undefined || this.#waiting.length > 0
  }

  /** Does the work of whoever's turn it is. */
  take<Result>(slices: Slices<Result>): MaybePromise<Result> {
    const work = new Work(slices)
    return work.goOn() ? work.result : this.give(work)
  }

  /** Gives the turn, which is nobody's, to work that several worlds may share. */
  give<Result>(work: TurnTaking<Result>): Promise<Result> {
    this.#work = work
    const done = whenDone(work)
    // Whoever waits comes after all that follows from the work: its reply, and its entry in the journal.
    const release = () =>
      later(() => {
        if (this.#work !== work) return
        this.#work = undefined
        this.#serve()
      })
    done.then(release, release)
    return done
  }

  /** Runs something when it is its turn: at once, or after those that came before. */
  after<Result>(run: () => MaybePromise<Result>): MaybePromise<Result> {
    if (!this.isTaken) return run()
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(run())
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  /** Completes what is being worked on, at once. */
  complete(): void {
    this.#work?.complete()
  }

  /** Serves those that wait, until one of them is at work for longer. */
  #serve(): void {
    const waiting = this.#waiting
    let served = 0
    const isOver = doSlice(() => {
      if (served >= waiting.length || this.#work !== undefined) return true
      waiting[served++]!() // There is one, as was just seen.
      return false
    })
    this.#waiting = waiting.slice(served)
    if (!isOver) later(() => this.#serve())
  }
}
