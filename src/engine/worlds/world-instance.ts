import { readSwitches, type Switches } from '../../assumptions/switches.ts'
import { compareStates, type StateDifference } from '../../factories/difference.ts'
import { exportFixture, viewAsFixture } from '../../factories/export.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { Model, type ModelState } from '../../factories/model.ts'
import type { Store } from '../../factories/store.ts'
import type { Authenticated } from '../../resources/resource.ts'
import { becomesStart, type ImportOptions } from '../../shared/import-options.ts'
import * as limits from '../../shared/limits.ts'
import { noSuch } from '../../shared/suggest.ts'
import { toMilliseconds } from '../../shared/timestamps.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { WorldClock } from '../clock.ts'
import type { FaultError } from '../faults/fault.ts'
import { FaultList } from '../faults/faults.ts'
import { describeEntry } from '../journal/describe-entry.ts'
import { JournalQueue } from '../journal/journal.ts'
import type { Router } from '../router.ts'
import { type ChangedPart, ChangeStream } from './change-stream.ts'
import { Replacements } from './replacements.ts'
import type { WorldSettings } from './world-settings.ts'
import { readWorldStart, type WorldStart } from './world-start.ts'
import type { Snapshot, WorldState } from './world-state.ts'

/**
 * An existing world: the state that answers its requests. It shares its initial state until a
 * write.
 */
