/** Everything that `understudy verify` calls. */
export { fileReports, terminalReport } from '../reports/index.ts'
export { planOf } from './plan.ts'
export { Interrupted, leftOn, mergeReports, type VerifyOptions, verify } from './verify.ts'
