import { expect, it as itInParts } from 'vitest'
import { isBrowserAvailable, openPage } from './support/browser.ts'
import { thoroughly, wholly } from './support/depth.ts'
import { page } from './support/documents.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

/** The policy that the documentation recommends for a page. */
const [, policy] = /```http\nContent-Security-Policy: (.+)\n```/.exec(page('docs/strict-csp.md'))!

itThoroughly.runIf(isBrowserAvailable)(
  'signs in and polls on a page that forbids code made of text, moved on by the clock of Playwright',
  async () => {
    const opened = await openPage('strict-page.ts', {
      policy: policy!,
      prepare: ({ clock }) => clock.install({ time: '2030-06-01T12:00:00Z' }),
    })
    await opened.call('pollEachSecond', undefined)
    await expect
      .poll(async () => {
        await opened.page.clock.runFor(1_000)
        return ((await opened.call('whatWasSeen', undefined)) as { seen: string[] }).seen.at(-1)
      })
      .toBe('completed')

    expect(await opened.call('whatWasSeen', undefined)).toEqual({
      seen: expect.arrayContaining(['running', 'completed']),
      violations: [],
    })
  },
)

it.runIf(isBrowserAvailable)(
  'does all that it can on such a page, the panel and the admin API included',
  async () => {
    const opened = await openPage('strict-page.ts', { policy: policy! })
    expect(await opened.call('useEverything', undefined)).toEqual({
      code: 500,
      found: 1,
      status: 200,
      views: expect.arrayContaining([
        'Overview',
        expect.stringMatching(/^Pipelines/),
        expect.stringMatching(/^Faults/),
      ]),
    })

    // One violation is reported in order, so earlier ones would have been reported.
    expect(await opened.call('makeCodeOfText', undefined)).toBe('EvalError')
    const violations = async () =>
      ((await opened.call('whatWasSeen', undefined)) as { violations: string[] }).violations
    await expect.poll(violations).not.toEqual([])
    expect(await violations()).toEqual([expect.stringMatching(/ (?:eval|trusted-types-sink)$/)])
  },
)
