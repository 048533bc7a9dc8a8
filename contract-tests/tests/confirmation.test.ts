import { expect, it as itInParts } from 'vitest'
import { allMutants } from '../../lab/mutants/draw.ts'
import { serveMutant } from '../../lab/mutants/serve-mutant.ts'
import { firstOf, thoroughly, wholly } from '../../tests/support/depth.ts'
import { breakServer } from '../mutants/define-mutant.ts'
import { checkTarget } from '../runner/check-target.ts'
import { isObject } from '../runner/is-object.ts'
import type { Answering } from '../runner/transports/transport.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { failedRules } from './check-mutant.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

const goodTarget = () => answering(createTarget({ auth: 'login' }))
const quickly = { ...builtIn, sequences: 0, shrink: false }

function wrongTarget(name: string): Answering {
  const mutant = allMutants.find((each) => each.name === name)
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`)
  return serveMutant(goodTarget(), mutant.start)
}

it.each([
  ['the session is under another key', 'record-under-plural/createSession.reply/always', 'create-session/accepted'],
  ['the session shows no token', 'session-token-otherwise/createSession.token-null/always', 'create-session/accepted'],
  ['the token of the session lets nobody in', 'session-token-otherwise/createSession.token-decoded/always', 'authentication/raw-token-cookie'],
  ['the decoded token is refused and the raw one taken', 'raw-token-as-decoded/listPipelines.token/always', 'authentication/decoded-token-header'],
  ['nothing wraps the list of pipelines', 'list-unwrapped/listPipelines.reply/always', 'list-pipelines/envelope'],
])('verifies a target of this API where %s', async (_, name, rule) => {
  expect(failedRules(await checkTarget({ ...quickly, target: wrongTarget(name), bail: true }))).toContain(rule)
}) // biome-ignore format: one target a line

it('reports rules as blocked where a session has no token', async () => {
  const target = wrongTarget('session-token-otherwise/createSession.token-null/always')
  const { findings } = await checkTarget({ ...quickly, target })
  const { verdict } = findings.find(({ rule }) => rule.id === 'create-backfill/values')!

  expect(verdict).toMatchObject({
    kind: 'blocked',
    missing: 'The new session has no key `token`, so no further request can be authenticated.',
  })
})

it('reports a deviation as flaky that a second run of the sequence does not show', async () => {
  let creations = 0
  const target = breakServer(goodTarget(), {
    reply: ({ body }, { method, path }) =>
      method === 'POST' && path === '/api/pipelines' && ++creations === 2 ? { status: 502, body } : undefined,
  })
  const result = await checkTarget({ ...quickly, target, scenarios: ['pipelines'] })

  expect(failedRules(result)).toEqual([])
  expect(result.flaky.toSorted()).toEqual(['create-pipeline/status-200'])
})

itThoroughly('reports a violated invariant as flaky that a second run does not show', async () => {
  let updates = 0
  const target = breakServer(goodTarget(), {
    reply: ({ body }, { method, path }) =>
      method === 'PUT' &&
      path.includes('/backfills/') &&
      isObject(body) &&
      'backfill' in body &&
      ++updates === 3
        ? { status: 502, body }
        : undefined,
  })
  const result = await checkTarget({
    ...quickly,
    target,
    scenarios: ['sequences'],
    sequences: 1,
    concurrency: 1,
  })

  expect(failedRules(result)).toEqual([])
  expect(result.flaky).toEqual(['update-backfill/status-200'])
})

it('stops when a target no longer answers', async () => {
  let requests = 0
  const good = goodTarget()
  const target: Answering = {
    answer: (request) => (++requests > 60 ? new Promise<never>(() => undefined) : good.answer(request)),
  }
  const { findings } = await checkTarget({ ...quickly, target, timeout: 100 })
  const missing = findings.flatMap(({ verdict }) =>
    verdict.kind === 'blocked' && verdict.cause === 'failure' ? [verdict.missing] : [],
  )

  // The request that timed out, the list of pipelines, and one of the deletion.
  expect(requests).toBeLessThan(80)
  expect(missing).toContainEqual(
    expect.stringMatching(/^GET \/api\/pipelines: no answer within 100 ms\. .* no more were sent\.$/),
  )
})

it('reports rules as blocked where ids exceed the safe integers', async () => {
  const good = goodTarget()
  const target: Answering = {
    async answer(request) {
      const reply = await good.answer(request)
      return {
        ...reply,
        text: reply.text.replace(/"backfill":\{"id":\d+/, '"backfill":{"id":9007199254740993'),
      }
    },
  }
  const { findings } = await checkTarget({ ...quickly, target, scenarios: ['backfills'] })
  const { verdict } = findings.find(({ rule }) => rule.id === 'create-backfill/values')!

  expect(verdict).toMatchObject({ kind: 'blocked', cause: 'failure' })
  expect(verdict.kind === 'blocked' && verdict.missing).toMatch(/id is beyond 9007199254740991/)
})

itInParts.for(
  firstOf(1, [
    ['update-lost-while-overlapping/updateBackfill.record/while-another-is-answered', 'update-backfill/read-back'],
    ['same-id-while-overlapping/createBackfill.id/while-another-is-answered', 'create-backfill/values'],
    ['log-kinds-swapped/listLogs.block_run_logs/while-another-is-answered', 'list-logs/paging'],
    ['offset-one-less/listLogs._offset/after-an-error', 'list-logs/paging'],
    ['key-refused-in-body/updateBackfill.api-key/always', 'update-backfill/credentials'],
    ['priority-from-one/createBlock.priority/always', 'create-block/read-back'],
  ]),
)('detects a defect that only sequences provoke: %s', async ([name = '', rule = '']) => {
  const target = wrongTarget(name)

  const selection = { only: [rule], sequences: 1, bail: true, confirm: true }
  expect(failedRules(await checkTarget({ ...quickly, ...selection, target }))).toEqual([rule])
}) // biome-ignore format: one defect a line
