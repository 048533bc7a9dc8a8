import { createGlob } from '../../shared/glob.ts'
import * as limits from '../../shared/limits.ts'
import { seededRandom } from '../../shared/seeded.ts'
import type { Endpoint, EndpointMatch } from '../router.ts'
import { checkCanStrike, pluralOf } from './can-strike.ts'
import type { Delivery } from './delivery.ts'
import { effectsOf, endingOf, type Fault, FaultError, kindsOf, readFault } from './fault.ts'
import type { FaultEffect } from './fault-kinds.ts'

/** A fault that has been added: its id, and how often it has struck. */
export type ActiveFault = Fault & { readonly id: string; readonly used: number }

/** The faults of a world. */
export interface Faults {
  /**
   * Makes something go wrong.
   *
   * @throws FaultError where the fault is none, or a face that answers cannot express it.
   * @example
   * understudy.faults.add({ operation: 'deleteBackfill', times: 1, error: { code: 500, message: 'Out of disk.' } })
   */
  add(fault: Fault): ActiveFault
  list(): ActiveFault[]
  /** Takes one back; false where none has the id. */
  remove(id: string): boolean
  clear(): void
}

/** What the faults that strike a request do to it. */
export interface StruckFaults {
  readonly ids: readonly string[]
  /** The fault that decides what is answered, where one does. */
  readonly ending: Fault | undefined
  readonly delivery: Delivery
}

/** What faults are held against and drawn from. */
export interface FaultContext {
  readonly seed: number
  /** The operations there are, with their resources. */
  endpoints(): readonly Endpoint[]
  /** The face that answers and cannot express an effect, with its reason. */
  refusal(effect: FaultEffect): { readonly face: string; readonly reason: string } | undefined
}

/** A fault that has been added, with all that decides what it does next. */
interface FaultState {
  readonly id: string
  readonly fault: Fault
  /** Whether the world began with it. */
  readonly isInitial: boolean
  /** How many requests have fitted, how many of them it has struck, and how many numbers it has drawn. */
  readonly seen: number
  readonly used: number
  readonly drawn: number
}

/** The faults of a world, and how many have ever been added. */
export interface FaultsState {
  readonly added: number
  readonly active: readonly FaultState[]
}

interface Armed extends FaultState {
  readonly kinds: ReturnType<typeof kindsOf>
  readonly ending: ReturnType<typeof endingOf>
  readonly path: ((path: string) => boolean) | undefined
  readonly random: () => number
  seen: number
  used: number
  drawn: number
}

/** The faults of a world, in the order in which they were added. */
export class FaultList implements Faults {
  readonly #context: FaultContext
  readonly #initial: readonly Fault[]
  /** Called when a fault has been added or taken back. */
  changed: () => void = () => undefined
  /** Called when one has counted a request. */
  counted: () => void = () => undefined
  #armed: Armed[] = []
  #number = 0

  constructor(context: FaultContext, initial: readonly Fault[]) {
    this.#context = context
    this.#initial = initial
    this.restart()
  }

  /** Whether nothing can strike. */
  get isIdle(): boolean {
    return this.#armed.length === 0
  }

