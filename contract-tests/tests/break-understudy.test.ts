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

it('answers with the HTTP status that a wrong server gives, but where a fault has answered', async () => {
  const understudy = createUnderstudy({ fixture })
  const wrong = breakUnderstudy(understudy, {
    name: 'created',
    breaks: 'pipeline-fields/name',
    reply: () => ({ status: 201 }),
  })
  const ask = () => wrong.dispatch({ method: 'GET', url: '/api/pipelines/a' })

  expect(await ask()).toMatchObject({ status: 201, code: 201 })
  understudy.faults.add({ badGateway: true, times: 1 })
  expect(await ask()).toMatchObject({ status: 502, code: 502 })
  understudy.faults.add({ drop: true, times: 1 })
  expect(await ask()).toMatchObject({ code: 0, delivery: { end: 'drop' } })
})

it.each([
  ['OPTIONS', '/api/pipelines/a', {}],
  ['GET', 'http://[/api/x', {}],
  ['GET', '/api/pipelines/%2e%2e/backfills/999', {}],
  ['GET', '/api/pipelines/a?', { 'x-api-key': undefined }],
  ['GET', '/api/pipelines/none', { 'x-api-key': ['k', 'l'] }],
])('answers %s %s as the good one, where the wrong one changes nothing', async (method, url, headers) => {
  const understudy = createUnderstudy({ fixture, auth: 'key' })

  expect(await unlike(understudy).dispatch({ method, url, headers })).toEqual(
    await understudy.dispatch({ method, url, headers }),
  )
})

it('says of what is no request what is expected, as the good one does', () => {
  expect(() => unlike().dispatch({} as never)).toThrow(
    'A request: expected its method to be a text such as GET',
  )
})

it('answers 404 without a content type where a wrong server asks for what is not of the API', async () => {
  const away = breakUnderstudy(createUnderstudy({ fixture }), {
    name: 'away',
    breaks: 'pipeline-fields/name',
    request: () => ({ path: '/elsewhere' }),
    reply: () => ({ body: 'Nobody.' }),
  })

  expect(await away.dispatch({ method: 'GET', url: '/api/pipelines' })).toMatchObject({
    status: 404,
    headers: expect.not.objectContaining({ 'content-type': expect.anything() }),
    body: 'Nobody.',
  })
  expect((await away.fetch('/api/pipelines')).status).toBe(404)
})
