// Chromium from an npm package, for machines where `npx playwright install chromium` cannot be run.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Unpacks it into a folder of its own, and says how Playwright starts it; `remove` deletes the folder. */
export async function unpackChromium() {
  const folder = await mkdtemp(join(tmpdir(), 'example-chromium-'))
  const before = { ...process.env }
  // It unpacks into the temporary folder, with its libraries only where it sees this runtime's name.
  process.env.TMPDIR = folder
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    const launchOptions = {
      executablePath: await chromium.executablePath(),
      env: { ...before, TMPDIR: folder, LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    }
    return { launchOptions, remove: () => rmSync(folder, { recursive: true, force: true }) }
  } finally {
    process.env = before
  }
}
