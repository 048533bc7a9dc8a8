import type { ResourceDescription } from '../../factories/describe-resources.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import type { Factories, Tables } from '../../factories/tables.ts'
import type { ResourceControls } from '../../resources/table-types.ts'
import type { ImportOptions } from '../../shared/import-options.ts'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { Journal } from '../journal/journal.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../messages.ts'
import type { RequestInput } from '../normalize-request.ts'
import type { Endpoint } from '../router.ts'
import type { ScenarioStage } from '../scenarios/scenario.ts'
import type { Assumptions } from './assumptions-here.ts'
import type { ChangeFeed } from './change-stream.ts'
import type { ReplacingAct } from './world-state.ts'

/** A world: data, a clock, faults and a journal of its own. Requests that name no world are answered by `main`. */
export interface World extends ResourceControls {
  readonly name: string
  /** The collections, by plural: `understudy.model.backfills.findFirst((q) => q.where({ id: 7 }))`. */
  readonly model: Tables
  /** Makers of records, by singular in camel case: `await understudy.factories.backfill.create()`. */
  readonly factories: Factories
  readonly clock: Clock
  readonly faults: Faults
  readonly journal: Journal
  readonly changes: ChangeFeed
  readonly assumptions: Assumptions
  readonly scenarios: ScenarioStage
  readonly apiKeys: readonly string[]
  /** Every route with its operation and resource: the table of the API. */
  readonly endpoints: readonly Endpoint[]
  /** Describes each resource: attributes as JSON Schema, traits and operations. Loaded on demand. */
  resources(): Promise<ResourceDescription[]>
  /**
   * Answers a request as this world, whichever it names; `undefined` where its path is not under `/api`. An adapter carries
   * out the reply's `delivery`.
   */
  dispatch(request: RequestInput | UnderstudyRequest): MaybePromise<UnderstudyReply> | undefined
  /**
   * Answers a Fetch API request as this world, faults in its delivery included; a path outside `/api` is 404.
   *
   * @throws UnderstudyError where it is asked for what is no path, URL or `Request`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The raw token of a decoded one, for a cookie. */
  rawToken(token: string): Promise<string>
  /**
   * Signs everybody out: every token expires now. Gives how many that were.
   *
   * @example
   * await understudy.signOut() // 4
   */
  signOut(): Promise<number>
  /**
   * Goes back to the start: the fixture's records and ids, a frozen clock's moment, the first faults, an empty journal.
   * `undo` takes it back.
   */
  reset(): void
  /**
   * Takes back the last reset, restore, import or start of a scenario: records, clock, faults and choices stand as they
   * did before, but for the journal; what has been written since is gone. Returns which of them it was.
   *
   * @throws UnderstudyError where there was none, or it was taken back.
   * @example
   * understudy.reset()
   * understudy.undo() // 'reset'
   */
  undo(): ReplacingAct
  /** Keeps the present records, and where a frozen clock stands, under a name. */
  snapshot(name: string): void
  /** Goes back to what is kept under a name. */
  restore(name: string): void
  /** The names of what is kept. */
  snapshots(): string[]
  /** The present state as a fixture. */
  export(): Fixture
  /**
   * Replaces the state by a fixture, and a frozen clock's moment by its `clock`; a broken one changes nothing. `reset`
   * goes back to where it went before, unless the fixture is taken as the start; snapshots are kept.
   *
   * @throws FixtureError with what is wrong where.
   * @example
   * understudy.import(demo, { asStart: true })
   */
  import(fixture: Fixture, options?: ImportOptions): void
}
