import { expect, it } from 'vitest'
import { createUnderstudy, type UnderstudyOptions } from '../../src/index.ts'
import type { FaultyServer } from '../mutants/define-mutant.ts'
import { toFaultyVariant } from '../mutants/faulty-variants.ts'

const fixture = { pipelines: [{ name: 'a' }], api_keys: ['k'] }
const createFaulty = (bug: Pick<FaultyServer, 'request' | 'reply'>, options: UnderstudyOptions = {}) =>
  createUnderstudy({
    fixture,
    faultyVariant: toFaultyVariant({ name: 'faulty', breaks: 'pipeline-fields/name', ...bug }),
    ...options,
  })
const createRenaming = (options: UnderstudyOptions = {}) =>
  createFaulty(
    {
      reply: ({ body }) => ({ body: JSON.parse(JSON.stringify(body).replace('"name":"a"', '"name":"b"')) }),
    },
    options,
  )

it('reports the world, the operation and the faults of a changed reply', async () => {
  const understudy = createRenaming({ auth: 'key' })
  understudy.world('alice').faults.add({ latency: 1, operation: 'readPipeline' })
  const headers = { 'x-api-key': 'k~alice', origin: 'http://app.example' }

  expect(await understudy.dispatch({ method: 'GET', url: '/api/pipelines/a', headers })).toMatchObject({
    body: expect.stringContaining('"name":"b"'),
    code: 200,
    world: 'alice',
    operation: { id: 'readPipeline' },
    faults: ['fault-1'],
    delivery: { delay: 1 },
    headers: { 'access-control-allow-origin': 'http://app.example', 'content-type': 'application/json' },
  })
})

it('applies faults through fetch, and leaves their replies unchanged', async () => {
  const understudy = createRenaming()
  const readPipeline = () => understudy.fetch('/api/pipelines/a')

  expect(await (await readPipeline()).text()).toContain('"name":"b"')
  understudy.faults.add({ badGateway: true, times: 1 })
  expect((await readPipeline()).headers.get('content-type')).toBe('text/html; charset=utf-8')
  understudy.faults.add({ drop: true, times: 1 })
  await expect(readPipeline()).rejects.toThrow('closed the connection')
  expect((await understudy.fetch('/other')).status).toBe(404)
})

it('reports the code of an error that the variant makes up', async () => {
  const understudy = createFaulty({
    reply: () => ({ body: { error: { code: 403, message: 'no', type: 'no' }, status: 200 } }),
  })

  expect(await understudy.dispatch({ method: 'GET', url: '/api/pipelines' })).toMatchObject({
    code: 403,
    status: 200,
  })
})

it('rejects a body that is too long', async () => {
  const reply = await createRenaming().fetch('/api/pipelines', {
    method: 'POST',
    body: ' '.repeat(10 * 1024 * 1024 + 1),
  })

  expect(await reply.json()).toMatchObject({ error: { code: 413 } })
})

it('answers with the HTTP status of the variant, unless a fault answers', async () => {
  const understudy = createFaulty({ reply: () => ({ status: 201 }) })
  const readPipeline = () => understudy.dispatch({ method: 'GET', url: '/api/pipelines/a' })

  expect(await readPipeline()).toMatchObject({ status: 201, code: 201 })
  understudy.faults.add({ badGateway: true, times: 1 })
  expect(await readPipeline()).toMatchObject({ status: 502, code: 502 })
  understudy.faults.add({ drop: true, times: 1 })
  expect(await readPipeline()).toMatchObject({ code: 0, delivery: { end: 'drop' } })
})

it.each([
  ['OPTIONS', '/api/pipelines/a', {}],
  ['GET', 'http://[/api/x', {}],
  ['GET', '/api/pipelines/%2e%2e/backfills/999', {}],
  ['GET', '/api/pipelines/a?', { 'x-api-key': undefined }],
  ['GET', '/api/pipelines/none', { 'x-api-key': ['k', 'l'] }],
])(
  'answers %s %s like the correct server where the variant changes nothing',
  async (method, url, headers) => {
    const correct = createUnderstudy({ fixture, auth: 'key' })

    expect(await createRenaming({ auth: 'key' }).dispatch({ method, url, headers })).toEqual(
      await correct.dispatch({ method, url, headers }),
    )
  },
)

it('changes a request before it is answered, and shows the reply what the client sent', async () => {
  const understudy = createFaulty({
    request: ({ method }) =>
      method === 'POST' ? { body: { pipeline: { name: 'changed', type: 'python' } } } : undefined,
    reply: ({ body }, { method, body: sent }) =>
      method === 'POST' ? { body: { ...Object(body), sent } } : undefined,
  })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ pipeline: { name: 'mine', type: 'python' } })
  const reply = await understudy.fetch('/api/pipelines', { method: 'POST', headers, body })

  expect(await reply.json()).toMatchObject({
    pipeline: { name: 'changed' },
    sent: { pipeline: { name: 'mine' } },
  })
  expect(understudy.model.pipelines.all().map(({ name }) => name)).toEqual(['a', 'changed'])
})

it('creates no world for a request without credentials', async () => {
  const understudy = createRenaming({ auth: 'key' })
  await understudy.dispatch({
    method: 'GET',
    url: '/api/pipelines',
    headers: { 'x-understudy-world': 'bob' },
  })

  expect(understudy.worlds.list().map(({ name }) => name)).toEqual(['main'])
})
