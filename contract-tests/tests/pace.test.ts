import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { firstOf, thoroughly, wholly } from '../../tests/support/depth.ts'
import { scriptedSequences } from '../model-based/scripted-sequences.ts'
import { toFaultyVariant } from '../mutants/faulty-variants.ts'
import { whyIncomplete } from '../reports/report.ts'
import { reportNames } from '../reports/report-names.ts'
import { checkTarget } from '../runner/check-target.ts'
import { CleanupLog, readCleanupLog } from '../runner/cleanup-log.ts'
import type { Progress } from '../runner/options.ts'
import { Pace, readRetryAfter } from '../runner/pace.ts'
import { SentRequests } from '../runner/sent-requests.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget, toListener } from '../targets/built-in.ts'
import { failedRules } from './check-mutant.ts'
import { it as itInParts } from './it.ts'
import { runVerify } from './run-verify.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

/** A target that answers as it should, unless `fail` has answered; it counts requests. */
function targetThat(
  fail: (count: number, request: IncomingMessage, response: ServerResponse) => boolean,
): RequestListener {
  const app = createApp(createTarget())
  let count = 0
  return (request, response) => {
    if (!fail(++count, request, response)) app(request, response)
  }
}

const limited = { error: { code: 400, message: 'Slow down.', type: 'rate_limit_exceeded' }, status: 200 }

const limits = [
  [
    'an error in the envelope',
    (response: ServerResponse) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(limited)),
  ],
  [
    'HTTP 429',
    (response: ServerResponse) => response.writeHead(429, { 'retry-after': '0' }).end('slow down'),
  ],
] as const

itInParts.concurrent.for(firstOf(1, limits))(
  'repeats what a target refuses by %s because of its rate, and finds no violation',
  async ([_, refuse], { listen }) => {
    const target = targetThat((count, request, response) => {
      if (count % 17 !== 0) return false
      request.resume()
      refuse(response)
      return true
    })
    const url = await listen(target)
    const { code, out } = await runVerify([url, '--use-conventions', '--only', 'pipeline-create/*'])

    expect(out).toMatch(/The target limited the rate of requests \d+ times\./)
    expect(code).toBe(0)
  },
)

/** Sends requests one after the other to a target that refuses some, by a clock that runs as they wait. */
async function sendPaced(delay: number, refuses: (now: number) => boolean) {
  let now = 0
  const pace = new Pace(delay, { now: () => now, wait: async (milliseconds) => (now += milliseconds) })
  for (let count = 0; count < 300; count++)
    for (let attempt = 0; ; attempt++) {
      await pace.waitForSlot()
      now++
      if (refuses(now)) pace.refused(attempt, undefined)
      else {
        pace.answered()
        break
      }
    }
  return { refused: pace.slowed, milliseconds: now }
}

it('adapts to the rate that a target allows, instead of repeating requests', async () => {
  let [tokens, last] = [5, 0]
  const { refused } = await sendPaced(0, (now) => {
    tokens = Math.min(5, tokens + (now - last) / 10)
    last = now
    if (tokens < 1) return true
    tokens--
    return false
  })

  expect(refused).toBeGreaterThan(0)
  expect(refused / 300).toBeLessThan(0.2)
})

it('does not slow down for a target that refuses each seventeenth request', async () => {
  let count = 0
  const { refused, milliseconds } = await sendPaced(0, () => ++count % 17 === 0)

  expect(refused).toBeGreaterThan(10)
  expect(milliseconds / 300).toBeLessThan(20)
})

const pleas = [
  // Nothing is waited for: a busy machine may take its time for the others.
  [
    'for an hour',
    20_000,
    { 'retry-after': '3600' },
    /: the target asks to be left alone for 3600\.0 s\. It had/,
  ],
  [
    'again and again',
    // As much as there may be without one try more.
    480,
    {},
    /: the target still asks for patience after [\d.]+ s\. It had answered that before/,
  ],
] as const

itInParts.concurrent.for(firstOf(1, pleas))(
  'reports a target that asks it to wait %s, and stops',
  async ([_, timeout, headers, why]) => {
    const understudy = createTarget()
    let count = 0
    const target = {
      async fetch(request: Request) {
        return ++count <= 8 ? understudy.fetch(request) : new Response('', { status: 429, headers })
      },
    }
    const result = await checkTarget({ ...builtIn, target, timeout })

    expect(whyIncomplete(result)[0]).toMatch(why)
    // Each request that is given up has cost seconds: a target that is silent otherwise is asked no more.
    expect(count).toBeLessThan(40)
    expect(failedRules(result)).toEqual([])
  },
)

it.each([
  ['2', 2_000],
  ['0', 0],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  ['soon', undefined],
  [undefined, undefined],
])('reads how long to wait from Retry-After: %s', (text, expected) => {
  expect(readRetryAfter(text)).toBe(expected)
})

