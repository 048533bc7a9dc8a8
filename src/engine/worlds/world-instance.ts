import type { Switches } from '../../assumptions/switches.ts'
import { exportFixture } from '../../factories/export.ts'
import { type Fixture, fixtureClock, loadFixture } from '../../factories/fixture.ts'
import { Model, type ModelState } from '../../factories/model.ts'
import { applyProfile, type Profile } from '../../profiles/define-profile.ts'
import type { Authenticated, Resource } from '../../resources/resource.ts'
import { limits } from '../../wire/limits.ts'
import { suggest } from '../../wire/suggest.ts'
import { toMilliseconds, toTimestamp } from '../../wire/timestamps.ts'
import { UnderstudyError } from '../../wire/understudy-error.ts'
import { type ClockOption, WorldClock } from '../clock.ts'
import type { Fault } from '../faults/fault.ts'
import { type FaultContext, FaultList } from '../faults/faults.ts'
import { Past } from '../faults/past.ts'
import { type JournalOptions, JournalQueue } from '../journal/journal.ts'
import type { JournalBudget } from '../journal/journal-budget.ts'
import { Redactor } from '../journal/redact.ts'
import { Router } from '../router.ts'
import type { Tokens } from '../tokens.ts'

/** What is checked: nothing, the API key, or the API key and an OAuth token (`auth-mode`). */
export type AuthMode = 'open' | 'key' | 'login'

/** What all worlds of an understudy have in common. */
export interface WorldSettings {
  readonly seed: number
  readonly auth: AuthMode
  readonly profile: Profile | undefined
  readonly clock: ClockOption | undefined
  readonly tokens: Tokens
  /** The choices that a world begins with. */
  readonly switches: Switches
  /** The faults that a world begins with. */
  readonly faults: readonly Fault[]
  readonly journal: JournalOptions
  /** What the journals of all worlds may take together. */
  readonly journalBudget?: JournalBudget
  /** How many worlds there are. */
  readonly worldCount: () => number
  readonly isStrict: boolean
  readonly refusal: FaultContext['refusal']
}

/** What a world begins with, and goes back to; worlds that begin with the same share it. */
export interface WorldStart {
  readonly resources: readonly Resource[]
  readonly router: Router
  readonly redactor: Redactor
  readonly state: ModelState
  readonly apiKeys: readonly string[]
  /** Where a frozen clock stands, in milliseconds since the epoch. */
  readonly clock: number | undefined
}

/**
 * Reads what worlds begin with; moments in the fixture are relative to the clock, by default that of a new world.
 *
 * @throws FixtureError where the fixture is broken.
 */
export function readWorldStart(fixture: Fixture, settings: WorldSettings, given?: WorldClock): WorldStart {
  const start = fixtureClock(fixture)
  const { seed, switches, tokens, profile } = settings
  const clock = given ?? new WorldClock(settings.clock, start)
  const { resources, state, apiKeys } = loadFixture(fixture, {
    seed,
    switches,
    signToken: tokens.sign,
    now: () => clock.now(),
    ...(profile !== undefined && { deviate: (documented) => applyProfile(documented, profile) }),
  })
  return {
    resources,
    router: new Router(resources),
    redactor: new Redactor(resources),
    state,
    apiKeys,
    clock: start,
  }
}

/** A world that is there: what its requests are answered from. What it begins with is shared until somebody writes. */
export class WorldInstance {
  readonly name: string
  readonly settings: WorldSettings
  readonly clock: WorldClock
  readonly faults: FaultList
  readonly journal: JournalQueue
  model: Model
  router: Router
  /** The choices where the document is silent. */
  switches: Switches
  #apiKeys: ReadonlySet<string>
  #start: WorldStart
  /** The resource whose records requests present as tokens. */
  #authenticator: Resource | undefined
  /** What was, while stale reads may need it. */
  #past: Past | undefined
  readonly #snapshots = new Map<string, { state: ModelState; frozenAt: number | undefined }>()

