import { backfillRules } from './backfills.ts'
import { blockRules } from './blocks.ts'
import { conventionRules } from './conventions.ts'
import type { RuleOf } from './define-rules.ts'
import { derivedRules } from './derived.ts'
import { fieldRules } from './field-rules.ts'
import { logRules } from './logs.ts'
import { pipelineRules } from './pipelines.ts'
import { scheduleRules } from './schedules.ts'
import { tokenRules } from './tokens.ts'

/** The catalogue: every sentence of the specification that a client can observe. */
const catalogue = [
  ...conventionRules,
  ...pipelineRules,
  ...blockRules,
  ...backfillRules,
  ...scheduleRules,
  ...logRules,
  ...tokenRules,
  ...fieldRules,
  ...derivedRules,
]

/** The id of a rule, such as `create-backfill/timestamps`. An unknown id does not compile. */
export type RuleId = (typeof catalogue)[number]['id']

/** One sentence of the specification that a client can observe. */
export type Rule = RuleOf<RuleId>

/**
 * Every rule, in the order of verdicts.
 *
 * @example
 * rules.filter(({ section }) => section === 'Create backfill').map(({ id }) => id)
 */
export const rules: readonly Rule[] = catalogue

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]))

/** Returns whether a text is the id of a rule. */
export function isRuleId(id: string): id is RuleId {
  return byId.has(id)
}

/** Returns the rule of an id. Throws for an unknown one, which only an unchecked text can be. */
export function ruleOf(id: RuleId): Rule {
  const rule = byId.get(id)
  if (rule) return rule
  throw new Error(`[understudy] There is no rule ${id}; the rules are listed in contract-tests/rules/.`)
}

export type { Effect, Need, Source } from './define-rules.ts'
export type { OperationId } from './operation-id.ts'
