import { expect, it } from 'vitest'
import { exitCodeOf } from '../reports/report.ts'
import { type RuleId, ruleOf } from '../rules/index.ts'
import type { Finding, Verdict } from '../runner/verdicts.ts'
import { applyBaseline, parseBaseline } from '../verify/baseline.ts'

const blockedVerdict: Verdict = { kind: 'blocked', missing: 'No sequence came to it.', cause: 'replies' }
const passedVerdict: Verdict = { kind: 'passed', exchanges: 1 }
const blocked: Finding = { rule: ruleOf('create-pipeline/unchanged-neighbours'), verdict: blockedVerdict }
const passed: Finding = { rule: ruleOf('logs/envelope'), verdict: passedVerdict }
const exitCode = (findings: readonly Finding[], known: readonly RuleId[] = []) => {
  const deviations = known.map((rule) => ({ rule, reason: 'The server has always done so.' }))
  const baseline = parseBaseline(JSON.stringify({ target: 'ours', deviations }), 'known.json')
  return exitCodeOf({ ...applyBaseline(findings, baseline, 'open'), strict: [] })
}

it('exits with 0 if one rule is blocked, and with 2 if all are', () => {
  expect(exitCode([passed, blocked])).toBe(0)
  expect(exitCode([blocked])).toBe(2)
})

it('exits with 1 where a known failure no longer occurs', () => {
  expect(exitCode([passed, blocked], ['logs/envelope'])).toBe(1)
})
