import { safeJson } from './escape.ts'
import { count, groupByCause, type Report, whyIncomplete } from './report.ts'

/** The report as JSON; several of them can be merged again (`verify --merge`). */
export function jsonReport(report: Report): string {
  const { harm, ...rest } = report
  const causes = groupByCause(report).map(({ cause, deviations }) => ({
    cause,
    rules: deviations.map(({ rule }) => rule.id),
  }))
  const summary = count(report.findings)
  const said = { harm, summary, incomplete: whyIncomplete(report) ?? null, causes, ...rest }
  return safeJson(said)
}
