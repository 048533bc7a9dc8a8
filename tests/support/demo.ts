import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type FrameLocator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest'
import type { RemoteUnderstudy } from '../../src/admin/client/index.ts'
import { root } from './root.ts'
import { serveFolder } from './static-host.ts'

/** The strictest policy of a static host for the demo. */
const policy = [
  "default-src 'none'",
  ...['script', 'style', 'connect', 'worker', 'frame'].map((kind) => `${kind}-src 'self'`),
  "img-src 'self' data:",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')
const path = '/night/demo/'

/** The live demo on a static host, for any number of visitors. */
export interface HostedDemo {
  readonly url: string
  /** Errors and warnings on the consoles of pages, policy violations included. */
  readonly complaints: readonly string[]
  /** Somebody with a browser of their own. */
  visit(): Promise<BrowserContext>
  /** Takes the host away. */
  closeHost(): void
  close(): Promise<void>
}

/** Runs `understudy demo`, and returns its output of both streams. */
export async function runDemo(...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [join(root, 'dist/cli/main.js'), 'demo', ...args])
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

/** Builds the demo, and serves it under a path. */
export async function hostDemo(...flags: string[]): Promise<HostedDemo> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-demo-'))
  await runDemo('build', '--out', folder, ...flags)
  const host = await serveFolder(folder, path, policy)
  const browser = await chromium.connect(inject('browser'))
  const complaints: string[] = []
  const closeHost = () => {
    host.close()
    host.closeAllConnections()
  }
  return {
    url: `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`,
    complaints,
    async visit() {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
        reducedMotion: 'reduce',
      })
      context.setDefaultTimeout(20_000)
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      context.on('weberror', (error) => complaints.push(error.error().message))
      return context
    },
    closeHost,
    async close() {
      await browser.close()
      closeHost()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Opens the demo in a tab, and waits until the app is there. */
export async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await appOf(page).locator('h1').waitFor()
  return page
}

export const appOf = (page: Page): FrameLocator => page.frameLocator('#app')

/** Signs in with what the form begins with. */
export async function signIn(page: Page): Promise<void> {
  await appOf(page).getByRole('button', { name: 'Sign in' }).click()
  await appOf(page).getByRole('heading', { name: 'Pipelines' }).waitFor()
}

/** Runs something in the frame of the app, where `understudy` is a client of the understudy of all tabs. */
export async function inApp<Result>(
  page: Page,
  run: (understudy: RemoteUnderstudy) => Promise<Result>,
): Promise<Result> {
  const frame = page.frames().find((frame) => frame.url().includes('/app/'))!
  return frame.evaluate(`(${run})(window.understudy)`)
}

/** Waits until the browser has stored a text, a quarter of a second after a change. */
async function waitUntilStored(page: Page, text: string): Promise<void> {
  // Not `waitForFunction`, which takes the promise of a function for its truth.
  await expect.poll(async () => (await page.evaluate(readStored)).includes(text)).toBe(true)
}

async function readStored(): Promise<string> {
  const resultOf = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
  const database = await resultOf(indexedDB.open('pipeline-understudy', 1))
  const [stored] = await resultOf(database.transaction('states').objectStore('states').getAll())
  database.close()
  return String(stored)
}

/** Creates the pipeline "night bus", and waits until the browser has stored it. */
export async function newPipeline(page: Page): Promise<void> {
  await inApp(
    page,
    async (understudy) => void (await understudy.factories.pipeline.create({ name: 'night bus' })),
  )
  await waitUntilStored(page, 'night_bus')
}

export const nightBus = (page: Page) => appOf(page).getByRole('listitem').filter({ hasText: 'night bus' })

/** Returns the notes that the page shows. */
export const notes = (page: Page) => page.getByRole('status').locator('p').allInnerTexts()

/** The app polls for changes of others. */
export const soon = { timeout: 20_000 }

/** Hosts the demo for all tests around it, with somebody new to visit it in each. */
export function hostForAll(): { readonly demo: HostedDemo; readonly visitor: BrowserContext } {
  let demo: HostedDemo
  let visitor: BrowserContext
  beforeAll(async () => {
    demo = await hostDemo()
  })
  beforeEach(async () => {
    visitor = await demo.visit()
  })
  afterEach(() => visitor.close())
  afterAll(() => demo.close())
  return {
    get demo() {
      return demo
    },
    get visitor() {
      return visitor
    },
  }
}
