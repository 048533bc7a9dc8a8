import { type Evidence, evidenceOf, type Finding } from '../runner/verdicts.ts'
import { escapeMarkup } from './escape.ts'
import {
  affectsExitCode,
  bySection,
  describeEvidence,
  newDeviations,
  onceOnly,
  quoted,
  type Report,
  ruleIds,
  type Summary,
  summarize,
  totalNames,
} from './report.ts'

/**
 * The report as JUnit XML: a suite per section, a case per rule. Skips a rule that does not fail the run, with the reason.
 */
export function junitReport(report: Report): string {
  const summary = summarize(report)
  // A finding that fails the run may have further deviations from examples.
  const failing = new Set(
    ruleIds(newDeviations(report.findings).filter((deviation) => affectsExitCode(deviation, report))),
  )
  const suites = bySection(report.findings).map(([section, findings]) => {
    const failures = findings.filter(({ rule }) => failing.has(rule.id)).length
    const passed = findings.filter(({ verdict }) => verdict.kind === 'passed').length
    const cases = findings.map((finding) => testCase(finding, failing.has(finding.rule.id)))
    return suite(
      section,
      { tests: findings.length, failures, skipped: findings.length - failures - passed },
      cases,
    )
  })
  const harm = report.harm.map(
    (text) => `  <!-- harm done: ${escapeMarkup(text).replaceAll('--', '- -')} -->\n`,
  )
  const time = (report.milliseconds / 1_000).toFixed(3)
  const name = escapeMarkup(report.target)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}" time="${time}">\n${harm.join('')}${incompleteSuite(summary)}${suites.join('')}${propertiesSuite(report, summary)}</testsuites>\n`
}

interface Counts {
  readonly tests: number
  readonly failures?: number
  readonly errors?: number
  readonly skipped?: number
}

function suite(name: string, counts: Counts, lines: readonly string[]): string {
  const { tests, failures = 0, errors = 0, skipped = 0 } = counts
  const attributes = `tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}"`
  return `  <testsuite name="${escapeMarkup(name)}" ${attributes}>\n${lines.join('\n')}\n  </testsuite>\n`
}

/** A suite with an error for each reason why the run is incomplete: repeated at each rule, it would hide failures. */
function incompleteSuite({ incomplete }: Summary): string {
  if (incomplete.length === 0) return ''
  const cases = incomplete.map(
    (why) =>
      `    <testcase classname="Run" name="everything can be checked"><error message="${escapeMarkup(why)}"/></testcase>`,
  )
  return suite('Run', { tests: cases.length, errors: cases.length }, cases)
}

/** A suite without cases, with the totals and the implementation choices as properties. */
function propertiesSuite({ choices }: Report, { headline, totals }: Summary): string {
  const properties = [
    ['verdict', headline],
    ...totalNames.map((name) => [name, String(totals[name])]),
    ...Object.entries(choices).map(([assumption, values]) => [assumption, values.join('; ')]),
  ]
  const lines = properties.map(
    ([name = '', value = '']) =>
      `      <property name="${escapeMarkup(name)}" value="${escapeMarkup(value)}"/>`,
  )
  return suite('Summary', { tests: 0 }, ['    <properties>', ...lines, '    </properties>'])
}

function testCase(finding: Finding, fails: boolean): string {
  const { rule, verdict } = finding
  const start = `    <testcase classname="${escapeMarkup(rule.section)}" name="${escapeMarkup(`${rule.id}: ${rule.claim}`)}"`
  const skipped = (why: string) => `${start}><skipped message="${escapeMarkup(why)}"/></testcase>`
  if (verdict.kind === 'passed') return `${start}/>`
  if (verdict.kind === 'blocked') return skipped(`blocked: ${verdict.missing}`)
  if (verdict.kind === 'skipped') return skipped(`skipped: ${verdict.flag}`)
  const linesOf = (evidence: Evidence) =>
    describeEvidence(evidence).map(([label, text]) => `${label}: ${text}`)
  if (verdict.kind === 'flaky') return skipped(`flaky: ${onceOnly} ${linesOf(verdict.evidence).join('; ')}`)
  const [first, ...others] = newDeviations([finding])
  if (first === undefined) {
    const reasons = new Set(evidenceOf(finding).map(({ known }) => known))
    return skipped(`known failure: ${[...reasons].join(' ')}`)
  }
  const { headline, reproduction } = first.evidence
  const details = linesOf(first.evidence)
  if (!fails) return skipped(`departs from an example or inference: ${headline}; ${details.join('; ')}`)
  const further = others.flatMap(({ evidence }) => ['', evidence.headline, ...linesOf(evidence)])
  const text = [quoted(first), ...details, ...further, '', reproduction]
  return `${start}><failure message="${escapeMarkup(headline)}">${escapeMarkup(text.join('\n'))}</failure></testcase>`
}
