import type { Resource } from '../../resources/resource.ts'
import { quote } from '../../shared/errors.ts'
import { createGlob } from '../../shared/glob.ts'
import * as limits from '../../shared/limits.ts'
import { seededRandom } from '../../shared/seeded.ts'
import { expectedName } from '../../shared/suggest.ts'
import type { Endpoint, EndpointMatch } from '../router.ts'
import type { Delivery } from './delivery.ts'
import { type AnswerEffect, answerOf, effectsOf, type Fault, FaultError, readFault } from './fault.ts'
import type { FaultEffect } from './fault-kinds.ts'

/** Active fault: its id, and the number of times that it applied. */
export type ActiveFault = Fault & { readonly id: string; readonly used: number }

/** The faults of a world. */
export interface Faults {
  /**
   * Injects a fault.
   *
   * @throws FaultError where the fault is invalid, or an adapter does not support it.
   * @example
   * understudy.faults.add({ operation: 'deleteBackfill', times: 1, error: { code: 500, message: 'Out of disk.' } })
   */
  add(fault: Fault): ActiveFault
  list(): ActiveFault[]
  /** Removes a fault; false if no fault has the id. */
  remove(id: string): boolean
  clear(): void
}

/** Adapter that sends replies: its name, and the faults that it does not support, each with the reason. */
export interface Adapter {
  readonly name: string
  readonly refuses: Readonly<Partial<Record<FaultEffect, string>>>
}

/** The faults that apply to a request. */
export interface AppliedFaults {
  readonly ids: readonly string[]
  /** The fault that decides the answer, if there is one. */
  readonly answer: (AnswerEffect & { readonly fault: Fault }) | undefined
  readonly delivery: Delivery
}

export interface FaultContext {
  readonly seed: number
  endpoints(): readonly Endpoint[]
  /** The adapters of the mock; it may attach more. */
  readonly adapters: readonly Adapter[]
}

interface FaultState {
  readonly id: string
  readonly fault: Fault
  readonly isInitial: boolean
  /** Number of requests that have matched. */
  readonly seen: number
  /** Number of requests to which the fault has applied. */
  readonly used: number
  /** Number of random numbers that the fault has drawn. */
  readonly drawn: number
}

/** Faults of a world, and the number of faults that were ever added. */
export interface FaultsState {
  readonly added: number
  readonly active: readonly FaultState[]
}

interface FaultEntry extends FaultState {
  readonly effects: ReturnType<typeof effectsOf>
  readonly answer: AnswerEffect | undefined
  readonly matchesPath: ((path: string) => boolean) | undefined
  readonly random: () => number
  seen: number
  used: number
  drawn: number
}

/** Faults of a world, in the order of their addition. */
export class FaultList implements Faults {
  readonly #context: FaultContext
  readonly #initial: readonly Fault[]
  /** Called after a change of the list, and after a fault has counted a request. */
  changed: () => void = () => undefined
  entries: readonly FaultEntry[] = []
  #number = 0

  constructor(context: FaultContext, initial: readonly Fault[]) {
    this.#context = context
    this.#initial = initial
    this.restart()
  }

  restart(): void {
    this.entries = []
    this.#number = 0
    this.#addInitial()
    this.changed()
  }

  #addInitial(): void {
    for (const [index, fault] of this.#initial.entries()) this.#add(fault, `$[${index}]`, { isInitial: true })
  }

  state(): FaultsState {
    return {
      added: this.#number,
      active: this.entries.map(({ id, fault, isInitial, seen, used, drawn }) => {
        return { id, fault, isInitial, seen, used, drawn }
      }),
    }
  }

