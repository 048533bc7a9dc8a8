import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserServer, chromium as engine } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { isBrowserAtHand } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser listens that all tests of a run share. */
    browser: string
  }
}

/** Starts one Chromium for all tests of a run, where there is one. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!isBrowserAtHand) return undefined
  const { server, folder } = await launch()
  project.provide('browser', server.wsEndpoint())
  return async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Unpacks Chromium, and the few libraries that a bare machine lacks, into a folder of its own, and starts it. */
async function launch(): Promise<{ server: BrowserServer; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-chromium-'))
  const before = { ...process.env }
  // The package unpacks into the temporary folder, and its libraries only where it sees this runtime's name.
  process.env.TMPDIR = folder
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    const executablePath = await chromium.executablePath()
    const server = await engine.launchServer({
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
    return { server, folder }
  } finally {
    process.env = before
  }
}