export class WorldInstance {
  /** Changes when somebody names a world that only API keys had named. */
  name: string
  readonly settings: WorldSettings
  readonly clock: WorldClock
  readonly faults: FaultList
  readonly journal: JournalQueue
  readonly changes = new ChangeStream()
  /** Replacements of all records. Undoing one does not affect snapshots. */
  readonly replacements = new Replacements(
    () => ({ ...this.state(), records: this.model.state() }),
    (before) => this.load({ ...before, snapshots: new Map(this.#snapshots) }, true),
  )
  model: Model
  router: Router
  switches: Switches
  /** The state that `reset` restores. */
  #start: WorldStart
  /** The start or the import that the present resources and API keys come from. */
  origin: WorldStart
  readonly #snapshots = new Map<string, Snapshot>()

  constructor(name: string, start: WorldStart, settings: WorldSettings) {
    this.name = name
    this.settings = settings
    this.clock = new WorldClock(settings.time, start.clock)
    this.#start = start
    this.origin = start
    this.router = start.router
    this.switches = settings.switches
    this.model = this.#createModel(start.state)
    const { seed, adapters, faults, journals } = settings
    this.faults = new FaultList({ seed, adapters, endpoints: () => this.router.endpoints }, faults)
    this.faults.changed = () => this.#note('faults')
    this.clock.changed = () => this.#note('clock')
    this.clock.applyDueEvents = () => this.model.applyDueEvents()
    this.journal = new JournalQueue(
      (logged, details) => describeEntry(logged, this.name, this.origin.redactor, details),
      this.changes,
      journals,
    )
  }

  #note(part: ChangedPart): void {
    this.settings.saving.changed?.()
    this.changes.note(part)
  }

  /** Returns its present state. Write it at once, because the next request changes the stores. */
  state(): Omit<WorldState, 'records'> & { readonly stores: ReadonlyMap<string, Store> } {
    return {
      start: this.#start,
      origin: this.origin,
      clock: this.clock.state(),
      switches: this.switches,
      faults: this.faults.state(),
      snapshots: this.#snapshots,
      stores: this.model.stores(),
    }
  }

  /**
   * Replaces its state by another. Leaves out faults that are no longer possible, and returns their errors.
   */
  load(state: WorldState, hasSameInitialFaults: boolean): FaultError[] {
    this.#start = state.start
    this.#replaceRecords(state.origin, state.records)
    this.#snapshots.clear()
    this.setSwitches(state.switches)
    this.clock.load(state.clock)
    const errors = this.faults.load(state.faults, hasSameInitialFaults)
    for (const [name, snapshot] of state.snapshots) this.#snapshots.set(name, snapshot)
    return errors
  }

  /** Replaces some switches, after a check. */
  switchAssumptions(values: Partial<Switches>): void {
    this.setSwitches(readSwitches({ ...this.switches, ...values }))
  }

  setSwitches(switches: Switches): void {
    this.switches = switches
    this.model.switches = switches
    this.#note('assumptions')
  }

  isApiKey(text: string): boolean {
    return this.origin.apiKeys.includes(text)
  }

  /** The model, with all due events applied. */
  get currentModel(): Model {
    this.model.applyDueEvents()
    return this.model
  }

  /** Returns the user of a decoded token; `undefined` for an unknown token. */
  authenticates(token: string): Authenticated | undefined {
    return this.origin.authenticator?.authenticates?.(token, this.model)
  }

  /** Returns the raw form of a decoded token; throws if no record has the token. */
  async rawToken(token: string): Promise<string> {
    this.model.applyDueEvents()
    const found = this.authenticates(token)
    if (found === undefined) {
      const { singular, key } = this.origin.authenticator ?? { singular: 'record', key: 'token' }
      // The message must not contain the token, which is a secret.
      throw new UnderstudyError('NOT_FOUND', `No ${singular} has this ${key}.`)
    }
    await this.settings.tokens.load()
    return this.settings.tokens.sign({ token, expires: toMilliseconds(found.expires) / 1_000 })
  }

  reset(): void {
    this.replacements.make('reset', () => this.#reset())
  }

  #reset(): void {
    this.clock.reset()
    this.setSwitches(this.settings.switches)
    this.faults.restart()
    this.journal.restart()
    this.#replaceRecords(this.#start, this.#start.state)
  }

  snapshot(name: string): void {
    if (!this.#snapshots.has(name) && this.#snapshots.size >= limits.snapshots) {
      const text = `There are ${limits.snapshots} snapshots, which is the limit. Take the name of one again.`
      throw new UnderstudyError('CONFLICT', text)
    }
    const state = this.currentModel.state()
    this.#snapshots.set(name, { origin: this.origin, state, frozenAt: this.clock.frozenAt })
    this.#note('snapshots')
  }

  restore(name: string): void {
    const found = this.#findSnapshot(name)
    this.replacements.make('restore', () => {
      this.clock.putBack(found.frozenAt)
      this.#replaceRecords(found.origin, found.state)
    })
  }

  #findSnapshot(name: string): Snapshot {
    const found = this.#snapshots.get(name)
    if (found !== undefined) return found
    throw new UnderstudyError('NOT_FOUND', noSuch('snapshot', name, this.snapshots()))
  }

  snapshots(): string[] {
    return [...this.#snapshots.keys()]
  }

  /** Returns how the present records differ from the initial state, a snapshot or another world. */
  diff(from?: string | WorldInstance): StateDifference {
    const { stores } =
      from === undefined
        ? this.#start.state
        : typeof from === 'string'
          ? this.#findSnapshot(from).state
          : { stores: from.currentModel.stores() }
    return compareStates(stores, this.currentModel.stores())
  }

  export(): Fixture {
    return exportFixture(this.currentModel, this.origin.apiKeys)
  }

  viewAsFixture(): Fixture {
    return viewAsFixture(this.currentModel, this.origin.apiKeys)
  }

  import(fixture: Fixture, options?: ImportOptions): void {
    const isStart = becomesStart(options)
    const imported = readWorldStart(fixture, this.settings, this.clock)
    const time = this.clock.startsFrozen ? imported.clock : undefined
    this.replacements.make('import', () => {
      if (isStart) this.#start = imported
      if (time !== undefined && isStart) this.clock.startAt(time)
      else this.clock.putBack(time)
      this.#replaceRecords(imported, imported.state)
    })
  }

  /** Replaces the present records; from another origin, also the resources and the API keys. */
  #replaceRecords(origin: WorldStart, state: ModelState): void {
    if (origin === this.origin) {
      this.model.restore(state)
      return
    }
    const before = this.model
    this.origin = origin
    this.router = origin.router
    before.retire()
    this.model = this.#createModel(state)
    this.changes.note('resources')
    for (const plural of [...before.stores().keys(), ...this.model.stores().keys()])
      this.model.changed(plural)
  }

  dispose(): void {
    this.replacements.clear()
    this.#snapshots.clear()
    for (const listened of [this.journal, this.changes]) listened.dispose()
    this.model.restore()
    this.model.retire()
  }

  #createModel(state: ModelState): Model {
    const { seed, tokens, memory } = this.settings
    const model = new Model({
      memory,
      resources: this.origin.resources,
      seed,
      switches: this.switches,
      signToken: tokens.sign,
      clock: this.clock,
    })
    model.restore(state)
    model.changed = (plural) => {
      this.settings.saving.changed?.()
      if (this.changes.isHeard) this.changes.note(`records/${plural}`)
    }
    model.onLimited((leftOut) => this.settings.limited?.(this.name, leftOut))
    return model
  }
}
