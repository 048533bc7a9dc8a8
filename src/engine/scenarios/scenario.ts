import type { AssumptionSwitches } from '../../assumptions/switches.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import type { RunScript, RunTarget } from '../../resources/pipeline-run/controls/runs.ts'
import type { Fault } from '../faults/fault.ts'

/** Which runs a script of a scenario is for: `all` that are under way or come later, `later` those alone, or a target. */
export type ScenarioTarget = RunTarget | 'all' | 'later'

/**
 * A start state with a name: what it says happens in this order. With a fixture, a world begins anew; without, it is
 * laid over what there is.
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
  /** The records; or what makes them when it is started. */
  readonly fixture?: Fixture | (() => Fixture)
  /** Other choices where the document is silent. */
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
  /** The moment at which it stands, such as `2026-01-31 20:00:00`. */
  readonly freeze?: string
  readonly advance?: string | number
  /** Speed at which the clock continues, as a multiple of its source's speed. */
  readonly run?: number
}

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Scenario>>

/** A scenario, and what it is made of. */
export interface ScenarioSummary {
  readonly name: string
  readonly description: string
  readonly parts: readonly Exclude<keyof Scenario, 'description'>[]
}

/** The scenarios of a world. */
export interface ScenarioStage {
  /** Those that were given to `createUnderstudy({ scenarios })`. */
  list(): Promise<ScenarioSummary[]>
  /**
   * Starts a scenario, by its name or as it is; one that is broken changes nothing, and `undo` takes it back.
   *
   * @throws UnderstudyError where there is none of the name, or what is wrong with it.
   * @example
   * await understudy.scenarios.start('slow')
   */
  start(scenario: string | Scenario): Promise<void>
}
