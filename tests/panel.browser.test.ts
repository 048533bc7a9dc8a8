import { describe, expect, it } from 'vitest'
import { isBrowserAtHand } from './support/browser.ts'
import { openCorner, openForAll } from './support/panel.ts'

describe.runIf(isBrowserAtHand)('the panel', () => {
  const all = openForAll()

  it('shows fourteen days of runs at a glance, and outlines what is known to come', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/pipelines/load_forecast`)

    await page.getByRole('img', { name: 'The last 14 days: 20 runs, 2 failed' }).waitFor()
    await expect.poll(() => page.locator('.lane-ahead').count()).toBe(3)
  })

  it('goes by the arrow keys along the blocks of a graph and the runs of a lane, each one stop of the Tab key', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/pipelines/load_forecast/runs/154`)
    const focused = () =>
      page.evaluate(() => {
        const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
        return (roots[0]?.activeElement as HTMLElement | null)?.innerText
      })
    await page.locator('.node:not([tabindex])').focus()
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toMatch(/^forecast/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toMatch(/^(?:weather|history)/)
    await page.locator('.bar[aria-current]').focus()
    await page.keyboard.press('ArrowRight')

    expect(await focused()).toMatch(/^Run 173, completed/)
    expect(await page.locator('.bar:not([tabindex])').count()).toBe(2)
  })

  it('shows each file once in the log of the last run to fail, when it is opened by its link', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/now`)
    await page.getByRole('link', { name: 'Read log of load-forecast' }).click()
    await page.getByText('MemoryError: executor 3 was lost (4g of 4g used)').waitFor()

    expect(await page.getByRole('group', { name: 'Log files' }).getByRole('button').allInnerTexts()).toEqual([
      'weather.log',
      'history.log',
      'features.log',
      'pipeline.log',
    ])
  })

  it('shows requests as they come, with the status that counts, and what struck them, until somebody points at them', async () => {
    const { page, url, api } = all.panel
    // Where the list will lie: a pointer that only rests there does not point.
    await page.mouse.move(300, 300)
    await page.goto(`${url}/#/requests`)
    await api('GET', '/pipelines/crm_sync')
    const newest = page.locator('.request-row').first()

    await expect.poll(() => newest.innerText()).toMatch(/502\s+HTTP 502\s+readPipeline\s+proxy's page/)
    await api('GET', '/pipelines/crm_sync')
    await expect.poll(() => newest.innerText()).toMatch(/200\s+HTTP 200\s+readPipeline/)
    await newest.hover()
    await api('GET', '/nothing_like_it')
    await expect.poll(() => page.locator('.gathered').innerText()).toBe('1 new')
    expect(await newest.innerText()).toMatch(/readPipeline/)
  })

  it('shows what a request changed, from what to what', async () => {
    const { page, url, api, understudy } = all.panel
    await api('PUT', '/backfills/1', { backfill: { name: 'renamed' } })
    const { sequence } = understudy.journal.entries().at(-1)!
    await page.goto(`${url}/#/requests/${sequence}`)

    expect(await page.locator('.diff tr', { hasText: 'name' }).first().innerText()).toMatch(/⟶\s+renamed/)
  })

  it('marks the run that is opened, also where it lies before the window', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/pipelines/load_forecast/runs/4`)
    await page.locator('.bar[aria-current]', { hasText: 'Run 4, completed' }).waitFor()
    await page.getByRole('button', { name: '1 h', exact: true }).click()

    expect(await page.getByRole('list', { name: 'Runs of every night' }).innerText()).toMatch(
      /← run 4, which is opened, /,
    )
  })

  it('moves the clock, shows the call that does it, and keeps it in the prompt book', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/requests`)
    await page.reload()
    await page.getByRole('button', { name: 'Advance by 1 h' }).click()

    await expect.poll(() => new Date(understudy.clock.now()).toISOString()).toBe('2026-01-01T01:00:00.000Z')
    await page.locator('.request-row').first().hover()
    await expect
      .poll(() => page.locator('.line code').innerText())
      .toBe("await understudy.clock.advance('1h')")
    expect(await page.getByRole('button', { name: 'Prompt book: 1 call, as a test' }).isVisible()).toBe(true)
  })

  it.each([
    ['tomorrow', 'Go to tomorrow, 00:00', "await understudy.clock.advance('86400000ms')"],
    ['18:00', 'Go to 18:00', "await understudy.clock.advance('64800000ms')"],
    ['every night fires tomorrow', 'Go to: every night fires', /clock\.advance\('\d+ms'\)/],
  ])('offers the clock to one who types %s', async (text, title, call) => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/now`)
    await page.locator('.said').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or do' }).fill(text)
    const option = page.getByRole('dialog').getByRole('option').first()
    const says = typeof call === 'string' ? expect.stringContaining(call) : expect.stringMatching(call)

    // What was before may still stand there: the page is told of a reset.
    await expect
      .poll(async () => (await option.innerText()).split('\n'))
      .toEqual([title, expect.anything(), says])
    await page.keyboard.press('Escape')
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
    await page.goto(`${url}/#/now`)
    understudy.worlds.create('by-code')
    await page.getByRole('button', { name: 'by-code' }).waitFor()
    understudy.faults.add({ operation: 'listBackfills', latency: 5 })

    await page.locator('.rows', { hasText: 'listBackfills' }).waitFor()
  })

  it('stands in the corner of a page whose styles do not reach it, and opens by keys', async () => {
    const corner = await openCorner()
    try {
      const { page } = corner
      await page.getByLabel('Search').focus()
      await page.evaluate("window.ask('/api/pipelines')")
      const pill = page.getByRole('button', { name: /^understudy, world main/ })
      await expect.poll(() => pill.innerText()).toMatch(/main\s+1\s+errors under HTTP 200/)
      expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT')
      await page.keyboard.press('Control+Shift+U')
      await page.locator('.sheet .said').waitFor()

      expect(await corner.look('corner')).toEqual([])
      const grip = page.getByRole('button', { name: /^Size/ })
      const { x, y } = (await grip.boundingBox())!
      await page.mouse.move(x + 6, y + 6)
      await page.mouse.down()
      await page.mouse.move(x + 6 - 200, y + 6 + 40)
      await page.mouse.up()
      await grip.press('ArrowUp')
      await page.keyboard.press('Control+Shift+U')
      await page.keyboard.press('Control+Shift+U')
      const { width, height } = (await page.locator('.sheet').boundingBox())!
      expect([width, height]).toEqual([620, 624])
      expect(await page.evaluate('location.hash')).toBe('')
      await page.keyboard.press('Control+Shift+U')
      await expect.poll(() => page.locator('.sheet').count()).toBe(0)
    } finally {
      await corner.close()
    }
  })

  it('forbids what it does not need, and needs nothing that it forbids', async () => {
    const reply = await fetch(all.panel.url)

    expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await reply.text()).not.toMatch(/<script>|<script [^>]*>[^<]|onload=|style=/)
    expect(all.panel.complaints).toEqual([])
  })
})
