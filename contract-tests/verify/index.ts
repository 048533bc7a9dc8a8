/** Everything that `pipeline-understudy verify` calls. */

export type { Expected, Progress } from '../judge/options.ts'
export { printable } from '../reports/escape.ts'
export { fileReports, terminalReport } from '../reports/index.ts'
export { progressLine } from '../reports/progress-line.ts'
export type { Basis } from '../rules/index.ts'
export { reportFailure } from './fail.ts'
export { mergeReports } from './merge-reports.ts'
export { planOf } from './plan.ts'
export { clean, Interrupted, leftNow, type VerifyOptions, verify } from './verify.ts'
