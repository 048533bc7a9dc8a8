import type { AssumptionSwitches } from '../../assumptions/switches.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import type { RunScript, RunTarget } from '../../resources/pipeline-run/controls/runs.ts'
import type { Fault } from '../faults/fault.ts'

/** Runs that a script applies to: `all` current and later runs, `later` runs only, or a target. */
export type ScenarioTarget = RunTarget | 'all' | 'later'

/**
 * Named start state. Its properties apply in their order. With a fixture, it replaces the world; without one,
 * it extends the present state.
 *
 * @example
 * const friday: Scenario = {
 *   description: 'Friday evening, and nothing answers within a second.',
 *   fixture: demo,
 *   faults: [{ latency: '1.2s' }],
 *   clock: { freeze: '2026-01-02 20:00:00' },
 * }
 */
export interface Scenario {
  /** Description in one sentence. */
  readonly description: string
  /** Fixture, or a function that creates it when the scenario starts. */
  readonly fixture?: Fixture | (() => Fixture)
  /** Assumptions that replace the defaults where the specification is silent. */
  readonly assumptions?: AssumptionSwitches
  /** Faults to inject. */
  readonly faults?: readonly Fault[]
  /** Scripts of runs. */
  readonly scripts?: readonly ScenarioScript[]
  readonly clock?: ScenarioClock
}

/** Script for some runs. */
export interface ScenarioScript {
  readonly target: ScenarioTarget
  readonly script: RunScript
}

/** Steps of the clock, in this order. Each calls the method of the same name. */
export interface ScenarioClock {
  /** Time at which to stop the clock, such as `2026-01-31 20:00:00`. */
  readonly freeze?: string
  readonly advance?: string | number
  /** Speed at which the clock continues, as a multiple of its source's speed. */
  readonly run?: number
}

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Scenario>>

/** Scenario with its name and contents. */
export interface ScenarioSummary {
  readonly name: string
  readonly description: string
  readonly parts: readonly Exclude<keyof Scenario, 'description'>[]
}

/** Scenarios of a world. */
export interface ScenarioControls {
  /** Returns the scenarios of `createUnderstudy({ scenarios })`. */
  list(): Promise<ScenarioSummary[]>
  /**
   * Starts a scenario, given by name or as an object. An invalid one changes nothing; `undo` reverses the
   * start.
   *
   * @throws UnderstudyError if there is no scenario with the name, or if the scenario is invalid.
   * @example
   * await understudy.scenarios.start('slow')
   */
  start(scenario: string | Scenario): Promise<void>
}
