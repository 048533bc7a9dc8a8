import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as engine } from 'playwright-core'

/** A headless Chromium that npm brings, with the libraries that a bare machine lacks; with your own, `engine.launch()` will do. */
export async function openBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'))
  const env = { ...process.env, TMPDIR: folder, LD_LIBRARY_PATH: join(folder, 'al2023/lib') }
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  const { default: chromium } = await import('@sparticuz/chromium')
  const browser = await engine.launch({
    executablePath: await chromium.executablePath(),
    env,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  return {
    browser,
    async close() {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
