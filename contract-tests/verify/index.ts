/** Everything that `understudy verify` calls. */
export { printable } from '../reports/escape.ts'
export { fileReports, terminalReport } from '../reports/index.ts'
export { planOf } from './plan.ts'
export { clean, Interrupted, leftNow, mergeReports, type VerifyOptions, verify } from './verify.ts'