  /**
   * Continues with the faults of another process. If that process had other initial faults, those of this
   * world replace them. Leaves out faults that are no longer valid, and returns their errors.
   */
  load({ added, active }: FaultsState, hasSameInitial: boolean): FaultError[] {
    this.entries = []
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

  #add(given: Fault, at: string, stored: Partial<FaultState> = {}): ActiveFault {
    const fault = readFault(given, at)
    this.#check(fault, at)
    if (this.entries.length >= limits.faults) {
      const expected = `at most ${limits.faults} faults in a world; remove some first`
      throw new FaultError({ path: at, expected, found: String(this.entries.length + 1) })
    }
    if (stored.id === undefined) this.#number += 1
    const { id = `fault-${this.#number}`, isInitial = false, seen = 0, used = 0, drawn = 0 } = stored
    const next = seededRandom(this.#context.seed, id.replace('-', ' '), drawn)
    const entry: FaultEntry = {
      id,
      isInitial,
      fault,
      effects: effectsOf(fault),
      answer: answerOf(fault),
      matchesPath: fault.path === undefined ? undefined : createGlob(fault.path),
      random() {
        entry.drawn += 1
        return next()
      },
      seen,
      used,
      drawn,
    }
    this.entries = [...this.entries, entry]
    this.changed()
    return show(entry)
  }

  list(): ActiveFault[] {
    return this.entries.map(show)
  }

  remove(id: string): boolean {
    const before = this.entries.length
    this.entries = this.entries.filter((entry) => entry.id !== id)
    this.changed()
    return this.entries.length < before
  }

  clear(): void {
    this.entries = []
    this.changed()
  }

  /**
   * Returns the faults that apply to a request; `match` is the endpoint that it reaches.
   *
   * Every fault that matches counts the request. Of several answers the first applies.
   */
  apply(method: string, path: string, match: EndpointMatch | undefined): AppliedFaults | undefined {
    const matching = this.entries.filter((entry) => matches(entry, method, path, match))
    if (matching.length === 0) return undefined
    this.changed()
    const applied = matching.filter(isDue)
    if (applied.length === 0) return undefined
    const times = { delay: 0, headTime: 0, bodyTime: 0 }
    for (const entry of applied) {
      entry.used += 1
      for (const { kind, value } of entry.effects) {
        if (kind.decides === 'delay') times[kind.slows] += kind.time(value, entry.random)
      }
    }
    const [answer] = applied.flatMap(({ answer, fault }) =>
      answer === undefined ? [] : { ...answer, fault },
    )
    const end = answer?.kind.end
    return {
      ids: applied.map(({ id }) => id),
      answer,
      delivery: {
        ...Object.fromEntries(Object.entries(times).filter(([, time]) => time > 0)),
        ...(end !== undefined && { end }),
      },
    }
  }

  /** Checks all faults again for a new adapter. */
  checkAll(): void {
    for (const { fault } of this.entries) this.#check(fault, '$')
  }

  #check(fault: Fault, at: string): void {
    const endpoints = this.#context.endpoints()
    const operations = endpoints.map(({ operation }) => operation.id)
    checkName(`${at}.operation`, 'operation', fault.operation, operations)
    const plurals = endpoints.flatMap(({ resource, names }) => names.map((name) => pluralOf(resource, name)))
    checkName(`${at}.record`, 'plural', Object.keys(fault.record ?? {})[0], plurals)
    for (const { effect } of effectsOf(fault)) {
      for (const { name, refuses } of this.#context.adapters) {
        const found = refuses[effect]
        if (found === undefined) continue
        const expected = `an effect that ${name} supports`
        throw new FaultError({ path: `${at}.${effect}`, expected, found: `${effect}: ${found}` })
      }
    }
  }
}

/** Rejects a name that is not known: a fault with it could apply to no request. */
function checkName(path: string, noun: string, name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return
  throw new FaultError({ path, expected: expectedName(noun, name, [...new Set(known)]), found: quote(name) })
}

/** Returns the plural of the record that a path parameter names. */
function pluralOf(resource: Resource, parameter: string): string {
  return resource.references?.[parameter]?.plural ?? resource.plural
}

function show({ id, fault, used }: FaultEntry): ActiveFault {
  return { id, used, ...fault }
}

function matches(
  { fault, matchesPath }: FaultEntry,
  method: string,
  path: string,
  match: EndpointMatch | undefined,
): boolean {
  if (fault.method === undefined ? method === 'OPTIONS' : fault.method !== method) return false
  if (fault.operation !== undefined && fault.operation !== match?.endpoint.operation.id) return false
  if (matchesPath !== undefined && !matchesPath(path)) return false
  return fault.record === undefined || (match !== undefined && names(match, fault.record))
}

/** Returns whether a path names a record, as its own or as a parent. */
function names({ endpoint, parameters }: EndpointMatch, record: NonNullable<Fault['record']>): boolean {
  const { scope } = endpoint.resource
  return endpoint.names.some((name) => {
    const key = record[pluralOf(endpoint.resource, name)]
    if (key === undefined) return false
    return [parameters[name], `${parameters[scope ?? '']}/${parameters[name]}`].includes(String(key))
  })
}

/** Counts a request that matches, and returns whether the fault applies to it. */
function isDue(entry: FaultEntry): boolean {
  const { times = Number.POSITIVE_INFINITY, every = 1, probability = 1 } = entry.fault
  if (entry.used >= times) return false
  entry.seen += 1
  return entry.seen % every === 0 && (probability === 1 || entry.random() < probability)
}
