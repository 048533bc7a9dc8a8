import { expect, it } from 'vitest'
import { createUnderstudy, type RequestInput } from '../src/index.ts'

const posted = { method: 'POST', url: '/api/pipelines' }
const pipeline = { name: 'sales', type: 'python' }

it.each<[string, Partial<RequestInput>]>([
  ['a text', { body: JSON.stringify({ pipeline }) }],
  ['bytes', { body: new TextEncoder().encode(JSON.stringify({ pipeline })) }],
  ['an object', { body: { pipeline } }],
  ['an object, by a method in lower case', { method: 'post', body: { pipeline } }],
])('dispatches a request whose body is %s', async (_, request) => {
  const understudy = createUnderstudy()
  const reply = await understudy.dispatch({ ...posted, ...request })

  expect(JSON.parse(reply!.body)).toMatchObject({ pipeline: { uuid: 'sales' } })
  expect(understudy.journal.entries()).toMatchObject([{ method: 'POST', request: { body: { pipeline } } }])
})

it.each<[string, RequestInput['headers']]>([
  ['an object', { 'X-API-Key': 'let-me-in' }],
  ['Headers', new Headers({ 'X-API-Key': 'let-me-in' })],
  ['a Map', new Map([['X-API-Key', 'let-me-in']])],
  ['pairs', [['X-API-Key', 'let-me-in']]],
])('reads headers of any letter case, given as %s', async (_, headers) => {
  const understudy = createUnderstudy({ auth: 'key', fixture: { api_keys: ['let-me-in'] } })
  const reply = await understudy.dispatch({ method: 'GET', url: '/api/pipelines', headers })

  expect(reply!.code).toBe(200)
})

it.each<[string, unknown]>([
  ['expected its method to be a text such as GET; found undefined.', undefined],
  ['expected its method to be a text such as GET; found undefined.', { url: '/api' }],
  [
    'expected its url to be a path such as /api/pipelines, or a whole URL; found undefined.',
    { method: 'GET' },
  ],
  [
    'expected its body to be a text, bytes, or an object to be written as JSON; found 7.',
    { ...posted, body: 7 },
  ],
  [
    'expected its body to be a text, bytes, or an object to be written as JSON; found [object FormData].',
    { ...posted, body: new FormData() },
  ],
  [
    'expected its body to be a text, bytes, or an object to be written as JSON; found [object Promise].',
    { ...posted, body: Promise.resolve('{}') },
  ],
  [
    'expected its headers to be an object of texts; found X-API-KEY: a.',
    { ...posted, headers: 'X-API-KEY: a' },
  ],
])('refuses a request: %s', (message, request) => {
  const understudy = createUnderstudy()

  expect(() => understudy.dispatch(request as RequestInput)).toThrow(`[understudy] A request: ${message}`)
})

it('fetches by a path, a URL or a request, in any world', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'sales' }] } })
  const world = understudy.world('alice')
  const inputs = [
    '/api/pipelines/sales',
    'http://any.example/api/pipelines/sales',
    new URL('http://a.test/api/pipelines/sales'),
    new Request('http://a.test/api/pipelines/sales'),
  ]
  const found = inputs.flatMap((input) => [understudy.fetch(input), world.fetch(input)])
  const bodies = await Promise.all(found.map(async (reply) => (await reply).json()))

  expect(bodies.map(({ pipeline: { uuid } }) => uuid)).toEqual(Array(8).fill('sales'))
})

it.each<[string, unknown, string]>([
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a number', 7, '7'],
  ['a request as `dispatch` takes it', { method: 'GET', url: '/api/pipelines' }, 'an object'],
  ['a URL that is none', { href: 7 }, 'an object'],
  ['an answer in place of a request', new Response(), 'an object'],
])('rejects a fetch of %s in any world', async (_, input, found) => {
  const understudy = createUnderstudy()
  const message = `[understudy] A fetch: expected a path such as /api/pipelines, a URL or a Request; found ${found}.`

  for (const { fetch } of [understudy, understudy.world('alice')]) {
    await expect(fetch(input as string)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', message })
  }
  expect(understudy.journal.entries()).toEqual([])
})

it('works as the fetch handler of a runtime that passes connection details', async () => {
  const { fetch: serve } = createUnderstudy()
  const connection = { remoteAddr: { hostname: '127.0.0.1', port: 1 }, completed: Promise.resolve() }
  const headers = { 'content-type': 'application/json' }
  const request = new Request('http://localhost/api/pipelines', {
    method: 'POST',
    headers,
    body: JSON.stringify({ pipeline }),
  })
  const reply = await serve(request, connection as RequestInit)

  expect(await reply.json()).toMatchObject({ pipeline: { uuid: 'sales' } })
})
