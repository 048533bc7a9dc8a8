// Servers that conform to the API specification raise no finding. Each case is a whole run.
import { expect, it, onTestFinished } from 'vitest'
import { breakServer } from '../../../contract-tests/mutants/define-mutant.ts'
import { checkTarget } from '../../../contract-tests/runner/check-target.ts'
import type { Answering } from '../../../contract-tests/runner/transports/transport.ts'
import { answering } from '../../../contract-tests/targets/answering.ts'
import {
  builtIn,
  createTarget,
  expressTarget,
  memoryTarget,
  mswTarget,
} from '../../../contract-tests/targets/built-in.ts'
import { targetFixture } from '../../../contract-tests/targets/fixture.ts'
import {
  checkMutant,
  deviations,
  failedRules,
  sequencesOnly,
  skipped,
} from '../../../contract-tests/tests/check-mutant.ts'
import { createUnderstudy } from '../../../src/index.ts'

it('finds that every rule holds for the understudy in memory', async () => {
  const result = await checkTarget({ ...builtIn, target: memoryTarget('login') })

  expect(deviations(result)).toEqual([])
  expect(skipped(result)).toEqual([])
})

it('finds that every rule holds for the understudy behind Express where users must log in', async () => {
  const result = await checkTarget({ ...builtIn, target: expressTarget('login') })

  expect(deviations(result)).toEqual([])
  expect(skipped(result)).toEqual([])
  expect(result.leftBehind.filter(({ kind }) => kind !== 'token')).toEqual([])
})

it('finds that every rule holds for the understudy behind MSW', async () => {
  const { url, close } = mswTarget('login')
  onTestFinished(close)
  const result = await checkTarget({ ...builtIn, target: url })

  expect(deviations(result)).toEqual([])
  expect(skipped(result)).toEqual([])
})

it('skips nothing but the checks of credentials behind Express where nothing is checked', async () => {
  const result = await checkTarget({ ...builtIn, target: expressTarget('open') })

  expect(deviations(result)).toEqual([])
  expect(skipped(result)).toEqual([
    'errors/http-200-credentials',
    'authentication/key-in-query',
    'authentication/key-in-body',
    'authentication/key-in-header',
    'authentication/key-needed',
    'authentication/wrong-key',
    'authentication/token-needed',
    'authentication/wrong-token',
    'create-pipeline/credentials',
    'list-pipelines/credentials',
    'read-pipeline/credentials',
    'create-block/credentials',
    'read-block/credentials',
    'delete-block/credentials',
    'list-backfills/credentials',
    'create-backfill/credentials',
    'update-backfill/credentials',
    'delete-backfill/credentials',
    'list-pipeline-schedules/credentials',
    'list-logs/credentials',
    'list-oauth-access-tokens/credentials',
  ])
})

it.concurrent('finds nothing about a server that is ten milliseconds slower', async () => {
  // As many sequences side by side as there may be: it waits for them together.
  const result = await checkMutant({}, { delay: 10, concurrency: 64 })

  expect(failedRules(result)).toEqual([])
})

it('finds nothing in forty sequences of another seed', async () => {
  const result = await checkTarget({
    ...sequencesOnly,
    target: answering(createTarget({ auth: 'login' })),
    sequences: 40,
    seed: 99,
  })

  expect(failedRules(result)).toEqual([])
  expect(result.flaky).toEqual([])
  expect(result.leftBehind.filter(({ kind }) => kind !== 'token')).toEqual([])
})

it.each([-365 * 86_400_000, 7 * 3_600_000])('raises nothing where the clock is %i ms away', async (away) => {
  const target = answering(createTarget({ auth: 'login', clock: { now: () => Date.now() + away } }))

  expect(failedRules(await checkTarget({ ...sequencesOnly, target, sequences: 2 }))).toEqual([])
})

it('raises nothing where lists are cut short without _limit, and say so', async () => {
  const understudy = createTarget({ auth: 'login' })
  const target = breakServer(answering(understudy), {
    request: ({ method, path, query }) =>
      method === 'GET' && path === '/api/backfills' && !query.has('_limit')
        ? { path: `${path}?${query}&_limit=3` }
        : undefined,
  })

  expect(failedRules(await checkTarget({ ...sequencesOnly, target, sequences: 2 }))).toEqual([])
})

it('raises nothing where others create records at the same time', async () => {
  const understudy = createTarget({ auth: 'login' })
  const good = answering(understudy)
  let requests = 0
  const target: Answering = {
    answer(request) {
      if (++requests % 3 === 0) understudy.factories.backfill.create({ pipeline_uuid: 'standing' })
      return good.answer(request)
    },
  }

  expect(failedRules(await checkTarget({ ...sequencesOnly, target, sequences: 2 }))).toEqual([])
})

it('waits for a target that says it is asked too fast', async () => {
  const understudy = createUnderstudy({ fixture: targetFixture, clock: 'system' })
  let requests = 0
  const target = breakServer(answering(understudy), {
    reply: () =>
      ++requests % 50 === 0
        ? { body: { error: { code: 429, message: 'Slow down.', type: 'rate_limited' }, status: 200 } }
        : undefined,
    request: ({ method }) =>
      method !== 'GET' && (requests + 1) % 50 === 0 ? { method: 'GET', path: '/api/pipelines' } : undefined,
  })

  expect(
    failedRules(await checkTarget({ ...builtIn, target, scenarios: ['pipelines', 'backfills'] })),
  ).toEqual([])
})
