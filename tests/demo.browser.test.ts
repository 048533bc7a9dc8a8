import { describe, expect, it } from 'vitest'
import { isBrowserAtHand } from './support/browser.ts'
import { appOf, hostForAll, openTab, signIn } from './support/demo.ts'

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
})
