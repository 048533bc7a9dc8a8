import type { Stage } from '../judge/stage.ts'
import type { Rule } from '../rules/index.ts'

/** A flow that creates what it needs, judges rules, and leaves the deletion of the rest to the ledger. */
export interface Scenario {
  readonly name: string
  readonly effects: 'reads' | 'writes'
  /** The prefixes of the rules it judges. */
  readonly covers: readonly string[]
  /** What it makes on the target, in words, for `--plan`. */
  readonly makes: string
  readonly run: (stage: Stage) => Promise<void>
}

/** Tells whether a scenario judges a rule. */
export function covers(scenario: Scenario, rule: Rule): boolean {
  return scenario.covers.some((prefix) => rule.id.startsWith(`${prefix}/`))
}
