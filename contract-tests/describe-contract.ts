import { beforeAll, describe, it } from 'vitest'
import { covers, sequenceGroups } from './model-based/sequence-groups.ts'
import {
  affectsExitCode,
  countChecked,
  counted,
  describeEvidence,
  onceOnly,
  quoted,
  uncheckedRules,
} from './reports/report.ts'
import { rules, type Source } from './rules/index.ts'
import { checkTarget } from './runner/check-target.ts'
import type { CheckOptions, CheckResult } from './runner/options.ts'
import { checkSelection } from './runner/selection.ts'
import { evidenceOf, type Finding } from './runner/verdicts.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The finding of the rule that a test reports. */
    finding?: Finding
    /** Requests, duration and leftovers of the run, once per suite. Vitest itself uses the name `result`. */
    contractResult?: Omit<CheckResult, 'findings'>
  }
}

/**
 * Registers a vitest suite that verifies a target: one test per rule, and one that fails if the run checked none. Skips a
 * rule without its precondition, with the reason, and a flaky rule. Also skips a deviation from an example or an inference
 * unless `strict` names that source. A rule blocked for another reason fails.
 *
 * @example
 * describeContract({ target: 'http://127.0.0.1:6789', useConventions: true })
 */
export function describeContract(options: CheckOptions & { readonly strict?: readonly Source[] }): void {
  checkSelection(options)
  const played = sequenceGroups.filter(({ name }) => options.scenarios?.includes(name) ?? true)
  const checkable = rules.filter((rule) => played.some((group) => covers(group, rule)))
  describe(`the contract${options.scenarios ? `: ${options.scenarios.join(', ')}` : ''}`, () => {
    let result: CheckResult
    let findings: ReadonlyMap<string, Finding>
    beforeAll(async () => {
      result = await checkTarget(options)
      findings = new Map(result.findings.map((finding) => [finding.rule.id, finding]))
    }, 600_000)
    it('checks at least one rule', () => {
      const all = checkable.map(({ id }) => findings.get(id)!)
      if (countChecked(all) > 0) return
      const reasons = uncheckedRules(all).map(
        ([reason, { length }]) => `${reason} (${counted(length, 'rule')})`,
      )
      throw new Error(`No rule was checked. ${reasons.join(' ')}`)
    })
    for (const rule of checkable) {
      it(`${rule.id}: ${rule.claim}`, (context) => {
        const finding = findings.get(rule.id)!
        context.task.meta.finding = finding
        if (rule === checkable[0]) {
          const { findings: _, ...rest } = result
          context.task.meta.contractResult = rest
        }
        const { verdict } = finding
        if (verdict.kind === 'blocked' && verdict.cause === 'need') context.skip(verdict.missing)
        if (verdict.kind === 'blocked') throw new Error(`Not checked: ${verdict.missing}`)
        if (verdict.kind === 'skipped') context.skip(verdict.flag)
        if (verdict.kind === 'flaky') context.skip(`${onceOnly}\n${explain(finding)}`)
        if (verdict.kind !== 'failed') return
        if (!affectsExitCode(finding, { strict: options.strict ?? [] })) context.skip(explain(finding))
        throw new Error(explain(finding))
      })
    }
  })
}

function explain({ rule, verdict }: Finding): string {
  const all = verdict.kind === 'flaky' ? [verdict.evidence] : evidenceOf({ verdict })
  return all
    .map((evidence) => {
      const details = describeEvidence(evidence).map(([label, text]) => `${label}: ${text}`)
      return [evidence.headline, quoted({ rule, evidence }), ...details, '', evidence.reproduction].join('\n')
    })
    .join('\n')
}
