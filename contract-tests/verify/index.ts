/** Everything that `pipeline-understudy verify` calls. */

export { fileReports, terminalReport } from '../reports/index.ts'
export { progressLine } from '../reports/progress-line.ts'
export type { Source } from '../rules/index.ts'
export type { Expected, Progress } from '../runner/options.ts'
export { reportFailure } from './fail.ts'
export { planOf } from './plan.ts'
export { clean, Interrupted, leftNow, type VerifyOptions, verify } from './verify.ts'
export { type VerifyTrafficOptions, verifyTraffic } from './verify-traffic.ts'
