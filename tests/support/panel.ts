import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { createUnderstudy, type Understudy, type UnderstudyOptions } from '../../src/index.ts'
import { type ServeOptions, serve } from '../../src/server/serve.ts'
import { root } from './root.ts'

/** Where photographs of views are left, to be looked at. */
export const photographs = mkdtempSync(join(tmpdir(), 'understudy-panel-'))

const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The panel of a served understudy, in a browser. */
export interface OpenPanel {
  readonly understudy: Understudy
  readonly url: string
  readonly page: Page
  /** What the page has written to its console, and what its policy has forbidden. */
  readonly complaints: readonly string[]
  /** Asks the API as an application does. */
  api(method: string, path: string, body?: object): Promise<unknown>
  /** Leaves a photograph, and gives what axe-core finds wrong. */
  look(name: string): Promise<string[]>
  close(): Promise<void>
}

/** Serves an understudy and opens its panel. */
export async function openPanel(
  options: UnderstudyOptions,
  { serving = {}, hash = '' }: { serving?: ServeOptions; hash?: string } = {},
): Promise<OpenPanel> {
  const understudy = createUnderstudy(options)
  const { url, close } = await serve(understudy, { port: 0, ...serving })
  const browser = await chromium.connect(inject('browser'))
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${url}/${hash}`)
  return {
    understudy,
    url,
    page,
    complaints,
    async api(method, path, body) {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return response.text()
    },
    async look(name) {
      await page.screenshot({ path: join(photographs, `${name}.png`) })
      // By the debugger, which no policy of the page concerns.
      return page.evaluate(`${axe};axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + JSON.stringify(target))))`)
    },
    async close() {
      await browser.close()
      await close()
      understudy.dispose()
    },
  }
}
