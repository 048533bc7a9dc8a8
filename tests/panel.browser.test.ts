import { describe, expect, it } from 'vitest'
import { flawsOf } from './support/axe.ts'
import { isBrowserAvailable, openPage } from './support/browser.ts'
import { openForAll } from './support/panel.ts'

describe.runIf(isBrowserAvailable)('the panel', () => {
  const all = openForAll()

  it('outlines what is known to come of a running run', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/pipelines/load_forecast`)

    const endsAfterNow = async () => {
      const { x = 0 } = (await page.locator('.lane-now').first().boundingBox()) ?? {}
      const boxes = await Promise.all(
        (await page.locator('.bar.running').all()).map((bar) => bar.boundingBox()),
      )
      return boxes.filter((box) => box !== null && box.x + box.width > x + 1).length
    }
    await expect.poll(endsAfterNow).toBe(3)
  })

  it('shows requests as they come, with the status that counts, and the faults that matched them, until somebody points at them', async () => {
    const { page, url, api, understudy } = all.panel
    // The list will appear under the pointer: a pointer that only rests there does not point.
    await page.mouse.move(300, 300)
    // The browser reports a move in the next frame, by when the list must not be there.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await page.goto(`${url}/#/requests`)
    await api('GET', '/pipelines/crm_sync')
    const newest = page.locator('.request-row').first()

    await expect.poll(() => newest.innerText()).toMatch(/502\s+HTTP 502\s+readPipeline\s+proxy's page/)
    await api('GET', '/pipelines/crm_sync')
    await expect.poll(() => newest.innerText()).toMatch(/200\s+HTTP 200\s+readPipeline/)
    await newest.hover()
    await api('GET', '/nothing_like_it')
    await expect
      .poll(() =>
        page
          .getByRole('link', { name: /^Requests/ })
          .first()
          .innerText(),
      )
      .toMatch(/8$/)
    expect(await newest.innerText()).toMatch(/readPipeline/)
    understudy.journal.clear()
    await api('GET', '/nothing_like_it')
    await expect
      .poll(() => page.locator('.request-row').allInnerTexts())
      .toEqual([expect.stringContaining('GET /nothing_like_it')])
  })

  it('moves the clock, shows the call that does it, and keeps it in the recorder', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/requests`)
    await page.reload()
    await page.getByRole('button', { name: 'Advance by 1 h' }).click()

    await expect.poll(() => new Date(understudy.clock.now()).toISOString()).toBe('2026-01-01T01:00:00.000Z')
    await page.locator('.request-row').first().hover()
    await expect
      .poll(() => page.locator('.line code').innerText())
      .toBe("await understudy.clock.advance('1h')")
    expect(await page.getByRole('button', { name: 'Recorder: 1 call, as a test' }).isVisible()).toBe(true)
  })

  it('shows what code and others change, as it happens', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/records/backfills`)
    const row = page.locator('[data-row]', { hasText: 'by code' })
    await page.locator('[data-row]').first().waitFor()
    await understudy.factories.backfill.create({ pipeline_uuid: 'daily_revenue', name: 'by code' })
    await row.waitFor()
    understudy.clock.freeze('2027-05-04 03:02:01')
    await page.getByText('03:02:01').first().waitFor()
    understudy.reset()
    await row.waitFor({ state: 'detached' })
    await page.goto(`${url}/#/overview`)
    understudy.worlds.create('by-code')
    await page.getByRole('button', { name: 'by-code' }).waitFor()
    understudy.faults.add({ operation: 'listBackfills', latency: 5 })

    await page.locator('.rows', { hasText: 'listBackfills' }).waitFor()
  })

  it('opens in the corner of a page whose styles do not reach it, by keys', async () => {
    const { page } = await openPage('corner-page.ts')
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.getByLabel('Search').focus()
    await page.evaluate("window.readStatus('/api/pipelines')")
    const pill = page.getByRole('button', { name: /^understudy, world main/ })
    await expect.poll(() => pill.innerText()).toMatch(/main\s+1\s+error under HTTP 200/)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT')
    await page.keyboard.press('Control+Shift+U')
    await page.locator('.sheet .summary').waitFor()

    expect(await flawsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Wider' }).click()
    expect((await page.locator('.sheet').boundingBox())?.width).toBe(600)
    expect(await page.evaluate('location.hash')).toBe('')
    await page.keyboard.press('Control+Shift+U')
    await expect.poll(() => page.locator('.sheet').count()).toBe(0)
  })

  it('forbids what it does not need, and needs nothing that it forbids', async () => {
    const reply = await fetch(all.panel.url)

    expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await reply.text()).not.toMatch(/<script>|<script [^>]*>[^<]|onload=|style=/)
    expect(all.panel.complaints).toEqual([])
  })
})
