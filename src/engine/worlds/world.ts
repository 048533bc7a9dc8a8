import type { Assumption, AssumptionId } from '../../assumptions/index.ts'
import type { AssumptionSwitches } from '../../assumptions/switches.ts'
import type { ResourceDescription } from '../../factories/describe-resources.ts'
import type { StateDifference } from '../../factories/difference.ts'
import type { FixtureInput } from '../../factories/fixture-contents.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import type { Factories, Tables } from '../../factories/tables.ts'
import type { Logs } from '../../resources/log/controls/last-errors.ts'
import type { Runs } from '../../resources/pipeline-run/controls/runs.ts'
import type { ImportOptions } from '../../shared/import-options.ts'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { Journal } from '../journal/journal.ts'
import type { MaybePromise, UnderstudyReply, UnderstudyRequest } from '../messages.ts'
import type { RequestInput } from '../normalize-request.ts'
import type { Endpoint } from '../router.ts'
import type { ScenarioControls } from '../scenarios/scenario.ts'
import type { ChangeFeed } from './change-stream.ts'
import type { ReplacingAct } from './world-state.ts'

/** An assumption, and the value of its switch, if it has one. */
export interface ActiveAssumption extends Assumption {
  readonly id: AssumptionId
  readonly value?: string | number
}

/** The assumptions of a world: what it does where the specification is silent. */
export interface Assumptions {
  /** Lists all assumptions with their values. */
  list(): Promise<ActiveAssumption[]>
  /**
   * Sets switches.
   *
   * @throws where an id has no switch, or a value is not one it takes.
   * @example
   * understudy.assumptions.switch({ 'list-count': 'items' })
   */
  switch(values: AssumptionSwitches): void
}

/** Source of a comparison: the name of a snapshot, or another world. */
export type DifferenceFrom = string | { readonly world: string }

/**
 * Isolated instance of the mock: its own data, clock, faults and request log. Requests that name no world use
 * `main`.
 */
export interface World {
  readonly name: string
  /** Collections of records, by plural: `understudy.model.backfills.findFirst((q) => q.where({ id: 7 }))`. */
  readonly model: Tables
  /** Factories of records, by singular in camel case: `await understudy.factories.backfill.create()`. */
  readonly factories: Factories
  readonly clock: Clock
  readonly runs: Runs
  readonly logs: Logs
  readonly faults: Faults
  readonly journal: Journal
  readonly changes: ChangeFeed
  readonly assumptions: Assumptions
  readonly scenarios: ScenarioControls
  readonly apiKeys: readonly string[]
  /** Routes of the API, each with its operation and resource. */
  readonly endpoints: readonly Endpoint[]
  /** Describes each resource: attributes as JSON Schema, traits and operations. Loaded on demand. */
  resources(): Promise<ResourceDescription[]>
  /**
   * Answers a request in this world, even if it names another; returns `undefined` if its path is not under
   * `/api`. An adapter carries out the reply's `delivery`.
   */
  dispatch(request: RequestInput | UnderstudyRequest): MaybePromise<UnderstudyReply> | undefined
  /**
   * Answers a Fetch API request in this world and applies the faults of its delivery. A path outside `/api`
   * is 404.
   *
   * @throws UnderstudyError if the input is not a path, URL or `Request`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Returns the raw token of a decoded one, for a cookie. */
  rawToken(token: string): Promise<string>
  /**
   * Signs out all users: every token expires now. Returns the number of tokens.
   *
   * @example
   * await understudy.signOut() // 4
   */
  signOut(): Promise<number>
  /**
   * Restores the initial state: the fixture's records and ids, the start of a frozen clock, the initial
   * faults and an empty journal. Reverse it with `undo`.
   */
  reset(): void
  /**
   * Reverses the last reset, restore, import or start of a scenario, and returns which one it was. Records,
   * clock, faults and assumptions are as before. The journal does not change; the call discards later writes.
   *
   * @throws UnderstudyError if there is nothing to undo.
   * @example
   * understudy.reset()
   * understudy.undo() // 'reset'
   */
  undo(): ReplacingAct
  /** Stores the present records and the time of a frozen clock as a snapshot with this name. */
  snapshot(name: string): void
  /** Restores the snapshot with this name. */
  restore(name: string): void
  /** Returns the names of the snapshots. */
  snapshots(): string[]
  /**
   * Returns how the present records differ from an earlier state: created, updated and deleted records, by resource.
   *
   * @param from the name of a snapshot, or another world. Default: the initial state, which `reset` restores.
   * @throws UnderstudyError if there is no such snapshot or world.
   * @example
   * understudy.snapshot('before')
   * understudy.diff('before').backfills.created // []
   */
  diff(from?: DifferenceFrom): StateDifference
  /** Returns the present state as a fixture. */
  export(): Fixture
  /**
   * Replaces the state by a fixture and sets a frozen clock to its `clock`; an invalid fixture changes
   * nothing. Snapshots do not change, and `reset` restores the same state as before unless you set `asStart`.
   *
   * @throws FixtureError that lists the flaws of the fixture.
   * @example
   * understudy.import(demo, { asStart: true })
   */
  import(fixture: FixtureInput, options?: ImportOptions): void
}
