import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { chromium, type Page } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'
import { elsewhere } from './parity-script.ts'
import { listen } from './temporary.ts'

const root = join(import.meta.dirname, '../..')

/** The Chromium that npm brings is built for Linux on x64 only. */
export const isBrowserAvailable = process.platform === 'linux' && process.arch === 'x64'

/** A page in a real browser. */
export interface OpenPage {
  /** Calls a function that the page's script has put on `window`, with a value that JSON can carry. */
  call(name: string, argument: unknown): Promise<unknown>
  readonly page: Page
}

export interface BrowserPageOptions {
  /** The header `Content-Security-Policy` of the page. */
  readonly policy?: string
  /** Done with the page before it loads. */
  readonly prepare?: (page: Page) => Promise<void>
}

/**
 * Opens a page until the end of a test. Its script is a module of `tests/support`, with Mock Service Worker's script
 * beside it.
 */
export async function openPage(
  module: string,
  { policy, prepare }: BrowserPageOptions = {},
): Promise<OpenPage> {
  const browser = await chromium.connect(inject('browser'))
  onTestFinished(() => browser.close())
  const script = await bundle(join(import.meta.dirname, module))
  const origin = await listen((request, response) => {
    const url = request.url ?? '/'
    if (policy !== undefined) response.setHeader('content-security-policy', policy)
    if (url === '/page/') {
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><meta charset="utf-8"><script type="module" src="script.js"></script>')
    } else if (url === '/page/script.js') {
      response.setHeader('content-type', 'text/javascript').end(script)
    } else if (url === '/page/mockServiceWorker.js') {
      response.writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' })
      createReadStream(join(root, 'node_modules/msw/lib/mockServiceWorker.js')).pipe(response)
    } else {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/plain' }).end(elsewhere)
    }
  })
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  await prepare?.(page)
  await page.goto(`${origin}/page/`)
  return {
    page,
    async call(name, argument) {
      const result = await page.evaluate(
        ([name, argument]) =>
          (window as unknown as Record<string, (given: unknown) => Promise<unknown>>)[name as string]!(
            argument,
          ),
        [name, argument],
      )
      if (failures.length > 0) throw new Error(`The page failed: ${failures.join('; ')}`)
      return result
    },
  }
}

async function bundle(entry: string): Promise<string> {
  // @ts-expect-error Scripts have no types.
  const { sheetsAsTexts } = (await import('../../scripts/lib/build-panel.mjs')) as { sheetsAsTexts: Plugin }
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'chrome120',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [sheetsAsTexts],
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}
