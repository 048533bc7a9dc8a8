import { safeJson } from './escape.ts'
import { quoted, type Report, ruleIds, summarize } from './report.ts'

/** The report as JSON: the complete result. */
export function jsonReport(report: Report): string {
  const { harm, ...rest } = report
  const { verdict, exitCode, headline, totals, groups, incomplete, left } = summarize(report)
  const causes = groups.map(({ first, all, fails }) => ({
    headline: first.evidence.headline,
    fails,
    sentence: quoted(first),
    rules: ruleIds(all),
  }))
  return safeJson({ verdict, exitCode, headline, totals, harm, incomplete, causes, left, ...rest })
}
