import type { Report } from '../findings.ts'
import { githubReport } from './github.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { sarifReport } from './sarif.ts'

/** The reports that go to files, by name. */
export const fileReports: Readonly<Record<string, (report: Report) => string>> = {
  junit: junitReport,
  json: jsonReport,
  html: htmlReport,
  sarif: sarifReport,
  github: githubReport,
}

export { terminalReport } from './terminal.ts'
