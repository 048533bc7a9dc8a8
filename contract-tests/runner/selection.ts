import { createGlob } from '../../src/shared/glob.ts'
import { noSuch, suggest } from '../../src/shared/suggest.ts'
import { covers, type SequenceGroup, sequenceGroups } from '../model-based/sequence-groups.ts'
import { type Rule, rules } from '../rules/index.ts'
import type { CheckOptions, Checks } from './options.ts'

/** The options that select rules. */
export type RuleSelection = Pick<CheckOptions, 'only' | 'readOnly' | 'allowDestructive' | 'scenarios'>

/**
 * Returns a function that gives the reason to skip a rule, from a flag or from the credentials that the target checks;
 * undefined for a selected rule. Without `checks`, assumes that the target checks every credential.
 */
export function skipReasons(options: RuleSelection, checks?: Checks): (rule: Rule) => string | undefined {
  const globs = (options.only ?? []).map(createGlob)
  return ({ id, effects, needs }) => {
    if (globs.length > 0 && !globs.some((matches) => matches(id))) return 'Not selected by --only.'
    if (options.readOnly && effects !== 'reads') return 'Only requests that write show it. Omit --read-only.'
    if (effects === 'destructive' && !options.allowDestructive)
      return 'It may damage the target; pass --allow-destructive.'
    if (needs.includes('api-key') && checks?.keys === false) return 'The target checks no API key.'
    if (needs.includes('login') && checks?.tokens === false) return 'The target checks no OAuth token.'
    return undefined
  }
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
  const ids = rules.map(({ id }) => id)
  const idle = only.find((glob) => !ids.some(createGlob(glob)))
  if (idle !== undefined) {
    const globs = ids.map((id) => id.replace(/\/.*/, '/*'))
    const hint = suggest(idle, [...globs, ...ids]) || " Try 'create-backfill/*'."
    throw new Error(`No rule matches "${idle}". Rule ids look like create-backfill/values.${hint}`)
  }
}

/** The selected rules. */
export function selectedRules(options: RuleSelection, checks?: Checks): readonly Rule[] {
  const skips = skipReasons(options, checks)
  return rules.filter((rule) => skips(rule) === undefined)
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
