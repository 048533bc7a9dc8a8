import { createHash } from 'node:crypto'
import { documentPath } from '../rules/sections.ts'
import { deviationKey } from '../runner/difference.ts'
import { printable, safeJson } from './escape.ts'
import {
  affectsExitCode,
  type Deviation,
  onceOnly,
  quoted,
  type Report,
  summarize,
  valuesLine,
} from './report.ts'

type Severity = 'info' | 'minor' | 'major' | 'critical' | 'blocker'

/** An issue of a Code Quality report, with the members that GitLab reads. */
interface CodeQualityIssue {
  readonly description: string
  readonly check_name: string
  /** Equal for the same deviation in another run, so that GitLab recognizes new issues. */
  readonly fingerprint: string
  readonly severity: Severity
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } }
}

/** The report for GitLab's Code Quality; each failed rule is on the line of the specification that it violates. */
export function gitlabReport(report: Report): string {
  const { headline, totalsLine, incomplete, groups, flaky, choices } = summarize(report)
  return safeJson([
    issue('totals', `${headline}. ${totalsLine}`, 'info', { line: 1, key: '' }),
    ...report.harm.map((text) => issue('harm-done', text, 'blocker')),
    ...incomplete.map((why) => issue('not-checked', why, 'blocker')),
    ...groups.flatMap(({ all }) =>
      all.map((deviation) => toIssue(deviation, affectsExitCode(deviation, report) ? 'major' : 'info')),
    ),
    ...flaky.map((finding) => toIssue(finding, 'minor', onceOnly)),
    ...(choices.length === 0 ? [] : [issue('implementation-choices', choices.join('. '), 'info')]),
  ])
}

function toIssue(finding: Deviation, severity: Severity, ...before: string[]): CodeQualityIssue {
  const { headline, sentence } = finding.evidence
  const text = [...before, `${headline}. ${quoted(finding)}`, valuesLine(finding.evidence)].join(' ')
  return issue(finding.rule.id, text, severity, { line: sentence.line, key: deviationKey(finding.evidence) })
}

/** An issue that belongs to no rule is on the first line; the key distinguishes those of one name. */
function issue(
  name: string,
  text: string,
  severity: Severity,
  { line, key }: { readonly line: number; readonly key: string } = { line: 1, key: text },
): CodeQualityIssue {
  return {
    description: printable(text),
    check_name: name,
    fingerprint: createHash('sha256').update(`${name} ${key}`).digest('hex'),
    severity,
    location: { path: documentPath, lines: { begin: line } },
  }
}
