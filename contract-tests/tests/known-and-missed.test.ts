import { expect, it } from 'vitest'
import { exitCodeOf } from '../reports/report.ts'
import { type RuleId, ruleOf } from '../rules/index.ts'
import { toExchange } from '../runner/read-exchange.ts'
import { Secrets } from '../runner/redact.ts'
import { type Finding, type Verdict, Verdicts } from '../runner/verdicts.ts'
import { applyBaseline, type BaselineFile, parseBaseline, updateBaseline } from '../verify/baseline.ts'

const blockedVerdict: Verdict = { kind: 'blocked', missing: 'No sequence came to it.', cause: 'replies' }
const passedVerdict: Verdict = { kind: 'passed', exchanges: 1 }
const blocked: Finding = { rule: ruleOf('create-pipeline/unchanged-neighbours'), verdict: blockedVerdict }
const passed: Finding = { rule: ruleOf('list-logs/envelope'), verdict: passedVerdict }
const reason = 'The server has always done so.'
const parse = (file: BaselineFile) => parseBaseline(JSON.stringify(file), 'known.json')
const exitCode = (findings: readonly Finding[], file: BaselineFile) =>
  exitCodeOf({ ...applyBaseline(findings, parse(file), 'open'), strict: [] })

/** A rule that fails with each of some values of `interval_units`. */
function failing(...received: readonly unknown[]): Finding {
  const verdicts = new Verdicts({ skips: () => undefined, secrets: new Secrets() })
  for (const value of received) {
    const sent = { method: 'PUT', path: '/api/pipelines/home/backfills/7', headers: {}, body: undefined }
    const text = JSON.stringify({ backfill: { id: 7, interval_units: value } })
    const reply = { status: 200, contentType: 'application/json', text }
    const exchange = toExchange(sent, undefined, reply, 'http://ours', new Secrets())
    const expected = { interval_units: 6 }
    verdicts.check('update-backfill/values', false, exchange, { interval_units: value }, { expected })
  }
  const finding = verdicts.findings().find(({ rule }) => rule.id === 'update-backfill/values')
  if (finding === undefined) throw new Error('The rule has no finding.')
  return finding
}

const none: BaselineFile = { target: 'ours', deviations: [] }
const accept = (findings: readonly Finding[], before = none): BaselineFile => {
  const { deviations, ...file } = updateBaseline(before, findings, 'open')
  return { ...file, deviations: deviations.map((entry) => ({ ...entry, reason: entry.reason || reason })) }
}

it('exits with 0 if one rule is blocked, and with 2 if all are', () => {
  expect(exitCode([passed, blocked], none)).toBe(0)
  expect(exitCode([blocked], none)).toBe(2)
})

it('accepts a known deviation, and fails for another one of the same rule', () => {
  const baseline = accept([failing(null)])

  expect(exitCode([failing(null)], baseline)).toBe(0)
  expect(exitCode([failing('six')], baseline)).toBe(1)
  expect(exitCode([failing(null, 'six')], baseline)).toBe(1)
  expect(exitCode([failing(null, 'six')], accept([failing(null, 'six')]))).toBe(0)
})

it('stores what all runs have in common of a deviation', () => {
  expect(accept([failing(7)])).toEqual(accept([failing(23)]))
  expect(accept([failing(7)]).deviations).toEqual([
    {
      operation: 'Update backfill',
      attribute: 'interval_units',
      expected: 'integer',
      received: 'integer',
      rules: ['update-backfill/values'],
      modes: ['open'],
      reason,
    },
  ])
})

it('exits with 1 where a known deviation no longer occurs, until the baseline is updated', () => {
  const baseline = accept([failing(null)])
  const fixed: Finding = { ...failing(null), verdict: passedVerdict }

  expect(exitCode([fixed], baseline)).toBe(1)
  expect(updateBaseline(baseline, [fixed], 'open').deviations).toEqual([])
  expect(updateBaseline(baseline, [{ ...fixed, verdict: blockedVerdict }], 'open')).toEqual(baseline)
  expect(updateBaseline(baseline, [fixed], 'login')).toEqual(baseline)
})

it('replaces an entry of the old form by the deviations of its rule in each mode', () => {
  const rule: RuleId = 'update-backfill/values'
  const old: BaselineFile = { target: 'ours', deviations: [{ rule, reason }] }
  const afterOpen = updateBaseline(old, [failing(null)], 'open')
  const afterBoth = updateBaseline(afterOpen, [failing(null, 'six')], 'login')

  expect(() => parse(old)).toThrow(/old form.*--update-baseline/)
  expect(afterOpen.deviations).toHaveLength(2)
  expect(() => parse(afterOpen)).toThrow(/old form/)
  expect(parse(afterBoth).deviations.map(({ received, modes }) => [received, modes])).toEqual([
    ['null', undefined],
    ['text', ['login']],
  ])
  expect(exitCode([failing('six')], afterBoth)).toBe(1)
})

it('accepts a deviation whose rule had other words when the baseline was written', () => {
  const verdicts = new Verdicts({ skips: () => undefined, secrets: new Secrets() })
  const sent = { method: 'GET', path: '/api/oauth_access_tokens', headers: {}, body: undefined }
  const reply = { status: 200, contentType: 'text/html', text: '{"oauth_access_tokens":[]}' }
  const exchange = toExchange(sent, undefined, reply, 'http://ours', new Secrets())
  verdicts.check('conventions/content-type', false, exchange, { 'content type': 'text/html' })
  const findings = verdicts.findings().filter(({ verdict }) => verdict.kind === 'failed')
  const { deviations, ...file } = accept(findings)
  const before = deviations.map((entry) => ({ ...entry, expected: 'Replies are JSON.' }))

  expect(deviations).toEqual([expect.objectContaining({ expected: 'as the rule requires' })])
  expect(exitCode(findings, { ...file, deviations: before })).toBe(0)
})

it('accepts no deviation without a reason', () => {
  expect(() => parse(updateBaseline(none, [failing(null)], 'open'))).toThrow(
    'The baseline known.json gives no reason for a deviation: Update backfill, interval_units: expected integer, received null.',
  )
})

it('names a misspelt key of an entry', () => {
  const text = JSON.stringify({
    target: 'ours',
    deviations: [{ rule: 'errors/type', reason, mods: ['open'] }],
  })

  expect(() => parseBaseline(text, 'known.json')).toThrow(
    'Deviation 1 of the baseline known.json is invalid at mods: expected the key "modes", or one of rule, reason, sometimes; found an unknown key.',
  )
})

it('names the entry that is invalid', () => {
  const text = JSON.stringify({ target: 'ours', deviations: [{ rule: 'no/such-rule', reason }] })

  expect(() => parseBaseline(text, 'known.json')).toThrow(
    'Deviation 1 of the baseline known.json is invalid at rule: expected the id of a rule; found "no/such-rule".',
  )
})
