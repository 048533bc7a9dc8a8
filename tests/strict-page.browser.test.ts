import { expect, it } from 'vitest'
import { isBrowserAtHand, openPage } from './support/browser.ts'

it.runIf(isBrowserAtHand)(
  'signs in and polls on a page that forbids code made of text, moved on by the clock of Playwright',
  async () => {
    const page = await openPage('strict-page.ts', {
      policy: "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'",
      prepare: (opened) => opened.clock.install({ time: '2030-06-01T12:00:00Z' }),
    })
    try {
      await page.call('pollEachSecond', undefined)
      await expect
        .poll(async () => {
          await page.clock.runFor(1_000)
          return ((await page.call('whatWasSeen', undefined)) as { seen: string[] }).seen.at(-1)
        })
        .toBe('completed')

      expect(await page.call('whatWasSeen', undefined)).toEqual({
        seen: expect.arrayContaining(['running', 'completed']),
        violations: [],
      })
    } finally {
      await page.close()
    }
  },
)
