import { backfillRules } from './backfills.ts'
import { blockRules } from './blocks.ts'
import { conventionRules } from './conventions.ts'
import type { Rule } from './define-rules.ts'
import { fieldRules } from './fields.ts'
import { otherRules } from './others.ts'
import { pipelineRules } from './pipelines.ts'

/** The catalogue: every sentence of the document that a client can observe. */
export const rules: readonly Rule[] = [
  ...conventionRules,
  ...pipelineRules,
  ...blockRules,
  ...backfillRules,
  ...otherRules,
  ...fieldRules,
]

const byId = new Map(rules.map((rule) => [rule.id, rule]))

/** The rule of an id; throws where there is none, so that a scenario cannot judge what is not in the catalogue. */
export function ruleOf(id: string): Rule {
  const rule = byId.get(id)
  if (rule) return rule
  throw new Error(`[understudy] There is no rule ${id}.`)
}

export type { Effect, Need, Rule } from './define-rules.ts'
