import { version } from '../../src/shared/version.ts'
import { noRequests, type Report } from '../reports/report.ts'
import { rules } from '../rules/index.ts'
import { skipReasons } from '../runner/selection.ts'
import { shownTarget } from '../runner/transports/over-http.ts'
import type { Finding } from '../runner/verdicts.ts'
import { writeReports } from './finish.ts'
import type { VerifyOptions } from './verify.ts'

/** The known options of a run that checked nothing. Some of them may be invalid. */
export type FailedRun = Pick<VerifyOptions, 'only' | 'readOnly' | 'allowDestructive'> & {
  readonly target: string | undefined
  readonly reports: VerifyOptions['reports'] | undefined
  /** The created records that remain. */
  readonly leftBehind?: readonly string[]
}

/**
 * Writes the reports of a run that checked nothing, with the reason. Otherwise, CI would show no report or the last one.
 * It ignores failed writes of files. It is synchronous, because the process may be ending.
 */
export function reportFailure(why: string, attempt: FailedRun): Report {
  const report = failedReport(why, attempt)
  writeReports(report, attempt.reports)
  return report
}

function failedReport(why: string, { target, leftBehind = [], ...selection }: FailedRun): Report {
  const skips = skipReasons(selection)
  // A selection that selects nothing may be what was wrong.
  const isAny = rules.some((rule) => skips(rule) === undefined)
  const findings = rules.map((rule): Finding => {
    const flag = isAny ? skips(rule) : undefined
    if (flag !== undefined) return { rule, verdict: { kind: 'skipped', flag } }
    return { rule, verdict: { kind: 'blocked', missing: why, cause: 'failure' } }
  })
  const shown = shownTarget(target)
  return { ...noRequests, target: shown, command: `verify ${shown}`, version, findings, leftBehind }
}
