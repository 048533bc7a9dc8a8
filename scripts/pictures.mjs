// `npm run pictures`: takes pictures of the panel for the documentation, from the built package, with the
// demo at a fixed time.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { root, temporaryFolder } from '../lab/lib/processes.mjs'
import { unpackChromium } from './lib/chromium.mjs'

const { createUnderstudy } = await import('../dist/index.js')
const { demo } = await import('../dist/fixtures/index.js')
const { serve } = await import('../dist/server/index.js')

const views = [
  ['overview', 'overview'],
  ['requests', 'requests/6'],
  ['pipeline', 'pipelines/load_forecast/runs/154'],
  ['faults', 'faults'],
]
const understudy = createUnderstudy({ fixture: { ...demo, clock: '2026-03-02T20:58:35Z' }, seed: 7 })
understudy.faults.add({ operation: 'readPipeline', every: 2, badGateway: true })
const send = (method, path, body) =>
  understudy.fetch(`/api${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
await send('GET', '/pipelines?_limt=2')
await send('GET', '/pipelines/daily_revenue')
await send('GET', '/pipelines/daily_revenue')
await send('GET', '/pipelines/nothing_like_it')
await send('POST', '/pipelines/daily_revenue/backfills', { backfill: { name: 'again' } })
await send('PUT', '/backfills/9', {
  backfill: {
    name: 'a week again',
    start_datetime: '2026-02-20 00:00:00',
    end_datetime: '2026-02-27 00:00:00',
  },
})

const { url, close } = await serve(understudy, { port: 0 })
const browser = await chromium.launch(await unpackChromium(temporaryFolder('pictures')))
try {
  const page = await browser.newPage({ viewport: { width: 1080, height: 675 }, reducedMotion: 'reduce' })
  const session = await page.context().newCDPSession(page)
  for (const [name, address] of views) {
    await page.goto(`${url}/#/${address}`)
    await page.locator('main h1, main h2').first().waitFor()
    await page.waitForTimeout(500)
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 20 })
    const file = join(root, `docs/pictures/panel-${name}.webp`)
    writeFileSync(file, Buffer.from(data, 'base64'))
    console.log(`${file}: ${Math.round((data.length * 3) / 4 / 1_000)} KB`)
  }
} finally {
  await browser.close()
  await close()
  understudy.dispose()
}
