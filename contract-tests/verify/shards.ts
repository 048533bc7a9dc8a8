import { covers, sequenceGroups } from '../model-based/sequence-groups.ts'
import { isDerived } from '../rules/derived.ts'
import type { Rule } from '../rules/index.ts'

/** Groups of sequences that run together, under the name of their first: a part of a run is some of these. */
export const scenarioGroups: readonly (readonly [string, ...string[]])[] = [
  ['credentials'],
  ['trigger'],
  ['pipelines'],
  ['blocks'],
  ['backfills'],
  ['schedules', 'logs'],
  ['sequences', 'damage'],
]

/**
 * The groups of a part such as `1/4`; all of them without one.
 *
 * @throws where the part is none, or there are more parts than groups.
 */
export function groupsOf(shard: string | undefined): typeof scenarioGroups {
  if (shard === undefined) return scenarioGroups
  const match = /^(\d+)\/(\d+)$/.exec(shard)
  const [index, count] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || index < 1 || index > count) {
    throw new Error(`--shard: expected a part such as 1/4; found ${shard}.`)
  }
  if (count > scenarioGroups.length) {
    throw new Error(`--shard: expected at most ${scenarioGroups.length} parts; found ${shard}.`)
  }
  return scenarioGroups.filter((_, position) => position % count === index - 1)
}

/** Tells whether one of the named groups is evidence for a rule. */
export function judges(names: readonly string[], rule: Rule): boolean {
  // Invariants are checked in every exchange.
  return (
    isDerived(rule.id) || sequenceGroups.some((group) => names.includes(group.name) && covers(group, rule))
  )
}
