import { expect, it } from 'vitest'
import { onBody } from '../mutants/changes.ts'
import { breakServer } from '../mutants/define-mutant.ts'
import { checkTarget } from '../runner/check-target.ts'
import { isObject } from '../runner/is-object.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'

it('reports an in-process target that does not answer', async () => {
  const silent = { fetch: () => new Promise<Response>(() => {}) }

  await expect(checkTarget({ target: silent, timeout: 20 })).rejects.toThrow('no answer within 20 ms')
})

it('stops when the signal aborts, and deletes the records that it created', async () => {
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
  const result = await checkTarget({ ...builtIn, target, signal: controller.signal })

  expect(result.leftBehind.filter(({ kind }) => kind !== 'token')).toEqual([])
  expect(result.requests).toBe(requests)
  expect(understudy.model.pipelines.count()).toBe(1)
  expect(result.findings.find(({ rule }) => rule.id === 'delete-backfill/refuses')?.verdict).toEqual({
    kind: 'blocked',
    missing: 'The verifier was stopped.',
    cause: 'failure',
  })
})

it('stops at the first failed rule with `bail`, and deletes the records that it created', async () => {
  const understudy = createTarget({ auth: 'login' })
  const wrong = breakServer(answering(understudy), {
    reply: ({ body }, { method, path }) =>
      method === 'POST' && path.endsWith('/blocks') && isObject(body) && 'block' in body
        ? { status: 201, body }
        : undefined,
  })
  const { findings, leftBehind, requests } = await checkTarget({ ...builtIn, target: wrong, bail: true })
  const failed = findings.filter(({ verdict }) => verdict.kind === 'failed')

  expect(failed.map(({ rule }) => rule.id)).toEqual(['create-block/status-200'])
  expect(requests).toBeLessThan(200)
  expect(leftBehind.filter(({ kind }) => kind !== 'token')).toEqual([])
  expect(understudy.model.pipelines.count()).toBe(1)
})

it('ends a sequence with `bail` at the request that shows the failed rule', async () => {
  const wrong = breakServer(answering(createTarget({ auth: 'login' })), {
    reply: onBody('createPipeline', ({ pipeline }) => ({
      pipeline: { ...Object(pipeline), description: '' },
    })),
  })
  const run = (bail: boolean) =>
    checkTarget({
      ...builtIn,
      target: wrong,
      scenarios: ['pipelines'],
      only: ['create-pipeline/values'],
      bail,
    })

  expect((await run(true)).requests).toBeLessThan((await run(false)).requests / 3)
})
