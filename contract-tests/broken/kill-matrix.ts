import { createUnderstudy } from '../../src/index.ts'
import { type Judgement, judge } from '../judge.ts'
import { builtIn, toListener } from '../targets/built-in.ts'
import { targetFixture } from '../targets/fixture.ts'
import { type BrokenServer, breakServer } from './define-broken.ts'

/** Judges a wrong server made of a fresh understudy. */
export function judgeBroken(server: Omit<BrokenServer, 'breaks' | 'name'>, delay = 0): Promise<Judgement> {
  const understudy = createUnderstudy({ fixture: targetFixture, clock: 'system', auth: 'login' })
  const wrong = breakServer({ fetch: (request) => understudy.fetch(request) }, server)
  const target = toListener(async (request) => {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    return wrong.fetch(request)
  })
  return judge({ ...builtIn, target })
}

/** The ids of the rules a judgement calls broken. */
export function brokenRules({ findings }: Judgement): string[] {
  return findings.filter(({ verdict }) => verdict.kind === 'broken').map(({ rule }) => rule.id)
}
