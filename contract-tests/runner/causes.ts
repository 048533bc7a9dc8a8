import type { Rule } from '../rules/index.ts'
import type { Evidence } from './verdicts.ts'

/** The parts of a deviation that grouping needs. */
interface Grouped {
  readonly rule: Pick<Rule, 'id' | 'claim'>
  readonly evidence: Evidence
}

/** Deviations with one cause; the first represents all. */
export interface FindingGroup<Each> {
  readonly first: Each
  readonly others: readonly Each[]
  readonly all: readonly Each[]
  /** True if it affects the exit code. */
  readonly fails: boolean
}

/**
 * Groups deviations by their cause: those that share one cause, directly or through others, are one finding. The first of
 * a group represents it.
 */
export function groupByCause<Each extends Grouped>(
  deviations: readonly Each[],
  affectsExitCode: (deviation: Each) => boolean,
): FindingGroup<Each>[] {
  let groups: { readonly causes: Set<string>; readonly members: Each[] }[] = []
  for (const deviation of deviations) {
    const { causes } = deviation.evidence
    const related = groups.filter((group) => causes.some((cause) => group.causes.has(cause)))
    const merged = {
      causes: new Set([...causes, ...related.flatMap((group) => [...group.causes])]),
      members: [...related.flatMap(({ members }) => members), deviation],
    }
    groups = [...groups.filter((group) => !related.includes(group)), merged]
  }
  return groups
    .flatMap(({ members }) => {
      const [first, ...others] = members.toSorted((one, other) => rank(one) - rank(other))
      return first === undefined
        ? []
        : [{ first, others, all: [first, ...others], fails: affectsExitCode(first) }]
    })
    .toSorted((one, other) => Number(other.fails) - Number(one.fails) || other.all.length - one.all.length)

  /** The clearest first: deviations that affect the exit code, that the script shows, and that name an attribute. */
  function rank(deviation: Each): number {
    const { rule, evidence } = deviation
    return (
      (affectsExitCode(deviation) ? 0 : 1_000_000) +
      (evidence.isInScript ? 0 : 100_000) +
      // A change of other records is an effect of the reported request.
      (rule.id.endsWith('/unchanged-neighbours') ? 7_000 : 0) +
      (evidence.attribute === undefined ? 5_000 : 0) +
      (evidence.expected === rule.claim ? 1_000 : 0) +
      evidence.steps.length
    )
  }
}
