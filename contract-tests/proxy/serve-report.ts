import { createHash, randomUUID } from 'node:crypto'
import http from 'node:http'
import { listen } from '../../src/server/listen.ts'
import { defaultHost } from '../../src/shared/addresses.ts'
import { htmlReport } from '../reports/html.ts'
import { script } from '../reports/html-style.ts'
import type { Report } from '../reports/report.ts'

const scriptHash = createHash('sha256').update(script).digest('base64')
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** A page that shows the report so far. */
export interface ReportPage {
  readonly url: string
  close(): void
}

/**
 * Serves the report so far as a page on this machine. Its path is random, so that neither other users nor other pages can
 * read what the real server has replied.
 */
export async function serveReport(reportSoFar: () => Report | undefined): Promise<ReportPage> {
  const path = `/${randomUUID()}`
  const server = http.createServer((request, response) => {
    const report = request.url === path ? reportSoFar() : undefined
    if (report === undefined) response.writeHead(404).end()
    else response.writeHead(200, headers).end(htmlReport(report))
  })
  return {
    url: (await listen(server, 0, defaultHost)) + path,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
