import { deviationKey } from '../runner/difference.ts'
import { evidenceOf, type Finding, unplayed, type Verdict } from '../runner/verdicts.ts'

/** The verdicts from the one that says most. */
const order: readonly Verdict['kind'][] = ['failed', 'flaky', 'passed', 'blocked', 'skipped']

/** A part that has failed says more than one that left the rule to another part. */
const failure = order.indexOf('blocked') - 0.5

/** Joins the findings of several runs: for each rule the verdict that says most, with the deviations of all runs. */
export function mergeFindings(all: readonly (readonly Finding[])[]): Finding[] {
  const merged = new Map<string, Finding>()
  for (const finding of all.flat()) {
    const other = merged.get(finding.rule.id)
    merged.set(finding.rule.id, other === undefined ? finding : join(other, finding))
  }
  return [...merged.values()]
}

function join(one: Finding, other: Finding): Finding {
  const byKey = new Map(
    [other, one].flatMap(evidenceOf).map((evidence) => [deviationKey(evidence), evidence]),
  )
  const [evidence, ...further] = byKey.values()
  if (evidence !== undefined) return { rule: one.rule, verdict: { kind: 'failed', evidence, further } }
  return rank(other) < rank(one) ? other : one
}

function rank({ verdict }: Finding): number {
  if (verdict.kind !== 'blocked') return order.indexOf(verdict.kind)
  if (verdict.missing === unplayed) return order.length
  return verdict.cause === 'failure' ? failure : order.indexOf(verdict.kind)
}
