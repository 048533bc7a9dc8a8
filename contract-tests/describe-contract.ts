import { beforeAll, describe, it } from 'vitest'
import { judge } from './judge/judge.ts'
import type { Judgement, JudgeOptions } from './judge/options.ts'
import type { Finding } from './judge/verdicts.ts'
import { rules } from './rules/index.ts'
import { covers, scenarios } from './scenarios/index.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The finding of the rule that a test stands for. */
    finding?: Finding
    /** What judging has cost and left, said once per suite. */
    judgement?: Omit<Judgement, 'findings'>
  }
}

/**
 * Registers a vitest suite that judges a target: one test per rule; a rule that was not reached is skipped, with the
 * reason.
 *
 * @example
 * describeContract({ target: 'http://127.0.0.1:6789', useConventions: true })
 */
export function describeContract(options: JudgeOptions): void {
  const played = scenarios.filter(({ name }) => options.scenarios?.includes(name) ?? true)
  const judged = rules.filter((rule) => played.some((scenario) => covers(scenario, rule)))
  describe(`the contract${options.scenarios ? `: ${options.scenarios.join(', ')}` : ''}`, () => {
    let judgement: Judgement
    let findings: ReadonlyMap<string, Finding>
    beforeAll(async () => {
      judgement = await judge(options)
      findings = new Map(judgement.findings.map((finding) => [finding.rule.id, finding]))
    }, 600_000)
    for (const rule of judged) {
      it(`${rule.id}: ${rule.claim}`, (context) => {
        const finding = findings.get(rule.id)!
        context.task.meta.finding = finding
        if (rule === judged[0]) {
          const { findings: _, ...rest } = judgement
          context.task.meta.judgement = rest
        }
        const { verdict } = finding
        if (verdict.kind === 'not reached') context.skip(verdict.missing)
        if (verdict.kind === 'skipped') context.skip(verdict.flag)
        if (verdict.kind === 'broken') throw new Error(explain(finding))
      })
    }
  })
}

function explain({ rule, verdict }: Finding): string {
  if (verdict.kind !== 'broken') return ''
  const { received, documented, curl } = verdict.evidence
  return `documented: ${documented} (${rule.section}, ${rule.basis})\nreceived: ${received}\nreproduce: ${curl}`
}
