import { expect, it } from 'vitest'
import { createUnderstudy } from '../../src/index.ts'
import { breakUnderstudy } from '../broken/break-understudy.ts'

const fixture = { pipelines: [{ name: 'a' }], api_keys: ['k'] }
const unlike = (understudy = createUnderstudy({ fixture })) =>
  breakUnderstudy(understudy, {
    name: 'another-name',
    breaks: 'pipeline-fields/name',
    reply: ({ body }) => ({ body: JSON.parse(JSON.stringify(body).replace('"name":"a"', '"name":"b"')) }),
  })

it('says of a wrong reply which world, operation and faults it came from', async () => {
  const understudy = createUnderstudy({ fixture, auth: 'key' })
  const wrong = unlike(understudy)
  understudy.world('alice').faults.add({ latency: 1, operation: 'readPipeline' })
  const headers = { 'x-api-key': 'k~alice', origin: 'http://app.example' }

  expect(await wrong.dispatch({ method: 'GET', url: '/api/pipelines/a', headers })).toMatchObject({
    body: expect.stringContaining('"name":"b"'),
    code: 200,
    world: 'alice',
    operation: { id: 'readPipeline' },
    faults: ['fault-1'],
    delivery: { delay: 1 },
    headers: { 'access-control-allow-origin': 'http://app.example', 'content-type': 'application/json' },
  })
})

it('delivers late, cut or not at all through fetch what faults ask for, and what it does not change as it is', async () => {
  const understudy = createUnderstudy({ fixture })
  const wrong = unlike(understudy)
  const ask = () => wrong.fetch('/api/pipelines/a')

  expect(await (await ask()).text()).toContain('"name":"b"')
  understudy.faults.add({ badGateway: true, times: 1 })
  expect((await ask()).headers.get('content-type')).toBe('text/html; charset=utf-8')
  understudy.faults.add({ drop: true, times: 1 })
  await expect(ask()).rejects.toThrow('closed the connection')
  expect((await wrong.fetch('/other')).status).toBe(404)
})

it('says of an error that a wrong server makes up which one it is', async () => {
  const wrong = breakUnderstudy(createUnderstudy({ fixture }), {
    name: 'refuses',
    breaks: 'pipeline-fields/name',
    reply: () => ({ body: { error: { code: 403, message: 'no', type: 'no' }, status: 200 } }),
  })

  expect(await wrong.dispatch({ method: 'GET', url: '/api/pipelines' })).toMatchObject({
    code: 403,
    status: 200,
  })
})

it('refuses a body that is too long, as the good one does', async () => {
  const wrong = unlike()
  const reply = await wrong.fetch('/api/pipelines', {
    method: 'POST',
    body: ' '.repeat(10 * 1024 * 1024 + 1),
  })

  expect(await reply.json()).toMatchObject({ error: { code: 413 } })
})
