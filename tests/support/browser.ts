import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium as engine } from 'playwright-core'
import { elsewhere } from './parity-script.ts'

const root = join(import.meta.dirname, '../..')

/** A page in a real browser, with everything that has to be closed behind it. */
export interface OpenPage {
  /** Calls a function that the page's script has put on `window`, with a value that JSON can carry. */
  call(name: string, argument: unknown): Promise<unknown>
  close(): Promise<void>
}

/** Opens a page whose script is a module of `tests/support`, with Mock Service Worker's script beside it. */
export async function openPage(module: string): Promise<OpenPage> {
  const { browser, folder } = await launch()
  const script = await bundle(join(import.meta.dirname, module))
  const server = createServer((request, response) => {
    const url = request.url ?? '/'
    if (url === '/page/') {
      response.setHeader('content-type', 'text/html').end('<script type="module" src="script.js"></script>')
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
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  const page = await browser.newPage()
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  await page.goto(`http://127.0.0.1:${port}/page/`)
  return {
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
    async close() {
      await browser.close()
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Unpacks Chromium, and the few libraries that a bare machine lacks, into a folder of its own, and starts it. */
async function launch(): Promise<{ browser: Browser; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-chromium-'))
  const before = { ...process.env }
  // The package unpacks into the temporary folder, and its libraries only where it sees this runtime's name.
  process.env.TMPDIR = folder
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    const executablePath = await chromium.executablePath()
    const browser = await engine.launch({
      executablePath,
      env: { ...before, TMPDIR: folder, LD_LIBRARY_PATH: join(folder, 'al2023/lib') } as Record<
        string,
        string
      >,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    return { browser, folder }
  } finally {
    process.env = before
  }
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'chrome120',
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}
