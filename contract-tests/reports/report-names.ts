/** The names of the reports that go to files. */
export const reportNames = ['junit', 'json', 'html', 'sarif', 'github', 'gitlab', 'markdown'] as const

export type ReportName = (typeof reportNames)[number]

/** Returns whether a report has this name. */
export function isReportName(name: string): name is ReportName {
  return (reportNames as readonly string[]).includes(name)
}
