import { escapeMarkup } from './escape.ts'
import {
  bySection,
  type CheckedFinding,
  count,
  counts,
  describeEvidence,
  onceOnly,
  type Report,
  restsOn,
  whysIncomplete,
} from './report.ts'

/**
 * The report as JUnit XML: a suite per section, a case per rule; what does not decide is skipped, with what was seen, and so is
 * what was not reached, of which a suite of its own says why.
 */
export function junitReport(report: Report): string {
  const suites = bySection(report.findings).map(([section, findings]) => {
    const deciding = findings.filter((finding) => isFailure(finding, report)).length
    const { holds } = count(findings)
    const skipped = findings.length - deciding - holds
    const attributes = `name="${escapeMarkup(section)}" tests="${findings.length}" failures="${deciding}" errors="0" skipped="${skipped}"`
    return `  <testsuite ${attributes}>\n${findings.map((finding) => testCase(finding, report)).join('\n')}\n  </testsuite>`
  })
  const harm = report.harm.map(
    (text) => `  <!-- harm done: ${escapeMarkup(text).replaceAll('--', '- -')} -->\n`,
  )
  const properties = Object.entries(report.choices).map(
    ([freedom, chosen]) => `      <property name="${freedom}" value="${escapeMarkup(chosen.join('; '))}"/>\n`,
  )
  const choices =
    properties.length === 0
      ? ''
      : `  <testsuite name="What the target chooses" tests="0" failures="0" errors="0" skipped="0">\n    <properties>\n${properties.join('')}    </properties>\n  </testsuite>\n`
  const seconds = (report.milliseconds / 1_000).toFixed(3)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeMarkup(report.target)}" time="${seconds}">\n${harm.join('')}${errors(report)}${suites.join('\n')}\n${choices}</testsuites>\n`
}

function isFailure(finding: CheckedFinding, report: Report): boolean {
  return finding.verdict.kind === 'failed' && finding.known === undefined && counts(finding, report)
}

/** A suite with an error for each cause why not everything could be judged: said at each rule, it would hide what is broken. */
function errors(report: Report): string {
  const whys = whysIncomplete(report)
  if (whys.length === 0) return ''
  const cases = whys.map(
    (why) =>
      `    <testcase classname="Judging" name="everything can be judged"><error message="${escapeMarkup(why)}"/></testcase>\n`,
  )
  const many = cases.length
  return `  <testsuite name="Judging" tests="${many}" failures="0" errors="${many}" skipped="0">\n${cases.join('')}  </testsuite>\n`
}

function testCase(finding: CheckedFinding, report: Report): string {
  const { rule, verdict, known } = finding
  const start = `    <testcase classname="${escapeMarkup(rule.section)}" name="${escapeMarkup(`${rule.id}: ${rule.claim}`)}"`
  const skipped = (why: string) => `${start}><skipped message="${escapeMarkup(why)}"/></testcase>`
  switch (verdict.kind) {
    case 'passed':
      return `${start}/>`
    case 'blocked':
      return skipped(`not reached: ${verdict.missing}`)
    case 'flaky': {
      const said = describeEvidence(verdict.evidence).map(([label, text]) => `${label}: ${text}`)
      return skipped(`${onceOnly} ${said.join('; ')}`)
    }
    case 'skipped':
      return skipped(`skipped: ${verdict.flag}`)
    case 'failed': {
      if (known !== undefined) return skipped(`known deviation: ${known}`)
      const said = describeEvidence(verdict.evidence).map(([label, text]) => `${label}: ${text}`)
      const text = [
        `documented: ${rule.claim} (${restsOn(finding)})`,
        ...said,
        '',
        verdict.evidence.reproduction,
      ]
      if (!isFailure(finding, report)) return skipped(`${rule.source}, does not count: ${said.join('; ')}`)
      return `${start}><failure message="${escapeMarkup(rule.claim)}">${escapeMarkup(text.join('\n'))}</failure></testcase>`
    }
  }
}
