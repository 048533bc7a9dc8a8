import { expect, it } from 'vitest'
import { judge } from '../contract-tests/judge/judge.ts'
import type { Incoming } from '../contract-tests/judge/transports/transport.ts'
import { rules } from '../contract-tests/rules/index.ts'
import { builtIn } from '../contract-tests/targets/built-in.ts'
import { isBrowserAtHand, openPage } from './support/browser.ts'

it.runIf(isBrowserAtHand)(
  'finds that every rule holds for the understudy behind a service worker in Chromium',
  { timeout: 240_000 },
  async () => {
    const page = await openPage('judged-page.ts')
    try {
      await page.call('startTarget', undefined)
      const target = { answer: (request: unknown) => page.call('answer', request) as Promise<Incoming> }
      // The stories that are always told, and a few that are drawn: a page takes some milliseconds for each request.
      const judgement = await judge({ ...builtIn, target, stories: 4, timeout: 60_000 })

      expect(
        judgement.findings.flatMap(({ rule, verdict }) =>
          verdict.kind === 'holds' ? [] : [`${rule.id}: ${JSON.stringify(verdict)}`],
        ),
      ).toEqual([])
      expect(judgement.findings.length).toBe(rules.length)
      expect(judgement.leftBehind).toEqual([])
    } finally {
      await page.close()
    }
  },
)
