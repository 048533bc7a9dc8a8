import type { Evidence } from './verdicts.ts'

/** The parts of a deviation that grouping needs. */
interface Grouped {
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

  /** The clearest first: deviations that affect the exit code, name an attribute with its value, and need few requests. */
  function rank(deviation: Each): number {
    const { attribute, expected, steps } = deviation.evidence
    const isValue = attribute !== undefined && expected.startsWith(JSON.stringify(attribute))
    return (
      (affectsExitCode(deviation) ? 0 : 1_000_000) +
      (attribute === undefined ? 100_000 : 0) +
      (isValue ? 0 : 50_000) +
      steps.length
    )
  }
}
