import { expect, it } from 'vitest'
import { rules } from '../contract-tests/rules/index.ts'
import { checkTarget } from '../contract-tests/runner/check-target.ts'
import type { Incoming } from '../contract-tests/runner/transports/transport.ts'
import { builtIn } from '../contract-tests/targets/built-in.ts'
import { isBrowserAtHand, openPage } from './support/browser.ts'

it.runIf(isBrowserAtHand)(
  'finds that every rule holds for the understudy behind a service worker in Chromium',
  { timeout: 240_000 },
  async () => {
    const page = await openPage('verified-page.ts')
    try {
      await page.call('startTarget', undefined)
      const target = { answer: (request: unknown) => page.call('answer', request) as Promise<Incoming> }
      // The sequences that are always told, and a few that are drawn: a page takes some milliseconds for each request.
      const result = await checkTarget({ ...builtIn, target, sequences: 4, timeout: 60_000 })

      expect(
        result.findings.flatMap(({ rule, verdict }) =>
          verdict.kind === 'passed' ? [] : [`${rule.id}: ${JSON.stringify(verdict)}`],
        ),
      ).toEqual([])
      expect(result.findings.length).toBe(rules.length)
      expect(result.leftBehind).toEqual([])
    } finally {
      await page.close()
    }
  },
)
