import { type Finding, unplayed, type Verdict } from '../runner/verdicts.ts'

const mostTelling: readonly Verdict['kind'][] = ['failed', 'flaky', 'passed', 'blocked', 'skipped']

/** That a part has failed says more than that it left a rule to another. */
const failed = mostTelling.indexOf('blocked') - 0.5

/** Joins the findings of several runs: for each rule the verdict that says most. */
export function mergeFindings<Judged extends Finding>(all: readonly (readonly Judged[])[]): Judged[] {
  const merged = new Map<string, Judged>()
  for (const finding of all.flat()) {
    const other = merged.get(finding.rule.id)
    if (other === undefined || rank(finding) < rank(other)) merged.set(finding.rule.id, finding)
  }
  return [...merged.values()]
}

function rank({ verdict }: Finding): number {
  const isUnplayed = verdict.kind === 'blocked' && verdict.missing === unplayed
  if (isUnplayed) return mostTelling.length
  return verdict.kind === 'blocked' && verdict.cause === 'failure'
    ? failed
    : mostTelling.indexOf(verdict.kind)
}
