import { createHash } from 'node:crypto'
import { documentPath } from '../rules/sections.ts'
import { printable, safeJson } from './escape.ts'
import {
  counts,
  type Deviation,
  newDeviations,
  onceOnly,
  type Report,
  type Unsteady,
  unsteadyFindings,
  whyIncomplete,
} from './report.ts'

type Severity = 'info' | 'minor' | 'major' | 'critical' | 'blocker'

/** An issue of a Code Quality report, with the members that GitLab reads. */
interface CodeQualityIssue {
  readonly description: string
  readonly check_name: string
  /** The same for the same deviation in another run: GitLab tells by it what is new. */
  readonly fingerprint: string
  readonly severity: Severity
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } }
}

/** The report for GitLab's Code Quality; each deviation is placed on the line of the document that it breaks. */
export function gitlabReport(report: Report): string {
  const incomplete = whyIncomplete(report)
  const chosen = Object.entries(report.choices).map(([freedom, values]) => `${freedom}: ${values.join('; ')}`)
  return safeJson([
    ...report.harm.map((text) => issue('harm-done', text, 'blocker')),
    ...(incomplete === undefined ? [] : [issue('not-judged', incomplete, 'blocker')]),
    ...newDeviations(report.findings).map((deviation) =>
      toIssue(deviation, counts(deviation, report) ? 'major' : 'info'),
    ),
    ...unsteadyFindings(report.findings).map((finding) => toIssue(finding, 'minor', onceOnly)),
    ...(chosen.length === 0 ? [] : [issue('what-the-target-chooses', chosen.join('. '), 'info')]),
  ])
}

function toIssue(
  { rule, verdict }: Deviation | Unsteady,
  severity: Severity,
  ...first: string[]
): CodeQualityIssue {
  const { expected, received, httpStatus } = verdict.evidence
  const said = `Expected: ${expected} Received: ${received} (HTTP ${httpStatus})`
  return issue(rule.id, [...first, rule.claim, said].join(' '), severity, rule.sentence.line)
}

/** What is of no rule stands on the first line of the document, and may be there several times. */
function issue(name: string, text: string, severity: Severity, line = 1): CodeQualityIssue {
  const key = line === 1 ? `${name} ${text}` : name
  return {
    description: printable(text),
    check_name: name,
    fingerprint: createHash('sha256').update(key).digest('hex'),
    severity,
    location: { path: documentPath, lines: { begin: line } },
  }
}
