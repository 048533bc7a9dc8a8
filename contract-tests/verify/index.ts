/** Everything that `understudy verify` calls. */

export type { Expected, JudgeOptions } from '../judge/options.ts'
export { printable } from '../reports/escape.ts'
export { fileReports, terminalReport } from '../reports/index.ts'
export type { Basis } from '../rules/index.ts'
export { planOf } from './plan.ts'
export { clean, Interrupted, leftNow, mergeReports, type VerifyOptions, verify } from './verify.ts'