it('waits the delay between two requests of a run', async () => {
  const understudy = createTarget()
  const times: number[] = []
  const fetch = (request: Request) => {
    times.push(performance.now())
    return understudy.fetch(request)
  }
  await checkTarget({ ...builtIn, target: { fetch }, delay: 12, readOnly: true, scenarios: [] })

  expect(times.length).toBeGreaterThan(3)
  // A busy machine may be late with any of them; timers round to whole milliseconds.
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(11 * (times.length - 1) - 12)
})

it('waits the delay between any two requests', async () => {
  const { milliseconds } = await sendPaced(12, () => false)

  expect(milliseconds).toBe(299 * 12 + 1)
})

it.concurrent('reports its progress: the scenario, the number of sequences and the remaining time', async () => {
  const all: Progress[] = []
  await checkTarget({
    ...builtIn,
    scenarios: ['sequences', 'logs'],
    target: answering(createTarget({ auth: 'login' })),
    sequences: 2,
    onProgress: (progress) => all.push(progress),
  })
  const sequences = all.filter(({ scenario }) => scenario === 'sequences')
  const last = sequences.at(-1)!
  const ofGroup = scriptedSequences(1).filter(({ group }) => group === 'sequences')

  expect(new Set(all.map(({ scenario }) => scenario))).toEqual(new Set(['preflight', 'sequences', 'logs']))
  expect([last.index, last.of, last.sequence?.of]).toEqual([1, 2, ofGroup.length + 2])
  expect(sequences.some(({ left = 0 }) => left > 0)).toBe(true)
  expect(sequences.some(({ sequence }) => sequence!.doing === 'update backfill')).toBe(true)
})

it.concurrent('compacts the cleanup log', async ({ folder }) => {
  const file = join(await folder(), 'run.cleanupLog')
  const header = { run: 'one', target: 'http://x', prefix: 'verifyrunone', pid: 1, started: '1' }
  const cleanupLog = new CleanupLog(header, file)
  cleanupLog.created('verifyrunone_home')
  for (let number = 1; number <= 4_000; number++) {
    cleanupLog.created(`verifyrunone_${number}`)
    cleanupLog.gone(`verifyrunone_${number}`)
  }
  cleanupLog.created('verifyrunone_7')
  for (const uuid of ['', '..', '\ud800']) cleanupLog.created(uuid)

  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(2_500)
  expect(readCleanupLog(file).pipelines).toEqual(['verifyrunone_home', 'verifyrunone_7'])
})

it('stores only the latest requests', () => {
  const sent = new SentRequests()
  for (let count = 1; count <= 40_000; count++)
    sent.add({ method: 'GET', path: `/${count}`, credentials: {}, requestBody: undefined })

  expect(sent.stored.length).toBeLessThan(16_001)
  expect(sent.stored.at(-1)?.path).toBe('/40000')
})

it.concurrent.for([
  ['--json', (out: string) => expect(JSON.parse(out).totals.failed).toBe(0)],
  ['--quiet', (out: string) => expect(out).toMatch(/^PASSED: .*\n\d+ rules: .*\n\d+ requests in .*\n$/)],
] as const)('prints no progress with %s', async ([flag, check], { listen }) => {
  const url = await listen(targetThat(() => false))
  const { code, out, err } = await runVerify([url, '--use-conventions', '--only', 'pipeline-create/*', flag])

  check(out)
  expect([code, err]).toEqual([0, ''])
})

const isUpdated = (body: unknown): body is { backfill: object } =>
  typeof body === 'object' && body !== null && 'backfill' in body

itThoroughly.concurrent(
  'shows flaky rules and the choices of the target in every report',
  async ({ folder, listen }) => {
    const path = await folder()
    let updates = 0
    const faultyVariant = toFaultyVariant({
      name: 'once-only',
      breaks: 'update-backfill/values',
      reply: ({ body }, { method, path: requestPath }) =>
        method === 'PUT' && requestPath.includes('/backfills/') && isUpdated(body) && ++updates === 3
          ? { body: { backfill: { ...body.backfill, name: 'once only' } } }
          : undefined,
    })
    const { fetch } = createTarget({ faultyVariant })
    const url = await listen(toListener(fetch))
    const reports = reportNames.flatMap((name) => ['--report', `${name}=${join(path, name)}`])
    const only = ['--only', 'update-backfill/*']
    const { out, code } = await runVerify([
  url, '--use-conventions', '--verbose', '--concurrency', '1', '--sequences', '1', ...only, ...reports,
]) // biome-ignore format: one command

    expect(code).toBe(0)
    for (const text of [out, ...reportNames.map((name) => readFileSync(join(path, name), 'utf8'))]) {
      expect(text).toMatch(/flaky/i)
      expect(text).toContain('once only')
      expect(text).toContain('block-language')
    }
    expect(out).toContain('Repeat with --seed 1 --sequences 1')
  },
)
