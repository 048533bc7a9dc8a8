import { expect, it } from 'vitest'
import { mageAi0979 } from '../../src/profiles/index.ts'
import { plantLies } from './plant-lies.ts'
import { lies } from './planted-lies.ts'
import { mockTraffic, realTraffic } from './recorded-traffic.ts'

it('finds more than 80 % of the lies that only other replies contradict', { timeout: 300_000 }, async () => {
  const { planted, places, missed } = await plantLies(lies, [
    { name: 'mock', exchanges: await mockTraffic(), profile: undefined },
    { name: 'mock with profile', exchanges: await mockTraffic({ profile: mageAi0979 }), profile: mageAi0979 },
    { name: 'real server', exchanges: await realTraffic('login'), profile: mageAi0979 },
  ])

  expect(lies.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([])
  expect(planted.size).toBeGreaterThanOrEqual(60)
  expect(missed.length, missed.join('\n')).toBeLessThan(places * 0.1)
})
