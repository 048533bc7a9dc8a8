import { expect, it } from 'vitest'
import { judge } from '../judge/judge.ts'
import { breakServer } from '../mutants/define-mutant.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { deviations, skipped } from './judge-broken.ts'

it('finds that every rule holds for an understudy that is asked without a socket', async () => {
  const understudy = createTarget({ auth: 'login' })
  const judgement = await judge({ ...builtIn, target: understudy })

  expect(deviations(judgement)).toEqual([])
  expect(skipped(judgement)).toEqual([])
})

it('says of a target without a socket that it does not answer', async () => {
  const silent = { fetch: () => new Promise<Response>(() => {}) }

  await expect(judge({ target: silent, timeout: 20 })).rejects.toThrow('no answer within 20 ms')
})

it('stops where it is told to, and deletes what it has made', async () => {
  const understudy = createTarget()
  const controller = new AbortController()
  let requests = 0
  const target = {
    fetch(request: Request) {
      requests++
      if (request.method === 'POST' && request.url.endsWith('/backfills')) controller.abort()
      return understudy.fetch(request)
    },
  }
  const judgement = await judge({ ...builtIn, target, signal: controller.signal })

  expect(judgement.leftBehind).toEqual([])
  expect(judgement.requests).toBe(requests)
  expect(understudy.model.pipelines.count()).toBe(1)
  expect(judgement.findings.find(({ rule }) => rule.id === 'backfill-delete/again')?.verdict).toEqual({
    kind: 'not reached',
    missing: 'The judge was told to stop.',
    cause: 'failure',
  })
})

it('stops at the first rule that is broken where that is enough, and deletes what it has made', async () => {
  const understudy = createTarget({ auth: 'login' })
  const wrong = breakServer(answering(understudy), {
    reply: ({ body }, { method, path }) =>
      method === 'POST' && path.endsWith('/blocks') ? { status: 201, body } : undefined,
  })
  const { findings, leftBehind, requests } = await judge({ ...builtIn, target: wrong, bail: true })
  const broken = findings.filter(({ verdict }) => verdict.kind === 'broken')

  expect(broken.map(({ rule }) => rule.id)).toEqual(['create-block/status-200'])
  expect(requests).toBeLessThan(200)
  expect(leftBehind).toEqual([])
  expect(understudy.model.pipelines.count()).toBe(1)
})
