import { githubReport } from './github.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import type { Report } from './report.ts'
import { sarifReport } from './sarif.ts'

/** The reports that go to files, by name. */
export const fileReports = {
  junit: junitReport,
  json: jsonReport,
  html: htmlReport,
  sarif: sarifReport,
  github: githubReport,
} satisfies Readonly<Record<string, (report: Report) => string>>

/** Tells whether there is a report of a name. */
export function isReportName(name: string): name is keyof typeof fileReports {
  return Object.hasOwn(fileReports, name)
}

export { terminalReport } from './terminal.ts'
