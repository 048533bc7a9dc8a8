import { githubReport } from './github.ts'
import { gitlabReport } from './gitlab.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
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
  gitlab: gitlabReport,
  markdown: markdownReport,
}

export { terminalReport } from './terminal.ts'
