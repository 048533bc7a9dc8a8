import { escapeMarkup } from './escape.ts'
import { bySection, count, type JudgedFinding, type Report } from './report.ts'

/** The report as JUnit XML: a suite per section, a case per rule. */
export function junitReport(report: Report): string {
  const suites = bySection(report.findings).map(([section, findings]) => {
    const { broken, known, notReached, skipped } = count(findings)
    const attributes = `name="${escapeMarkup(section)}" tests="${findings.length}" failures="${broken}" skipped="${known + notReached + skipped}"`
    return `  <testsuite ${attributes}>\n${findings.map(testCase).join('\n')}\n  </testsuite>`
  })
  const seconds = (report.milliseconds / 1_000).toFixed(3)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeMarkup(report.target)}" time="${seconds}">\n${suites.join('\n')}\n</testsuites>\n`
}

function testCase({ rule, verdict, known }: JudgedFinding): string {
  const start = `    <testcase classname="${escapeMarkup(rule.section)}" name="${escapeMarkup(`${rule.id}: ${rule.claim}`)}"`
  const skipped = (why: string) => `${start}><skipped message="${escapeMarkup(why)}"/></testcase>`
  if (verdict.kind === 'holds') return `${start}/>`
  if (verdict.kind === 'not reached') return skipped(`not reached: ${verdict.missing}`)
  if (verdict.kind === 'skipped') return skipped(`skipped: ${verdict.flag}`)
  if (known !== undefined) return skipped(`known deviation: ${known}`)
  const { received, curl } = verdict.evidence
  return `${start}><failure message="${escapeMarkup(rule.claim)}">${escapeMarkup(`received: ${received}\nreproduce: ${curl}`)}</failure></testcase>`
}
