import type { Fixture } from '../../factories/fixture.ts'
import { quote } from '../../wire/errors.ts'
import { parseDuration } from '../../wire/timestamps.ts'
import { UnderstudyError } from '../../wire/understudy-error.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../messages.ts'
import type { Target } from '../query.ts'
import { createWorld, type Ground, type LiveWorld, type Origin, readOrigin, type World } from './world.ts'

export interface WorldsOptions {
  /** How many worlds there are at most beside `main`; the least recently used goes first. Default 1,000. */
  readonly most?: number
  /** How long a world may lie idle: milliseconds, or a text such as `'1h'`, the default. In real time. */
  readonly idle?: string | number
  /** Told of each world that is forgotten, and why. */
  readonly forgotten?: (name: string, reason: string) => void
}

/** A world, how many requests it has had, and for how many milliseconds none. */
export interface WorldSummary {
  readonly name: string
  readonly requests: number
  readonly idle: number
}

/** The worlds of an understudy. */
export interface Worlds {
  /** The worlds there are, `main` first, then the least recently used. */
  list(): WorldSummary[]
  /**
   * Makes a world, from a fixture of its own or from that of the understudy.
   *
   * @throws where there is one of that name, or the name is none.
   * @example
   * understudy.worlds.create('alice', { fixture: { pipelines: [{ name: 'hers' }] } })
   */
  create(name: string, options?: { readonly fixture?: Fixture }): World
  /** Forgets a world; false where there is none of that name. `main` stays. */
  delete(name: string): boolean
}

/** The world of requests that name none. */
export const mainWorld = 'main'

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Says what a world's name may be, where a text is none. */
export function refuseName(name: string): string | undefined {
  if (typeof name === 'string' && namePattern.test(name)) return undefined
  return `expected 1 to 64 letters, digits, - or _, the first a letter or digit; found ${quote(name)}.`
}

interface Inhabited {
  readonly live: LiveWorld
  requests: number
  usedAt: number
}

/** The worlds of an understudy, least recently used first. */
export class WorldMap implements Worlds {
  readonly main: LiveWorld
  readonly #ground: Ground
  readonly #most: number
  readonly #idle: number
  readonly #forgotten: NonNullable<WorldsOptions['forgotten']>
  readonly #worlds = new Map<string, Inhabited>()
  readonly #mainUse: Inhabited
  #origin: Origin

  constructor(origin: Origin, ground: Ground, options: WorldsOptions = {}) {
    const { most = 1_000, idle = '1h', forgotten = () => undefined } = options
    this.#ground = ground
    this.#most = most
    this.#idle = parseDuration(idle)!
    this.#forgotten = forgotten
    this.#origin = origin
    this.main = createWorld(mainWorld, origin, ground)
    this.#mainUse = { live: this.main, requests: 0, usedAt: Date.now() }
  }

  /** Says what later worlds are born from. */
  bear(origin: Origin): void {
    this.#origin = origin
  }

  /** How many worlds there are, `main` among them. */
  get size(): number {
    return this.#worlds.size + 1
  }

  /** Every world there is. */
  *all(): Iterable<LiveWorld> {
    yield this.main
    for (const { live } of this.#worlds.values()) yield live
  }

  /** Answers a request of the main world. */
  answerMain(request: UnderstudyRequest, target: Target): UnderstudyReply | Promise<UnderstudyReply> {
    this.#mainUse.requests += 1
    this.#mainUse.usedAt = Date.now()
    return this.main.answer(request, target)
  }

  /** Answers a request of a world, which is born where there is none yet. */
  answer(name: string, request: UnderstudyRequest, target: Target) {
    const isBorn = !this.#worlds.has(name)
    const inhabited = this.#use(name)
    inhabited.requests += 1
    const reply = inhabited.live.answer(request, target)
    if (!isBorn) return reply
    // Whoever has no key makes no world, and pushes none out.
    const settle = (first: UnderstudyReply) => {
      if (first.code === 401 && inhabited.requests === 1) this.#worlds.delete(name)
      else this.#trim()
      return first
    }
    return reply instanceof Promise ? reply.then(settle) : settle(reply)
  }

  /**
   * A handle of the world of a name, which is born where there is none yet.
   *
   * It goes by the name: where the world is forgotten meanwhile, it is that of the next one.
   */
  get(name: string): World {
    this.#check(name)
    if (name === mainWorld) return this.main.world
    this.#present(name)
    return new Proxy({} as World, { get: (_, member) => Reflect.get(this.#present(name), member) })
  }

  #present(name: string): World {
    const { live } = this.#use(name)
    this.#trim()
    return live.world
  }

  /** Tells whether there is a world of a name, without making one. */
  has(name: string): boolean {
    return name === mainWorld || this.#worlds.has(name)
  }

  list(): WorldSummary[] {
    this.#trim()
    const now = Date.now()
    return [this.#mainUse, ...this.#worlds.values()].map(({ live, requests, usedAt }) => ({
      name: live.world.name,
      requests,
      idle: now - usedAt,
    }))
  }

  create(name: string, { fixture }: { readonly fixture?: Fixture } = {}): World {
    this.#check(name)
    if (this.has(name))
      throw new UnderstudyError('NAME_TAKEN', `There is a world ${name} already; delete it first.`)
    const origin = fixture === undefined ? this.#origin : readOrigin(fixture, this.#ground)
    this.#add(name, origin)
    return this.get(name)
  }

  delete(name: string): boolean {
    if (name === mainWorld) throw new UnderstudyError('CONFLICT', 'The main world stays; reset it instead.')
    return this.#forget(name)
  }

  dispose(): void {
    for (const name of [...this.#worlds.keys()]) this.#forget(name)
    this.main.dispose()
  }

  #check(name: string): void {
    const refusal = refuseName(name)
    if (refusal !== undefined)
      throw new UnderstudyError('ARGUMENT_INVALID', `The name of a world: ${refusal}`)
  }

  /** Moves a world to the end of the row, where the most recently used one stands. */
  #use(name: string): Inhabited {
    const inhabited = this.#worlds.get(name)
    if (inhabited === undefined) return this.#add(name, this.#origin)
    inhabited.usedAt = Date.now()
    this.#worlds.delete(name)
    this.#worlds.set(name, inhabited)
    return inhabited
  }

  #add(name: string, origin: Origin): Inhabited {
    const live = createWorld(name, origin, this.#ground)
    const inhabited = { live, requests: 0, usedAt: Date.now() }
    this.#worlds.set(name, inhabited)
    return inhabited
  }

  /** Forgets what has lain idle, and the least recently used of what is too much. */
  #trim(): void {
    const limit = Date.now() - this.#idle
    for (const [name, { usedAt }] of this.#worlds) {
      const reason =
        usedAt < limit ? 'it was idle' : this.#worlds.size > this.#most ? 'there were too many' : undefined
      if (reason === undefined) return
      this.#forget(name)
      this.#forgotten(name, reason)
    }
  }

  #forget(name: string): boolean {
    const inhabited = this.#worlds.get(name)
    if (inhabited === undefined) return false
    this.#worlds.delete(name)
    inhabited.live.dispose()
    return true
  }
}
