import { expect, it } from 'vitest'
import { exitCodeOf } from '../reports/report.ts'
import { type RuleId, ruleOf } from '../rules/index.ts'
import type { Finding, Verdict } from '../runner/verdicts.ts'
import { applyBaseline, parseBaseline } from '../verify/baseline.ts'

const missed: Verdict = { kind: 'blocked', missing: 'No sequence came to it.', cause: 'replies' }
const holds: Verdict = { kind: 'passed', exchanges: 1 }
const finding = (id: RuleId, verdict: Verdict): Finding => ({ rule: ruleOf(id), verdict })
const exitCode = (known: readonly RuleId[]) => {
  const deviations = known.map((rule) => ({ rule, reason: 'It was so when we came.' }))
  const baseline = parseBaseline(JSON.stringify({ target: 'ours', deviations }), 'known.json')
  const findings = [finding('logs/envelope', holds), finding('create-pipeline/unchanged-neighbours', missed)]
  return exitCodeOf({ ...applyBaseline(findings, baseline, 'open'), strict: [] })
}

it('ends with 2 where the replies let nobody come to a rule, unless the baseline says so of this rule', () => {
  expect(exitCode([])).toBe(2)
  expect(exitCode(['trigger/running'])).toBe(2)
  expect(exitCode(['create-pipeline/unchanged-neighbours'])).toBe(0)
})
