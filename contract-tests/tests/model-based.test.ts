import { setImmediate } from 'node:timers/promises'
import { expect, it as itInParts } from 'vitest'
import { createUnderstudy } from '../../src/index.ts'
import { thoroughly, wholly } from '../../tests/support/depth.ts'
import { breakServer } from '../mutants/define-mutant.ts'
import { checkTarget } from '../runner/check-target.ts'
import type { CheckOptions } from '../runner/options.ts'
import type { Answering } from '../runner/transports/transport.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { failedRules, sequencesOnly } from './check-mutant.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)
/** The reply to a write while another one is in progress. */
const conflict = {
  status: 200,
  contentType: 'application/json',
  text: '{"error":{"code":409,"message":"Another update is in progress.","type":"conflict"},"status":200}',
}

itThoroughly('sends the same requests for the same seed, and others for another seed', async () => {
  const pathsOf = async (seed: number) => {
    const paths: string[] = []
    const understudy = createTarget({ auth: 'login', clock: { now: () => Date.UTC(2026, 5, 1) } })
    const good = answering(understudy)
    const target: Answering = {
      answer(request) {
        paths.push(`${request.method} ${request.path.split('?')[0]}`)
        return good.answer(request)
      },
    }
    await checkTarget({ ...sequencesOnly, target, seed, prefix: 'seeded', sequences: 1, concurrency: 1 })
    return paths
  }

  const seven = await pathsOf(7)

  expect(await pathsOf(7)).toEqual(seven)
  expect(await pathsOf(8)).not.toEqual(seven)
})

itThoroughly('sends at most 2,000 requests, by default and with all permissions', async () => {
  const { apiKey, email, password } = builtIn
  const runChecks = async (options: Omit<CheckOptions, 'target'>) =>
    (await checkTarget({ ...options, target: answering(createTarget({ auth: 'login' })) })).requests

  expect(await runChecks({ apiKey, email, password })).toBeLessThanOrEqual(2_000)
  expect(await runChecks(builtIn)).toBeLessThanOrEqual(2_000)
})

it('reports a list of backfills below a pipeline that has those of others', async () => {
  const target = breakServer(answering(createTarget({ auth: 'login' })), {
    request: ({ method, path, search }) =>
      method === 'GET' && /^\/api\/pipelines\/[^/]+\/backfills$/.test(path)
        ? { path: `/api/backfills${search}` }
        : undefined,
  })
  const only = ['conventions/nested-list']
  const scenarios = ['backfills']

  expect(failedRules(await checkTarget({ ...builtIn, target, scenarios, only }))).toEqual(only)
})

it('reports a conflict between updates of different records', async () => {
  const good = answering(createTarget({ auth: 'login' }))
  let updates = 0
  const target: Answering = {
    async answer(request) {
      if (request.method !== 'PUT') return good.answer(request)
      const isAlone = ++updates === 1
      await setImmediate()
      updates--
      return isAlone ? good.answer(request) : conflict
    },
  }
  const result = await checkTarget({
    ...builtIn,
    target,
    scenarios: ['backfills'],
    concurrency: 1,
    shrink: false,
  })

  expect(failedRules(result)).toContain('update-backfill/accepted')
})

it('reports a minimized sequence and the expected value', async () => {
  const understudy = createTarget({ auth: 'login' })
  const target = breakServer(answering(understudy), {
    reply: ({ body }, { method, path }) =>
      method === 'PUT' &&
      path.includes('/backfills/') &&
      JSON.stringify(body).includes('"interval_type":"month"')
        ? { body: JSON.parse(JSON.stringify(body).replace('"month"', '"week"')) }
        : undefined,
  })
  const only = ['update-backfill/values']
  const scenarios = ['backfills']
  const { findings } = await checkTarget({
    ...builtIn,
    target,
    scenarios,
    only,
    sequences: 1,
    concurrency: 1,
  })
  const { verdict } = findings.find(({ rule }) => rule.id === only[0])!

  expect(verdict.kind === 'failed' && verdict.evidence.expected).toBe('"interval_type": "month"')
  expect(verdict.kind === 'failed' && verdict.evidence.received).toBe('"interval_type": "week"')
  expect(verdict.kind === 'failed' && verdict.evidence.steps!.length).toBeLessThan(20)
})

it('names the missing precondition of a blocked rule', async () => {
  const only = ['list-logs/filter']
  const target = answering(createUnderstudy())
  const { findings } = await checkTarget({ target, scenarios: ['sequences'], sequences: 1, only })

  expect(findings.find(({ rule }) => rule.id === only[0])!.verdict).toEqual({
    kind: 'blocked',
    missing:
      'No triggered run left log files of two blocks; trigger a pipeline with two blocks on the target.',
    cause: 'need',
  })
})
