import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest'
import { demo } from '../../src/fixtures/index.ts'
import { createUnderstudy, type Understudy, type UnderstudyOptions } from '../../src/index.ts'
import { root } from './root.ts'
import { serveMock } from './serve-mock.ts'
import { makeFolder } from './temporary.ts'

/** The panel of a served understudy, in a browser. */
export interface OpenPanel {
  readonly understudy: Understudy
  readonly url: string
  readonly page: Page
  /** Errors and warnings on the console of the page, policy violations included. */
  readonly complaints: readonly string[]
  /** Asks the API as an application does. */
  api(method: string, path: string, body?: object): Promise<unknown>
  closeServer(): Promise<void>
}

/** Serves a mock and opens its panel, until the end of a test. */
export async function openPanel(
  options: UnderstudyOptions,
  {
    hash = '',
    whenOver = onTestFinished,
  }: { hash?: string; whenOver?: (end: () => Promise<void>) => void } = {},
): Promise<OpenPanel> {
  const understudy = createUnderstudy(options)
  const { url, close } = await serveMock(understudy, {}, whenOver)
  const browser = await chromium.connect(inject('browser'))
  whenOver(() => browser.close())
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  })
  // An action that times out names its target before the test times out.
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const isWrong = message.type() === 'error' || message.type() === 'warning'
    // The form shows what the server rejects; browsers log it as well.
    const isShownInForm = message.text().includes('status of 422')
    // The world that a test deletes may go while it is asked.
    const isGone =
      message.text().includes('status of 404') && message.location().url.includes('/worlds/second/')
    if (isWrong && !isShownInForm && !isGone) complaints.push(message.text())
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
    closeServer: close,
  }
}

/** Runs a test that was copied from the panel, as somebody would who has the package installed. */
export async function runCopied(test: string, start: string): Promise<string> {
  const folder = makeFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/pipeline-understudy'))
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
  writeFileSync(join(folder, 'copied.test.ts'), test)
  writeFileSync(join(folder, 'start.json'), start)
  // Without its own configuration, vitest uses one of a folder above.
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}\n')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const arguments_ = [vitest, 'run', '--root', folder, '--reporter', 'json']
  const { stdout } = await promisify(execFile)(process.execPath, arguments_, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

/** Opens one panel for all tests around it; what it shows is as it was at first before each. */
export function openForAll(): { readonly panel: OpenPanel } {
  let panel: OpenPanel
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    panel = await openPanel({ fixture: demo, seed: 7 }, { whenOver: (end) => ends.unshift(end) })
  })
  beforeEach(() => resetPanel(panel))
  afterAll(async () => {
    for (const end of ends) await end()
  })
  return {
    get panel() {
      return panel
    },
  }
}

/** Puts an open panel's server as it was at first: faults, and requests of which one failed. */
async function resetPanel(panel: OpenPanel): Promise<void> {
  const { understudy, page } = panel
  // The recorder is empty after a reload.
  await page.evaluate('sessionStorage.clear()')
  understudy.reset()
  for (const { name } of understudy.worlds.list()) if (name !== 'main') understudy.worlds.delete(name)
  understudy.faults.add({ operation: 'readPipeline', every: 2, badGateway: true })
  const read = (path: string) => understudy.fetch(`/api/pipelines${path}`)
  for (const path of ['?_limt=2', '/daily_revenue', '/daily_revenue', '/nothing_like_it']) await read(path)
  await understudy.fetch('/api/pipelines/daily_revenue/backfills', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"backfill":{"name":"again"}}',
  })
}
