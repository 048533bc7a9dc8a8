import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { preview } from 'vite'
import { inject } from 'vitest'
import type { Controls } from '../../src/admin/client/index.ts'
import { demo } from '../../src/fixtures/index.ts'
import { createUnderstudy, type Fault } from '../../src/index.ts'
import { serve } from '../../src/server/serve.ts'
import { root } from './root.ts'
import { serveFolder } from './static-host.ts'

export interface SignIn {
  readonly apiKey: string
  readonly email: string
  readonly password: string
}

/** The example app in a browser, on one of the three it runs on. */
export interface OpenFrontend {
  readonly page: Page
  /** The URL of the app. */
  readonly url: string
  /** The console output of the page, and violations of its policy. */
  readonly complaints: readonly string[]
  readonly signIn: SignIn
  /** Makes the next request of an operation fail, and returns a function that reports whether it has. */
  failOnce(fault: FailOnce): Promise<() => Promise<boolean>>
  /** Lets time pass for what runs; where it cannot be moved, it passes by itself. */
  pass(duration: string): Promise<void>
  close(): Promise<void>
}

export type FailOnce = Pick<Fault, 'error' | 'badGateway'> & {
  readonly operation: 'deleteBackfill' | 'listPipelines' | 'updateBackfill'
}

/** The policy of the built app as a static site. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'"

const mayComplain = /status of 502|Failed to load resource/

const signIn: SignIn = { apiKey: 'demo-api-key', email: 'mira@nordlicht.example', password: 'lantern' }

/** Builds the app once for the tests of a file. */
async function build(mode: 'mock' | 'production'): Promise<string> {
  // @ts-expect-error Scripts have no types.
  const { buildFrontend, frontend } = await import('../../scripts/lib/build-frontend.mjs')
  const folder = join(frontend, 'dist', mode)
  await buildFrontend(mode, folder)
  return folder
}

async function open(url: string): Promise<Pick<OpenFrontend, 'page' | 'complaints'> & { browser: Browser }> {
  const browser = await chromium.connect(inject('browser'))
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 }, reducedMotion: 'reduce' })
  const complaints: string[] = []
  page.on('console', (message) => {
    const isWrong = message.type() === 'error' || message.type() === 'warning'
    if (isWrong && !mayComplain.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.setDefaultTimeout(20_000)
  await page.goto(url)
  return { browser, page, complaints }
}

/** On the service worker: a folder of files under a path of a static host, with a strict policy, and no server. */
export async function openOnServiceWorker(): Promise<OpenFrontend> {
  const path = '/night/shift/'
  const host = await serveFolder(await build('mock'), path, policy)
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`
  const { browser, page, complaints } = await open(url)
  return {
    page,
    url,
    complaints,
    signIn,
    async failOnce(fault) {
      const { id } = await page.evaluate(async (given) => window.understudy!.faults.add(given), {
        ...fault,
        times: 1,
      })
      return () =>
        page.evaluate(
          async (id) => (await window.understudy!.faults.list()).some((one) => one.id === id && one.used > 0),
          id,
        )
    },
    pass: (duration) => page.evaluate((given) => void window.understudy!.clock.advance(given), duration),
    async close() {
      await browser.close()
      host.close()
      host.closeAllConnections()
    },
  }
}

declare global {
  interface Window {
    /** The understudy of the app on the service worker, and in the demo a client of it. */
    understudy?: Controls
  }
}

/** Before a server, through the proxy of Vite. */
async function openBeforeServer(
  api: string,
  credentials = signIn,
): Promise<Omit<OpenFrontend, 'failOnce' | 'pass'>> {
  const outDir = await build('production')
  const before = process.env.API
  process.env.API = api
  const server = await preview({
    root: join(root, 'examples/frontend'),
    logLevel: 'warn',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  }).finally(() => {
    if (before === undefined) delete process.env.API
    else process.env.API = before
  })
  const url = server.resolvedUrls!.local[0]!
  const { browser, page, complaints } = await open(url)
  return {
    page,
    url,
    complaints,
    signIn: credentials,
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** On `pipeline-understudy serve`. */
export async function openOnServe(): Promise<OpenFrontend> {
  const understudy = createUnderstudy({ fixture: demo, clock: 'system', auth: 'login' })
  const served = await serve(understudy, { port: 0 })
  const app = await openBeforeServer(served.url)
  return {
    ...app,
    async failOnce(fault) {
      const { id } = understudy.faults.add({ ...fault, times: 1 })
      return async () => understudy.faults.list().some((one) => one.id === id && one.used > 0)
    },
    pass: async (duration) => void understudy.clock.advance(duration),
    async close() {
      await app.close()
      await served.close()
      understudy.dispose()
    },
  }
}

/** Which requests an operation is reached by, as far as the app sends them. */
const reachedBy: Readonly<Record<FailOnce['operation'], readonly [method: string, path: RegExp]>> = {
  deleteBackfill: ['DELETE', /\/api\/backfills\/\d+$/],
  listPipelines: ['GET', /\/api\/pipelines$/],
  updateBackfill: ['PUT', /\/api\/backfills\/\d+$/],
}

/** Before a server that is nobody's to steer: what goes wrong is put between, and time passes by itself. */
export async function openOnRealServer(api: string, credentials: SignIn): Promise<OpenFrontend> {
  const app = await openBeforeServer(api, credentials)
  return {
    ...app,
    async failOnce({ operation, error }) {
      let wasApplied = false
      const [method, path] = reachedBy[operation]
      await app.page.route(
        (url) => path.test(url.pathname),
        async (route) => {
          if (wasApplied || route.request().method() !== method) return route.fallback()
          wasApplied = true
          return error === undefined
            ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' })
            : route.fulfill({ status: 200, json: { error, status: 200 } })
        },
      )
      return async () => wasApplied
    },
    pass: async () => undefined,
  }
}
