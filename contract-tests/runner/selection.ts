import { createGlob } from '../../src/shared/glob.ts'
import { noSuch, suggest } from '../../src/shared/suggest.ts'
import { covers, type SequenceGroup, sequenceGroups } from '../model-based/sequence-groups.ts'
import { type Rule, rules } from '../rules/index.ts'
import type { CheckOptions, Checks } from './options.ts'

/** The options that select rules. */
export type RuleSelection = Pick<CheckOptions, 'only' | 'readOnly' | 'allowDestructive' | 'scenarios'>

/**
 * Returns the reason to skip a rule, from a flag or from the credentials that the target checks; undefined for a selected
 * rule. Without `checks`, assumes that the target checks every credential.
 */
export function skipReason(rule: Rule, options: RuleSelection, checks?: Checks): string | undefined {
  if (options.only?.length && !options.only.some((glob) => createGlob(glob)(rule.id))) return '--only'
  if (options.readOnly && rule.effects !== 'reads') return '--read-only'
  if (rule.effects === 'destructive' && !options.allowDestructive) return 'no --allow-destructive'
  if (rule.needs.includes('api-key') && checks?.keys === false) return 'the target checks no API key'
  if (rule.needs.includes('login') && checks?.tokens === false) return 'the target checks no OAuth token'
  return undefined
}

/**
 * Refuses names and globs that select nothing.
 *
 * @throws where there is no scenario of a name, or a glob matches no rule.
 */
export function checkSelection({
  only = [],
  scenarios: names = [],
}: Pick<RuleSelection, 'only' | 'scenarios'>): void {
  const known: readonly string[] = sequenceGroups.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new Error(noSuch('scenario', unknown, known))
  }
  const idle = only.find((glob) => !rules.some(({ id }) => createGlob(glob)(id)))
  if (idle !== undefined) {
    const globs = rules.map(({ id }) => id.replace(/\/.*/, '/*'))
    const hint = suggest(idle, [...globs, ...rules.map(({ id }) => id)]) || " Try 'create-backfill/*'."
    throw new Error(`No rule matches "${idle}". Rule ids look like create-backfill/values.${hint}`)
  }
}

/** The selected rules. */
export function selectedRules(options: RuleSelection, checks?: Checks): readonly Rule[] {
  return rules.filter((rule) => skipReason(rule, options, checks) === undefined)
}

/** The groups of sequences that run: those that are evidence for a selected rule. */
export function selectedGroups(options: RuleSelection, checks?: Checks): readonly SequenceGroup[] {
  const selected = selectedRules(options, checks)
  return sequenceGroups.filter(
    (group) =>
      (options.scenarios?.includes(group.name) ?? true) &&
      (group.effects === 'reads' || !options.readOnly) &&
      selected.some((rule) => covers(group, rule)),
  )
}
