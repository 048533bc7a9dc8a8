import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { progressLine } from '../contract-tests/reports/progress-line.ts'
import { createProgressLine } from '../src/cli/verify-progress.ts'

afterEach(() => void vi.useRealTimers())

const scenario = { scenario: 'blocks', index: 2, of: 9, requests: 150, milliseconds: 3_000 }

it.each([
  [{ scenario: 'preflight', index: 0, of: 0, requests: 2, milliseconds: 40 }, 'preflight; 2 requests'],
  [scenario, '3/9 blocks; 150 requests, 50 a second'],
  [
    {
      ...{ scenario: 'sequences', index: 6, of: 9, requests: 900, milliseconds: 10_000, left: 75_000 },
      sequence: { ended: 12, of: 5_012, doing: 'update backfill' },
    },
    '7/9 sequences: 12 of 5012 done, update backfill; 900 requests, 90 a second; about 1 min 15 s left',
  ],
  [
    {
      ...{ scenario: 'sequences', index: 6, of: 9, requests: 900, milliseconds: 10_000, left: 7_500_000 },
      sequence: { ended: 12, of: undefined, doing: 'delete block' },
    },
    '7/9 sequences: 12 done, delete block; 900 requests, 90 a second; about 2 h 5 min left',
  ],
])('shows the scenario, the speed and the remaining time: %j', (progress, line) => {
  expect(progressLine(progress)).toBe(line)
})

/** Returns the screen after a progress that is reported every 50 ms. */
function shown(milliseconds: number, screen: { isTTY?: boolean; columns?: number }): string[] {
  vi.useFakeTimers({ toFake: ['performance'] })
  const written: string[] = []
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), screen)
  stderr.on('data', (text: string) => written.push(text))
  const line = createProgressLine({ ...process, stderr }, progressLine)
  for (let passed = 0; passed < milliseconds; passed += 50) {
    vi.advanceTimersByTime(50)
    line.show(scenario)
  }
  line.hide()
  return written
}

it('rewrites one line on a terminal, cut where it would wrap, and takes it away', () => {
  expect(shown(250, { isTTY: true, columns: 12 })).toEqual([
    '\r\u001b[K3/9 blocks;',
    '\r\u001b[K3/9 blocks;',
    '\r\u001b[K',
  ])
})

it('adds a line every ten seconds where there is no terminal', () => {
  expect(shown(25_000, {})).toEqual([
    '[understudy] 3/9 blocks; 150 requests, 50 a second\n',
    '[understudy] 3/9 blocks; 150 requests, 50 a second\n',
  ])
})
