// Servers that conform to the API specification raise no finding. Each case is a whole run.
import { expect, it, onTestFinished } from 'vitest'
import { checkTarget } from '../../../contract-tests/runner/check-target.ts'
import { answering } from '../../../contract-tests/targets/answering.ts'
import { builtIn, createTarget, expressTarget, mswTarget } from '../../../contract-tests/targets/built-in.ts'
import {
  deviations,
  failedRules,
  sequencesOnly,
  skipped,
} from '../../../contract-tests/tests/check-mutant.ts'
import { isUnknown, refusal } from '../../mutants/mutant.ts'
import { type Start, serveMutant } from '../../mutants/serve-mutant.ts'

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

it('finds nothing on a server that checks API keys and knows no path of sessions', async () => {
  const withoutSessions: Start = () => async (request, forward) => {
    const reply = await forward()
    const isOfUser = request.operation === 'createSession' && isUnknown(reply)
    return isOfUser ? refusal('No such path.', 405, 'no_such_path') : reply
  }
  const { email: _, password: __, ...withKey } = builtIn
  const target = serveMutant(answering(createTarget({ auth: 'key' })), withoutSessions)
  const result = await checkTarget({ ...withKey, target, only: ['authentication/*'] })

  expect(failedRules(result)).toEqual([])
})
