import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { isBrowserAtHand } from './support/browser.ts'
import { type OpenPanel, openPanel } from './support/panel.ts'

let panel: OpenPanel

describe.runIf(isBrowserAtHand)('the panel', () => {
  beforeAll(async () => {
    panel = await openPanel({ fixture: demo, seed: 7 })
    const { api, understudy } = panel
    understudy.faults.add({ operation: 'readPipeline', every: 2, badGateway: true })
    await api('GET', '/pipelines?_limt=2')
    await api('GET', '/pipelines/daily_revenue')
    await api('GET', '/pipelines/daily_revenue')
    await api('GET', '/pipelines/nothing_like_it')
    await api('POST', '/pipelines/daily_revenue/backfills', { backfill: { name: 'again' } })
  })

  afterAll(() => panel.close())

  it.each([
    ['now', 'now'],
    ['requests', 'requests'],
    ['a request', 'requests/5'],
    ['pipelines', 'pipelines'],
    ['a pipeline', 'pipelines/load_forecast'],
    ['wrong on purpose', 'wrong'],
    ['records', 'records/pipeline_runs/178'],
    ['more', 'more'],
  ])('shows %s without a flaw that axe-core knows, light, dark and narrow', async (name, address) => {
    const { page, url, look } = panel
    await page.goto(`${url}/#/${address}`)
    await page.locator('main h1').first().waitFor()
    const found: string[] = []
    for (const [form, width, colorScheme] of [
      ['light', 1440, 'light'],
      ['dark', 1440, 'dark'],
      ['narrow', 360, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      found.push(...(await look(`${name.replaceAll(' ', '-')}-${form}`)).map((flaw) => `${form}: ${flaw}`))
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })

    expect(found).toEqual([])
  })

  it('shows requests as they come, with the status that counts, and what struck them', async () => {
    const { page, url, api } = panel
    await page.goto(`${url}/#/requests`)
    await api('GET', '/pipelines/crm_sync')
    const newest = page.locator('.request-row').first()

    await expect.poll(() => newest.innerText()).toMatch(/502\s+HTTP 502\s+readPipeline\s+proxy's page/)
    await api('GET', '/pipelines/crm_sync')
    await expect.poll(() => newest.innerText()).toMatch(/200\s+HTTP 200\s+readPipeline/)
  })

  it('moves the clock, shows the call that does it, and keeps it in the prompt book', async () => {
    const { page, understudy } = panel
    await page.getByRole('button', { name: 'Advance by 1 h' }).click()

    await expect.poll(() => new Date(understudy.clock.now()).toISOString()).toBe('2026-01-01T01:00:00.000Z')
    await page.locator('.request-row').first().hover()
    expect(await page.locator('.line code').innerText()).toBe("await understudy.clock.advance('1h')")
    expect(await page.getByRole('button', { name: 'Prompt book, 1' }).isVisible()).toBe(true)
  })

  it('forbids what it does not need, and needs nothing that it forbids', async () => {
    const reply = await fetch(panel.url)

    expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await reply.text()).not.toMatch(/<script>|<script [^>]*>[^<]|onload=|style=/)
    expect(panel.complaints).toEqual([])
  })
})
