import { githubReport } from './github.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import type { Report } from './report.ts'
import type { ReportName } from './report-names.ts'
import { sarifReport } from './sarif.ts'

/** The reports that go to files, by name. */
export const fileReports: Readonly<Record<ReportName, (report: Report) => string>> = {
  junit: junitReport,
  json: jsonReport,
  html: htmlReport,
  sarif: sarifReport,
  github: githubReport,
}

export { terminalReport } from './terminal.ts'
