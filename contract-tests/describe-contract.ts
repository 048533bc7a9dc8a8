import { beforeAll, describe, it } from 'vitest'
import { countJudged, counts, describeEvidence, notJudged, onceOnly, restsOn } from './reports/report.ts'
import { rules, type Source } from './rules/index.ts'
import { checkTarget } from './runner/check-target.ts'
import type { CheckOptions, CheckResult } from './runner/options.ts'
import { checkSelection } from './runner/selection.ts'
import type { Finding } from './runner/verdicts.ts'
import { covers, scenarios } from './scenarios/index.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The finding of the rule that a test stands for. */
    finding?: Finding
    /** What judging has cost and left, said once per suite. */
    result?: Omit<CheckResult, 'findings'>
  }
}

/**
 * Registers a vitest suite that judges a target: one test per rule, and one that fails where none was judged. A rule that needs what is not there is skipped, with the
 * reason, and so is a deviation from a sample or a convention, unless `strict` makes it count, and one that is unsteady; a
 * rule that could not be judged for another reason fails.
 *
 * @example
 * describeContract({ target: 'http://127.0.0.1:6789', useConventions: true })
 */
export function describeContract(options: CheckOptions & { readonly strict?: readonly Source[] }): void {
  checkSelection(options)
  const played = scenarios.filter(({ name }) => options.scenarios?.includes(name) ?? true)
  const judged = rules.filter((rule) => played.some((scenario) => covers(scenario, rule)))
  describe(`the contract${options.scenarios ? `: ${options.scenarios.join(', ')}` : ''}`, () => {
    let result: CheckResult
    let findings: ReadonlyMap<string, Finding>
    beforeAll(async () => {
      result = await checkTarget(options)
      findings = new Map(result.findings.map((finding) => [finding.rule.id, finding]))
    }, 600_000)
    it('judges at least one rule', () => {
      const all = judged.map(({ id }) => findings.get(id)!)
      if (countJudged(all) > 0) return
      const reasons = notJudged(all).map(([why, { length }]) => `${why} (${length} rules)`)
      throw new Error(`No rule was judged. ${reasons.join(' ')}`)
    })
    for (const rule of judged) {
      it(`${rule.id}: ${rule.claim}`, (context) => {
        const finding = findings.get(rule.id)!
        context.task.meta.finding = finding
        if (rule === judged[0]) {
          const { findings: _, ...rest } = result
          context.task.meta.result = rest
        }
        const { verdict } = finding
        if (verdict.kind === 'blocked' && verdict.cause === 'need') context.skip(verdict.missing)
        if (verdict.kind === 'blocked') throw new Error(`Not judged: ${verdict.missing}`)
        if (verdict.kind === 'skipped') context.skip(verdict.flag)
        if (verdict.kind === 'flaky') context.skip(`${onceOnly}\n${explain(finding)}`)
        if (verdict.kind !== 'failed') return
        if (!counts(finding, { strict: options.strict ?? [] })) context.skip(explain(finding))
        throw new Error(explain(finding))
      })
    }
  })
}

function explain(finding: Finding): string {
  if (!('evidence' in finding.verdict)) return ''
  const { evidence } = finding.verdict
  const said = describeEvidence(evidence).map(([label, text]) => `${label}: ${text}`)
  return [
    `documented: ${evidence.documented} (${restsOn(finding)})`,
    ...said,
    '',
    evidence.reproduction,
  ].join('\n')
}
