import { expect, it } from 'vitest'
// @ts-expect-error Scripts have no types.
import { loadPanel } from '../lab/lib/panel-load.mjs'
import { demo } from '../src/fixtures/index.ts'
import { isBrowserAvailable } from './support/browser.ts'
import { openPanel } from './support/panel.ts'

it.runIf(isBrowserAvailable)(
  'shows the last of many requests, with few requests of its own, none of which fails',
  async () => {
    const { page, url, complaints, understudy } = await openPanel({ fixture: demo }, { hash: '#/requests' })
    const found = await loadPanel(page, url, { seconds: 5, rate: 100, writes: 0.2 })

    expect(found.failed).toEqual([])
    expect(complaints).toEqual([])
    // The time of the clock and its speed are two reads of one path.
    expect(found.mostInFlight).toBeLessThanOrEqual(2)
    expect(found.requests).toBeLessThan(40)
    const last = understudy.journal.entries({ details: false }).at(-1)?.sequence
    await expect
      .poll(() => page.locator('.request-row').first().getAttribute('href'))
      .toContain(`requests/${last}`)
  },
)

it.runIf(isBrowserAvailable)(
  'reads the list of requests without bodies, and the body of the one that is open',
  async () => {
    const { page, url, api } = await openPanel({ fixture: demo }, { hash: '#/requests' })
    /** By its sequence, the largest form in which the page got each request. */
    const sizes = new Map<number, number>()
    const read = ({ entries }: { entries: { sequence: number }[] }) => {
      for (const entry of entries) {
        const { length } = JSON.stringify(entry)
        sizes.set(entry.sequence, Math.max(length, sizes.get(entry.sequence) ?? 0))
      }
    }
    page.on('response', (response) => {
      if (response.url().includes('/journal?')) response.json().then(read, () => undefined)
    })
    for (let count = 0; count < 20; count++) await api('GET', '/pipelines')
    await page.locator('.request-row').nth(19).waitFor()
    await expect.poll(() => sizes.size).toBe(20)
    // With its reply, a request takes 18,000 bytes.
    expect(Math.max(...sizes.values())).toBeLessThan(600)

    await page.goto(`${url}/#/requests/20`)
    await page.getByText('"load_forecast"').first().waitFor()
    await page.getByLabel('Filter the requests').fill('load_forecast')
    await expect.poll(() => page.locator('.request-row').count()).toBe(20)
  },
)
