import { defaultProxyPort } from '../../src/shared/addresses.ts'
import { terminalReport } from '../reports/index.ts'
import { openProxy, type ProxyOptions } from './open-proxy.ts'
import { serveReport } from './serve-report.ts'

/** Options of `withProxy`. */
export interface WithProxyOptions extends Omit<ProxyOptions, 'target' | 'port' | 'onViolation'> {
  /** Default 6790; 0 takes a free port. */
  readonly port?: number
  /** Fails the test run after a finding, or if there was nothing to check. */
  readonly failOn?: 'findings' | undefined
}

/**
 * Creates a global setup for Vitest or Playwright, which checks what the app and a real server exchange during a test run.
 * The URL of the proxy is in the environment variable `UNDERSTUDY_PROXY_URL`.
 *
 * @param target base URL of the server, without /api.
 * @example
 * export default withProxy('https://staging.example.com', { failOn: 'findings' })
 */
export function withProxy(
  target: string,
  { port = defaultProxyPort, failOn, ...options }: WithProxyOptions = {},
): () => Promise<() => Promise<void>> {
  return async () => {
    const proxy = await openProxy({ ...options, target, port })
    process.env.UNDERSTUDY_PROXY_URL = proxy.url
    const page = await serveReport(proxy.report)
    process.stdout.write(`Report so far: ${page.url}\n`)
    return async () => {
      page.close()
      const { report, exitCode } = await proxy.close()
      process.stdout.write(terminalReport(report, { isQuiet: exitCode === 0 }))
      if (failOn === undefined || exitCode === 0) return
      // Not every runner fails by an error of its teardown.
      process.exitCode = 1
      const why = exitCode === 1 ? 'violates the specification' : 'could not be checked'
      throw new Error(`The traffic with ${target} ${why}. The report is printed above.`)
    }
  }
}
