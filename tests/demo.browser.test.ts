import { describe, expect, it } from 'vitest'
import { isBrowserAtHand } from './support/browser.ts'
import { appOf, hostForAll, newPipeline, nightBus, openTab, signIn, soon } from './support/demo.ts'

describe.runIf(isBrowserAtHand)('the live demo on a static host, under a path and a strict policy', () => {
  const all = hostForAll()

  it('shows the app and the panel of what it does, and breaks no policy', async () => {
    const page = await openTab(all.visitor, all.demo.url)
    await signIn(page)

    await expect
      .poll(() => appOf(page).getByRole('listitem').filter({ hasText: 'daily-revenue' }).count())
      .toBe(1)
    await page.getByRole('link', { name: /^Requests/ }).click()
    await expect
      .poll(() => page.locator('.request-row').allInnerTexts())
      .toContainEqual(expect.stringMatching(/200\s+HTTP 200\s+createSession/))
    expect(all.demo.complaints).toEqual([])
  })

  it('is after a reload as it was, with the app where it was', async () => {
    const page = await openTab(all.visitor, all.demo.url)
    await signIn(page)
    await newPipeline(page)
    await appOf(page).getByRole('link', { name: 'Backfills' }).click()
    await appOf(page).getByRole('heading', { name: 'Backfills' }).waitFor()

    await page.reload()

    await appOf(page).getByRole('heading', { name: 'Backfills' }).waitFor()
    await appOf(page).getByRole('link', { name: 'Pipelines' }).click()
    await expect.poll(() => nightBus(page).count(), soon).toBe(1)
  })
})