  constructor(name: string, start: WorldStart, settings: WorldSettings) {
    this.name = name
    this.settings = settings
    this.clock = new WorldClock(settings.clock, start.clock)
    this.#start = start
    this.router = start.router
    this.switches = settings.switches
    this.#apiKeys = new Set(start.apiKeys)
    this.#authenticator = findAuthenticator(start)
    this.model = this.#createModel(start.state, 0)
    const { seed, refusal, faults, journal, worldCount, journalBudget } = settings
    this.faults = new FaultList({ seed, refusal, endpoints: () => this.router.endpoints }, faults)
    this.faults.changed = () => this.#followPast()
    this.#followPast()
    this.clock.moved = () => this.model.settle()
    this.journal = new JournalQueue(name, () => this.#start.redactor, journal, worldCount, journalBudget)
  }

  /** Takes other choices where the document is silent. */
  choose(switches: Switches): void {
    this.switches = switches
    this.model.switches = switches
  }

  get apiKeys(): readonly string[] {
    return this.#start.apiKeys
  }

  isApiKey(text: string): boolean {
    return this.#apiKeys.has(text)
  }

  /** Whether a fault may strike. */
  get hasFaults(): boolean {
    return !this.faults.isIdle
  }

  /** The model, in which everything has happened that was due by now. */
  get settledModel(): Model {
    this.model.settle()
    return this.model
  }

  /** Says whom a decoded token stands for; `undefined` where it is not known. */
  authenticates(token: string): Authenticated | undefined {
    return this.#authenticator?.authenticates?.(token, this.model)
  }

  /**
   * The raw token of a decoded one.
   *
   * @throws where no record has the token.
   */
  rawToken(token: string): Promise<string> {
    this.model.settle()
    const found = this.authenticates(token)
    if (found === undefined) {
      const { singular, key } = this.#authenticator ?? { singular: 'record', key: 'token' }
      // The token itself is a secret, and not said.
      throw new UnderstudyError('NOT_FOUND', `No ${singular} has this ${key}.`)
    }
    return this.settings.tokens.sign({ token, expires: toMilliseconds(found.expires) / 1_000 })
  }

  /** Follows the present at the distances that stale reads ask for, as long as there are any. */
  #followPast(): void {
    const lags = this.faults.lags
    if (lags.size === 0) {
      this.#past = undefined
      this.model.watcher = undefined
      return
    }
    const past = this.#past ?? new Past()
    this.#past = past
    past.follow(lags, (lag) => this.#createModel(this.settledModel.state(), lag))
    this.model.watcher = (event, at) => past.note(event, at)
  }

  /** Begins to follow the present anew. */
  #forgetPast(): void {
    this.#past = undefined
    this.#followPast()
  }

  /** The records as they were some time ago, in milliseconds; as far back as they are remembered. */
  modelOf(lag: number): Model {
    const present = this.settledModel
    return this.#past?.modelOf(lag, toTimestamp(this.clock.now() - lag)) ?? present
  }

  reset(): void {
    this.clock.reset()
    this.choose(this.settings.switches)
    this.faults.restart()
    this.journal.restart()
    this.model.restore(this.#start.state)
    this.#forgetPast()
  }

  snapshot(name: string): void {
    if (!this.#snapshots.has(name) && this.#snapshots.size >= limits.snapshots) {
      throw new UnderstudyError(
        'CONFLICT',
        `There are ${limits.snapshots} snapshots, and there may be no more; take the name of one of them again.`,
      )
    }
    this.#snapshots.set(name, { state: this.settledModel.state(), frozenAt: this.clock.frozenAt })
  }

  restore(name: string): void {
    const found = this.#snapshots.get(name)
    if (found === undefined) {
      const names = this.snapshots()
      throw new UnderstudyError(
        'NOT_FOUND',
        `There is no snapshot ${name}; there are ${names.join(', ') || 'none'}.${suggest(name, names)}`,
      )
    }
    this.clock.putBack(found.frozenAt)
    this.model.restore(found.state)
  }

  snapshots(): string[] {
    return [...this.#snapshots.keys()]
  }

  export(): Fixture {
    return exportFixture(this.settledModel, this.apiKeys)
  }

  import(fixture: Fixture): void {
    const startsAnew = this.clock.startsFrozen && fixture?.clock !== undefined
    const start = readWorldStart(fixture, this.settings, startsAnew ? undefined : this.clock)
    if (start.clock !== undefined) this.clock.startAt(start.clock)
    this.#start = start
    this.router = start.router
    this.#apiKeys = new Set(start.apiKeys)
    this.#authenticator = findAuthenticator(start)
    this.model = this.#createModel(start.state, 0)
    this.#forgetPast()
    this.#snapshots.clear()
  }

  /** Forgets everything. */
  dispose(): void {
    this.#snapshots.clear()
    this.journal.dispose()
    this.model.restore()
  }

  /** Makes a model of a state, whose clock is so many milliseconds behind. */
  #createModel(state: ModelState | undefined, lag: number): Model {
    const { seed, tokens } = this.settings
    const model = new Model({
      resources: this.#start.resources,
      seed,
      switches: this.switches,
      signToken: tokens.sign,
      now: () => this.clock.now() - lag,
    })
    model.restore(state)
    // What is only looked back at counts no reads.
    if (lag > 0) model.counting.clear()
    return model
  }
}

function findAuthenticator({ resources }: WorldStart): Resource | undefined {
  return resources.find(({ authenticates }) => authenticates !== undefined)
}