  /** How far back stale reads go, in milliseconds. */
  get lags(): ReadonlySet<number> {
    return new Set(this.#armed.map(({ fault }) => lagOf(fault)).filter((lag) => lag > 0))
  }

  /** Goes back to the faults the world began with. */
  restart(): void {
    this.#armed = []
    this.#number = 0
    this.#addInitial()
  }

  #addInitial(): void {
    for (const [index, fault] of this.#initial.entries()) this.#add(fault, `$[${index}]`, { isInitial: true })
  }

  /** What there is of faults, to take up in another process. */
  state(): FaultsState {
    return {
      added: this.#number,
      active: this.#armed.map(({ id, fault, isInitial, seen, used, drawn }) => {
        return { id, fault, isInitial, seen, used, drawn }
      }),
    }
  }

  /**
   * Goes on with the faults of another process, and where that had others to begin with, with one's own of these.
   * Returns what is wrong with those that no longer can be, which are left out.
   */
  takeUp({ added, active }: FaultsState, hasSameInitial: boolean): FaultError[] {
    this.#armed = []
    this.#number = added
    if (!hasSameInitial) this.#addInitial()
    const errors: FaultError[] = []
    for (const [index, state] of active.entries()) {
      if (state.isInitial && !hasSameInitial) continue
      try {
        this.#add(state.fault, `$[${index}]`, state)
      } catch (error) {
        if (!(error instanceof FaultError)) throw error
        errors.push(error)
      }
    }
    this.changed()
    return errors
  }

  add(given: Fault): ActiveFault {
    return this.#add(given, '$')
  }

  #add(given: Fault, at: string, kept: Partial<FaultState> = {}): ActiveFault {
    const fault = readFault(given, at)
    this.#check(fault, at)
    if (this.#armed.length >= limits.faults) {
      const expected = `at most ${limits.faults} faults in a world; remove some first`
      throw new FaultError({ path: at, expected, found: String(this.#armed.length + 1) })
    }
    if (kept.id === undefined) this.#number += 1
    const { id = `fault-${this.#number}`, isInitial = false, seen = 0, used = 0, drawn = 0 } = kept
    const next = seededRandom(this.#context.seed, id.replace('-', ' '), drawn)
    const armed: Armed = {
      id,
      isInitial,
      fault,
      kinds: kindsOf(fault),
      ending: endingOf(fault),
      path: fault.path === undefined ? undefined : createGlob(fault.path),
      random() {
        armed.drawn += 1
        return next()
      },
      seen,
      used,
      drawn,
    }
    this.#armed.push(armed)
    this.changed()
    return show(armed)
  }

  list(): ActiveFault[] {
    return this.#armed.map(show)
  }

  remove(id: string): boolean {
    const before = this.#armed.length
    this.#armed = this.#armed.filter((armed) => armed.id !== id)
    this.changed()
    return this.#armed.length < before
  }

  clear(): void {
    this.#armed = []
    this.changed()
  }

  /**
   * Says what strikes a request; `match` is what it reaches.
   *
   * Every fault that fits counts the request, and the first that decides the answer decides it.
   */
  strike(method: string, path: string, match: EndpointMatch | undefined): StruckFaults | undefined {
    const fitting = this.#armed.filter((armed) => fits(armed, method, path, match))
    if (fitting.length === 0) return undefined
    this.counted()
    const struck = fitting.filter(isDue)
    if (struck.length === 0) return undefined
    const ending = struck.find(({ ending }) => ending !== undefined)
    const times = { delay: 0, headTime: 0, bodyTime: 0 }
    for (const { kinds, random } of struck) {
      for (const { kind, value } of kinds) {
        if (kind.decides === 'delay') times[kind.slows] += kind.time(value, random)
      }
    }
    const end = ending?.ending?.kind.end
    for (const armed of struck) armed.used += 1
    return {
      ids: struck.map(({ id }) => id),
      ending: ending?.fault,
      delivery: {
        ...Object.fromEntries(Object.entries(times).filter(([, time]) => time > 0)),
        ...(end !== undefined && end !== 'whole' && { end }),
      },
    }
  }

  /** Throws where a fault that has been added cannot be expressed any more: a face has been attached. */
  checkAll(): void {
    for (const { fault } of this.#armed) this.#check(fault, '$')
  }

  #check(fault: Fault, at: string): void {
    checkCanStrike(fault, at, this.#context.endpoints())
    for (const effect of effectsOf(fault)) {
      const refusal = this.#context.refusal(effect)
      if (refusal === undefined) continue
      const expected = `what ${refusal.face} can express`
      throw new FaultError({ path: `${at}.${effect}`, expected, found: `${effect}: ${refusal.reason}` })
    }
  }
}

function show({ id, fault, used }: Armed): ActiveFault {
  return { id, used, ...fault }
}

/** How far back a fault's stale reads go, in milliseconds. */
export function lagOf(fault: Fault): number {
  const ending = endingOf(fault)
  return ending?.kind.lag?.(ending.value) ?? 0
}

function fits(
  { fault, ending, path: fitsPath }: Armed,
  method: string,
  path: string,
  match: EndpointMatch | undefined,
) {
  if (fault.method === undefined ? method === 'OPTIONS' : fault.method !== method) return false
  if (fault.operation !== undefined && fault.operation !== match?.endpoint.operation.id) return false
  if (fitsPath !== undefined && !fitsPath(path)) return false
  if (ending?.kind.methods?.every((only) => only !== method)) return false
  return fault.record === undefined || (match !== undefined && names(match, fault.record))
}

/** Tells whether a path names a record: as its own, or as one it stands under. */
function names({ endpoint, parameters }: EndpointMatch, record: NonNullable<Fault['record']>): boolean {
  const { scope } = endpoint.resource
  return endpoint.names.some((name) => {
    const key = record[pluralOf(endpoint.resource, name) ?? '']
    if (key === undefined) return false
    return [parameters[name], `${parameters[scope ?? '']}/${parameters[name]}`].includes(String(key))
  })
}

/** Counts a request that fits, and says whether the fault strikes it. */
function isDue(armed: Armed): boolean {
  const { times = Number.POSITIVE_INFINITY, every = 1, probability = 1 } = armed.fault
  if (armed.used >= times) return false
  armed.seen += 1
  return armed.seen % every === 0 && (probability === 1 || armed.random() < probability)
}
