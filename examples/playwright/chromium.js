// Chromium from an npm package, for machines where `npx playwright install chromium` cannot be run.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'node_modules/.chromium')
const before = { ...process.env }

/** Unpacks it, unless it is there, and says how Playwright starts it. */
export async function unpackChromium() {
  mkdirSync(folder, { recursive: true })
  // It unpacks into the temporary folder, with its libraries only where it sees this runtime's name.
  process.env.TMPDIR = folder
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    return {
      executablePath: await chromium.executablePath(),
      env: { ...before, TMPDIR: folder, LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    }
  } finally {
    process.env = before
  }
}
