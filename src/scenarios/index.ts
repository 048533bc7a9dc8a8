import type { Scenarios } from '../engine/scenarios/scenario.ts'
import { demo, empty } from '../fixtures/index.ts'
import { createScenarios } from './create-scenarios.ts'

/**
 * The scenarios that ship, by name.
 *
 * @example
 * const understudy = createUnderstudy({ fixture: demo, scenarios })
 * await understudy.scenarios.start('everything-fails-tonight')
 */
export const scenarios = createScenarios({ demo: () => demo, empty: () => empty }) satisfies Scenarios

/** The name of a scenario that ships. */
export type ScenarioName = keyof typeof scenarios
