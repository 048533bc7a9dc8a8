import type { Resource } from '../../resources/define-resource.ts'
import { seededRandom } from '../../wire/seeded.ts'
import { parseDuration } from '../../wire/timestamps.ts'
import type { Endpoint, EndpointMatch } from '../router.ts'
import type { Delivery } from './delivery.ts'
import { effectsOf, endings, type Fault, type FaultEffect, FaultError, readFault } from './fault.ts'

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
export interface Strike {
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

interface Armed {
  readonly id: string
  readonly fault: Fault
  readonly path: RegExp | undefined
  readonly random: () => number
  seen: number
  used: number
}

/** The faults of a world, in the order in which they were added. */
export class FaultList implements Faults {
  readonly #context: FaultContext
  readonly #initial: readonly Fault[]
  /** Called when a fault has been added. */
  added: () => void = () => undefined
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

  /** How far back stale reads go, in milliseconds; 0 where there are none. */
  get lag(): number {
    return this.#armed.reduce((most, { fault }) => Math.max(most, lagOf(fault)), 0)
  }

  /** Goes back to the faults the world began with. */
  restart(): void {
    this.#armed = []
    this.#number = 0
    for (const [index, fault] of this.#initial.entries()) this.#add(fault, `$[${index}]`)
  }

  add(given: Fault): ActiveFault {
    return this.#add(given, '$')
  }

  #add(given: Fault, at: string): ActiveFault {
    const fault = readFault(given, at)
    this.#check(fault, at)
    this.#number += 1
    const armed: Armed = {
      id: `fault-${this.#number}`,
      fault,
      path: fault.path === undefined ? undefined : toPattern(fault.path),
      random: seededRandom(this.#context.seed, `fault ${this.#number}`),
      seen: 0,
      used: 0,
    }
    this.#armed.push(armed)
    this.added()
    return show(armed)
  }

  list(): ActiveFault[] {
    return this.#armed.map(show)
  }

  remove(id: string): boolean {
    const before = this.#armed.length
    this.#armed = this.#armed.filter((armed) => armed.id !== id)
    return this.#armed.length < before
  }

  clear(): void {
    this.#armed = []
  }

  /**
   * Says what strikes a request; `match` is what it reaches.
   *
   * Every fault that fits counts the request, and the first that decides the answer decides it.
   */
  strike(method: string, path: string, match: EndpointMatch | undefined): Strike | undefined {
    const struck = this.#armed.filter((armed) => fits(armed, method, path, match) && isDue(armed))
    if (struck.length === 0) return undefined
    const ending = struck.find(({ fault }) => endingOf(fault) !== undefined)
    const delay = struck.reduce((sum, { fault, random }) => sum + draw(fault.latency, random), 0)
    const headTime = struck.reduce((sum, { fault }) => sum + milliseconds(fault.slowHeaders), 0)
    const bodyTime = struck.reduce((sum, { fault }) => sum + milliseconds(fault.slowBody), 0)
    const kind = ending && endingOf(ending.fault)
    const end = kind === 'hang' || kind === 'drop' || kind === 'reset' ? kind : undefined
    for (const armed of struck) armed.used += 1
    return {
      ids: struck.map(({ id }) => id),
      ending: ending?.fault,
      delivery: {
        ...(delay > 0 && { delay }),
        ...(headTime > 0 && { headTime }),
        ...(bodyTime > 0 && { bodyTime }),
        ...(end && { end }),
      },
    }
  }

  /** Throws where a fault that has been added cannot be expressed any more: a face has been attached. */
  checkAll(): void {
    for (const { fault } of this.#armed) this.#check(fault, '$')
  }

  #check(fault: Fault, at: string): void {
    const endpoints = this.#context.endpoints()
    const { operation, record = {} } = fault
    checkName(`${at}.operation`, 'an operation', operation, new Set(endpoints.map(idOf)))
    const plurals = new Set(
      endpoints.flatMap(({ resource, names }) => names.map((name) => pluralOf(resource, name))),
    )
    checkName(`${at}.record`, 'the plural of a resource', Object.keys(record)[0], plurals)
    for (const effect of effectsOf(fault)) {
      const refusal = this.#context.refusal(effect)
      if (refusal === undefined) continue
      const expected = `what ${refusal.face} can express`
      throw new FaultError({ path: `${at}.${effect}`, expected, found: `${effect}: ${refusal.reason}` })
    }
  }
}

const idOf = ({ operation }: Endpoint) => operation.id

function checkName(path: string, what: string, name: string | undefined, known: ReadonlySet<string>): void {
  if (name === undefined || known.has(name)) return
  const expected = `${what}: one of ${[...known].join(', ')}`
  throw new FaultError({ path, expected, found: JSON.stringify(name) })
}

function show({ id, fault, used }: Armed): ActiveFault {
  return { id, used, ...fault }
}

/** Which of the things that decide the answer a fault is. */
export function endingOf(fault: Fault): (typeof endings)[number] | undefined {
  return effectsOf(fault).find((effect): effect is (typeof endings)[number] =>
    (endings as readonly string[]).includes(effect),
  )
}

/** How far back a fault's stale reads go, in milliseconds. */
export function lagOf(fault: Fault): number {
  return milliseconds(fault.stale)
}

function fits(
  { fault, path: pattern }: Armed,
  method: string,
  path: string,
  match: EndpointMatch | undefined,
) {
  if (fault.method === undefined ? method === 'OPTIONS' : fault.method !== method) return false
  if (fault.operation !== undefined && fault.operation !== match?.endpoint.operation.id) return false
  if (pattern !== undefined && !pattern.test(path)) return false
  if (fault.stale !== undefined && method !== 'GET') return false
  return fault.record === undefined || (match !== undefined && names(match, fault.record))
}

/** Tells whether a path names a record: as its own, or as one it stands under. */
function names({ endpoint, parameters }: EndpointMatch, record: NonNullable<Fault['record']>): boolean {
  const [plural, key] = Object.entries(record)[0]!
  const { scope } = endpoint.resource
  return endpoint.names.some((name) => {
    if (pluralOf(endpoint.resource, name) !== plural) return false
    return [parameters[name], `${parameters[scope ?? '']}/${parameters[name]}`].includes(String(key))
  })
}

function pluralOf(resource: Resource, parameter: string): string {
  return resource.references?.[parameter]?.plural ?? resource.plural
}

/** Counts a request that fits, and says whether the fault strikes it. */
function isDue(armed: Armed): boolean {
  const { times = Number.POSITIVE_INFINITY, every = 1, probability = 1 } = armed.fault
  if (armed.used >= times) return false
  armed.seen += 1
  return armed.seen % every === 0 && (probability === 1 || armed.random() < probability)
}

function draw(latency: Fault['latency'], random: () => number): number {
  if (latency === undefined) return 0
  if (typeof latency !== 'object') return milliseconds(latency)
  // Box and Muller: two even draws make one normal one.
  const deviate = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  if ('normal' in latency) {
    const { mean, deviation } = latency.normal
    return Math.max(0, milliseconds(mean) + deviate * milliseconds(deviation))
  }
  const { median, sigma } = latency.lognormal
  return Math.min(milliseconds(median) * Math.exp(deviate * sigma), longest)
}

/** The longest wait a timer takes, in milliseconds. */
const longest = 2 ** 31 - 1

function milliseconds(duration: string | number | undefined): number {
  return duration === undefined ? 0 : Math.min(parseDuration(duration) ?? 0, longest)
}

function toPattern(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) =>
      part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'),
    )
  return new RegExp(`^${parts.join('/')}$`)
}
