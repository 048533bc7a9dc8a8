// Tests that need many sequences, time, or concurrent runs.
import { expect } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { exitCodeOf } from '../reports/report.ts'
import { checkTarget } from '../runner/check-target.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { failedRules } from './check-mutant.ts'
import { it } from './it.ts'
import { runVerify } from './run-verify.ts'

/** Options that run the generated sequences, and the few scripted ones of their group. */
const sequencesOnly = { ...builtIn, scenarios: ['sequences'] }

it.concurrent('generates sequences until the time is over, and reports how to repeat them', async () => {
  const names = async (options: object) => {
    const all: string[] = []
    const understudy = createTarget({ auth: 'login', clock: { now: () => Date.UTC(2026, 5, 1) } })
    const target = {
      async fetch(request: Request) {
        if (request.method === 'POST') all.push(await request.clone().text())
        return understudy.fetch(request)
      },
    }
    const { drawn } = await checkTarget({
      ...sequencesOnly,
      target,
      prefix: 'timed',
      concurrency: 1,
      ...options,
    })
    return { drawn, all }
  }
  const first = await names({ minutes: 0.02 })
  const again = await names(first.drawn)

  expect(first.drawn.sequences).toBeGreaterThan(0)
  expect(again.drawn).toEqual(first.drawn)
  expect(again.all).toEqual(first.all)
})

it.concurrent('deletes the records of each sequence when it ends', async () => {
  const understudy = createTarget()
  const before = understudy.model.pipelines.count()
  let most = 0
  const target = {
    fetch(request: Request) {
      most = Math.max(most, understudy.model.pipelines.count() - before)
      return understudy.fetch(request)
    },
  }
  const result = await checkTarget({ ...sequencesOnly, target, sequences: 40, concurrency: 2 })

  expect(failedRules(result)).toEqual([])
  expect(most).toBeLessThan(30)
  expect(understudy.model.pipelines.count()).toBe(before)
})

it.concurrent('reports only the rules of an unanswered request as blocked', async () => {
  const hang = async (often: number) => {
    const understudy = createTarget({ auth: 'login' })
    let count = 0
    const target = {
      async fetch(request: Request) {
        const isIt =
          request.method === 'PUT' && (await request.clone().text()).includes('"interval_type":"week"')
        return isIt && ++count <= often ? new Promise<Response>(() => {}) : understudy.fetch(request)
      },
    }
    return checkTarget({ ...sequencesOnly, target, sequences: 1, timeout: 300, concurrency: 1 })
  }
  const always = await hang(Number.POSITIVE_INFINITY)
  const once = await hang(1)
  const verdict = always.findings.find(({ rule }) => rule.id === 'update-backfill/status-200')?.verdict

  expect(verdict).toMatchObject({ kind: 'blocked', cause: 'failure' })
  expect(exitCodeOf({ ...always, strict: [], gone: [] })).toBe(2)
  expect(failedRules(once)).toEqual([])
  expect(
    once.findings.some(
      ({ verdict: { kind, ...rest } }) => kind === 'blocked' && 'cause' in rest && rest.cause === 'failure',
    ),
  ).toBe(false)
})

it.concurrent('has the same result in two concurrent runs, and leaves no record', async ({
  folder,
  listen,
}) => {
  const understudy = createTarget({ auth: 'login' })
  const url = await listen(createApp(understudy))
  const flags = ['--api-key', 'contract-key', '--email', 'judge@example.com', '--password', 'gavel-and-robe']
  const temporary = await folder()
  const runs = Array.from({ length: 2 }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 150))
    return runVerify([url, ...flags, '--use-conventions', '--sequences', '1'], { temporary })
  })
  const verdicts = (await Promise.all(runs)).map(
    ({ code, out }) => `${code} ${/\d+ passed, .* skipped/.exec(out)?.[0]}`,
  )

  expect(new Set(verdicts).size).toBe(1)
  expect(verdicts[0]).toMatch(/^0 \d+ passed, 0 failed/)
  expect(understudy.model.pipelines.count()).toBe(1)
  expect(understudy.model.backfills.count()).toBe(0)
})
