/** Everything that `pipeline-understudy proxy` calls. */

export { terminalReport } from '../reports/index.ts'
export { openProxy } from './open-proxy.ts'
export { serveReport } from './serve-report.ts'
