// node lab/panel-soak.mjs [--minutes 10 --rate 200 --writes 0.2]: shows the panel in a real browser while a server answers
// requests. Exits with 1 if a request of the panel fails, a task blocks the page, rows are late, or its heap grows.
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { unpackChromium } from '../scripts/lib/chromium.mjs'
import { loadPanel } from './lib/panel-load.mjs'
import { serve, temporaryFolder } from './lib/processes.mjs'

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '200' },
    writes: { type: 'string', default: '0.2' },
  },
})
const server = await serve(['--fixture', 'demo'])
const browser = await chromium.launch(await unpackChromium(temporaryFolder('panel-soak')))
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${server.origin}/#/requests`)
  const load = {
    seconds: Number(flags.minutes) * 60,
    rate: Number(flags.rate),
    writes: Number(flags.writes),
  }
  const found = await loadPanel(page, server.origin, load)
  const longTasks = found.longTasks.filter((duration) => duration > 100)
  console.log({ ...found, failed: found.failed.length, longTasks })
  const isFine =
    found.failed.length + longTasks.length === 0 && found.oldest <= 1_000 && found.heapGrowth < 1.2
  if (!isFine) process.exitCode = 1
} finally {
  await browser.close()
  await server.stop()
}
