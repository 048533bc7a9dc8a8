import type { Rule, RuleId } from '../rules/index.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'

/** A flow that creates what it needs, judges rules, and leaves the deletion of the rest to the cleanupLog. */
export interface ScenarioDefinition {
  readonly name: string
  readonly effects: 'reads' | 'writes'
  /** The prefixes of the rules it judges, or their ids. */
  readonly covers: readonly string[]
  /** The ids of rules with such a prefix that another scenario judges. */
  readonly leaves?: readonly RuleId[]
  /** What it makes on the target, in words, for `--plan`. */
  readonly makes: string
  /** Whether what it finds is said at once: it confirms by itself, or does harm. Default: it is played again. */
  readonly isPlayedOnce?: boolean
  readonly run: (context: ScenarioContext) => Promise<void>
}

/** Tells whether a scenario judges a rule. */
export function covers(scenario: ScenarioDefinition, rule: Rule): boolean {
  if (scenario.leaves?.includes(rule.id)) return false
  return scenario.covers.some((prefix) => rule.id === prefix || rule.id.startsWith(`${prefix}/`))
}
