import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserServer, chromium as engine, type LaunchOptions } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { isBrowserAvailable } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all tests of a run share. */
    browser: string
  }
}

/** Starts one Chromium for all tests of a run, where there is one. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!isBrowserAvailable) return undefined
  const { server, folder } = await launch()
  project.provide('browser', server.wsEndpoint())
  return async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts Chromium with a folder for its temporary files. */
async function launch(): Promise<{ server: BrowserServer; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-chromium-'))
  // @ts-expect-error Scripts have no types.
  const { unpackChromium } = (await import('../../scripts/lib/chromium.mjs')) as {
    unpackChromium: (folder: string) => Promise<LaunchOptions>
  }
  return { server: await engine.launchServer(await unpackChromium(folder)), folder }
}
