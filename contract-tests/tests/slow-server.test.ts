import { expect, it } from 'vitest'
import { brokenRules, judgeBroken } from './judge-broken.ts'

// In a file of its own: it waits most of its time, beside the files of the other worker.
it('raises nothing about a server that is fifty milliseconds slower', async () => {
  const judgement = await judgeBroken({}, { delay: 50, concurrency: 8 })

  expect(brokenRules(judgement)).toEqual([])
}, 120_000)
