import { count, type Report } from './report.ts'

/** The report as JSON; several of them can be merged again (`verify --merge`). */
export function jsonReport(report: Report): string {
  return `${JSON.stringify({ ...report, summary: count(report.findings) }, null, 2)}\n`
}
