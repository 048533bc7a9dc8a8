import express from 'express'
import { expect, it as itInParts } from 'vitest'
import { adminRoutes, createAdmin } from '../src/admin/index.ts'
import { createUnderstudy, type UnderstudyOptions } from '../src/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { type ServeOptions, serve } from '../src/server/serve.ts'
import { sendOverHttp } from './support/adapters.ts'
import type { Sent } from './support/api.ts'
import { company } from './support/company.ts'
import { everyNth, wholly } from './support/depth.ts'
import { serveMock } from './support/serve-mock.ts'
import { listen } from './support/temporary.ts'

const it = wholly(itInParts)
const base = '/__understudy__/api'
const json = { 'content-type': 'application/json' }

/** Serves a mock, and returns a function that sends requests to its admin API as they are written. */
async function start(options: ServeOptions = {}, understudyOptions: UnderstudyOptions = {}) {
  const { port, ...served } = await serveMock(createUnderstudy(understudyOptions), options)
  const send = ({ method = 'GET', path = '/health', headers = {}, body }: Partial<Sent> = {}) =>
    sendOverHttp(port, { method, path: `${base}${path}`, headers, ...(body !== undefined && { body }) })
  return { ...served, port, send }
}

/** Sends a request without a transport, so that it can come from any address. */
function sendFrom(remoteAddress: string | undefined, headers: Readonly<Record<string, string>>, access = {}) {
  return createAdmin(createUnderstudy(), access).answer({
    method: 'GET',
    path: `${base}/health`,
    query: new URLSearchParams(),
    headers,
    remoteAddress,
    body: undefined,
  })
}

const streams = adminRoutes.filter(({ reply }) => reply.type === 'text/event-stream')

it.each(streams.map(({ path }) => path))('refuses one follower of %s too many', async (path) => {
  const { status, headers, body } = await createAdmin(createUnderstudy()).answer({
    method: 'GET',
    path: base + path.replace(':world', 'main'),
    query: new URLSearchParams(),
    headers: { host: 'localhost' },
    remoteAddress: '127.0.0.1',
    body: undefined,
    isFull: true,
  })

  expect(headers['content-type']).toBe('application/problem+json')
  expect(JSON.parse(body as string)).toEqual({
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: '1000 clients follow streams already. Close those that you no longer need.',
    code: 'TOO_MANY_STREAMS',
  })
  expect(status).toBe(503)
})

it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('answers a client at %s', async (address) => {
  expect((await sendFrom(address, { host: 'localhost:6789' })).status).toBe(200)
})

it.each(['192.168.0.7', '::ffff:10.0.0.1', '2001:db8::1', '127.evil', '::ffff:127.evil', undefined])(
  'rejects a client at %s',
  async (address) => {
    const reply = await sendFrom(address, { host: 'localhost:6789' })

    expect(reply.status).toBe(403)
    expect(JSON.parse(reply.body as string)).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail:
        'The admin API answers this machine only. Start the server with --admin-token to use the admin API from elsewhere.',
      code: 'FORBIDDEN',
    })
  },
)

it.each([
  ...['localhost', 'LOCALHOST:80', 'localhost.:6789', 'app.localhost:1', '127.0.0.1', '127.1.2.3:6789'],
  ...['[::1]:6789', '[::1]', '10.0.0.1:6789'],
])('answers under the host name %s', async (host) => {
  expect((await sendFrom('127.0.0.1', { host }, { host: '10.0.0.1' })).status).toBe(200)
})

it('answers under the configured address in IPv6', async () => {
  expect((await sendFrom('127.0.0.1', { host: '[fe80::1]:6789' }, { host: 'fe80::1' })).status).toBe(200)
})

it.each<Readonly<Record<string, string>>>([
  // A page may have had these names resolved to this machine.
  ...['evil.example', 'evil.example:6789', 'localhost.evil.example', 'evillocalhost'].map((host) => ({
    host,
  })),
  ...['127.0.0.1.evil.example', '127.evil.example', 'evil.example#localhost'].map((host) => ({ host })),
  ...['evil@localhost', '[::2]:6789', 'localhost:6789:1', '10.0.0.2', ''].map((host) => ({ host })),
  {},
  ...['x-forwarded-for', 'forwarded', 'x-real-ip'].map((name) => ({
    host: 'localhost',
    [name]: 'for=203.0.113.9',
  })),
])('rejects a request from this machine with the headers %j', async (headers) => {
  expect((await sendFrom('127.0.0.1', headers, { host: '10.0.0.1' })).status).toBe(403)
})

it.each([
  'https://evil.example',
  'http://localhost:1',
  'null',
  'file://',
  'chrome-extension://abc',
  'http://127.0.0.1',
])(
  'refuses a page of %s, with a token too, and lets no page of another origin read anything',
  async (origin) => {
    const open = await start()
    const guarded = await start({ admin: { token: 'let-me-in' } })
    const replies = [
      await open.send({ headers: { origin } }),
      await open.send({ method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } }),
      await open.send({ method: 'POST', path: '/worlds/main/reset', headers: { origin } }),
      await guarded.send({ headers: { origin, authorization: 'Bearer let-me-in' } }),
    ]

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(
      replies
        .flatMap(({ headers }) => Object.keys(headers))
        .filter((name) => name.startsWith('access-control')),
    ).toEqual([])
  },
)

it.each([
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, 403],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 200],
  [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, 200],
  [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, 200],
])('lets a page of another site link to it but not embed it: %j is %i', async (headers, status) => {
  const { send } = await start()
  const reply = await send({ headers })

  expect(reply.status).toBe(status)
  expect(reply.headers['cross-origin-resource-policy']).toBe('same-origin')
})

it('answers a page that it serves itself', async () => {
  const { send, port } = await start()

  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
    const reply = await send({ headers: { host, origin: `http://${host}` } })
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

it.each([
  ['https://localhost:6789', { host: 'localhost:6789' }, false, 403],
  ['http://localhost:6789', { host: 'localhost:6789' }, true, 403],
  ['https://localhost:6789', { host: 'localhost:6789' }, true, 200],
  ['http://localhost', { host: 'localhost:80' }, false, 200],
  ['https://localhost', { host: 'localhost:80' }, false, 403],
  ['https://localhost', { host: 'localhost:443' }, true, 200],
  ['http://LOCALHOST:6789', { host: 'localhost:6789' }, false, 200],
  ['http://localhost:6789', { host: 'localhost:6790' }, false, 403],
  ['https://localhost:6789', { host: 'localhost:6789', 'x-forwarded-proto': 'https' }, false, 200],
  ['http://localhost:6789', { host: 'localhost:6789', 'x-forwarded-proto': 'https, http' }, false, 403],
])('compares scheme, host and port of the page %s with %j (encrypted: %s): %i', async (...row) => {
  const [origin, headers, isEncrypted, status] = row
  const reply = await createAdmin(createUnderstudy()).answer({
    method: 'GET',
    path: `${base}/health`,
    query: new URLSearchParams(),
    headers: { ...headers, origin },
    remoteAddress: '127.0.0.1',
    isEncrypted,
    body: undefined,
  })

  expect(reply.status).toBe(status)
})

it('accepts the token from any address and under any host name', async () => {
  const headers = { host: 'understudy.example.com', authorization: 'Bearer let-me-in' }

  expect((await sendFrom('203.0.113.9', headers, { token: 'let-me-in' })).status).toBe(200)
  expect(
    (await sendFrom(undefined, { ...headers, 'x-forwarded-for': '1.1.1.1' }, { token: 'let-me-in' })).status,
  ).toBe(200)
})

it.each([
  ['none', {}],
  ['a wrong one', { authorization: 'Bearer let-me-on' }],
  ['a shorter one', { authorization: 'Bearer let-me-i' }],
  ['a longer one', { authorization: 'Bearer let-me-inn' }],
  ['an empty one', { authorization: 'Bearer ' }],
  ['another scheme', { authorization: 'Basic let-me-in' }],
  ['a header of the API', { 'x-api-key': 'let-me-in' }],
])('requires the token with %s, even from the same machine', async (_, headers) => {
  const { send } = await start({ admin: { token: 'let-me-in' } })
  const reply = await send({ headers })

  expect(reply.status).toBe(401)
  expect(reply.headers['www-authenticate']).toBe('Bearer realm="understudy admin"')
  expect(reply.body).toEqual({
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    detail: 'The admin API needs its token: Authorization: Bearer <token>.',
    code: 'UNAUTHORIZED',
  })
})

it('is not opened by the credentials of the API, and its token does not open the API', async () => {
  const fixture = {
    api_keys: ['api-key'],
    users: [{ email: 'a@example.com', password: 'p' }],
    oauth_access_tokens: [{ token: 'oauth', expires: '+1d', user_id: 1 }],
  }
  const { send, url } = await start({ admin: { token: 'let-me-in' } }, { fixture, auth: 'key' })
  const withKey = { 'x-api-key': 'api-key', authorization: 'Bearer oauth', 'oauth-token': 'oauth' }

  expect((await send({ headers: withKey })).status).toBe(401)
  expect((await send({ headers: { authorization: 'Bearer api-key' } })).status).toBe(401)
  const reply = await fetch(`${url}/api/pipelines`, { headers: { authorization: 'Bearer let-me-in' } })
  expect(await reply.json()).toMatchObject({ error: { code: 401, type: 'invalid_api_key' } })
})

it('refuses to start with an empty token', async () => {
  await expect(serve(createUnderstudy(), { port: 0, admin: { token: '' } })).rejects.toThrow(
    '[understudy] The admin token is empty.',
  )
})

it('does not read the body of an unauthorized request', async () => {
  const reply = await createAdmin(createUnderstudy()).answer({
    method: 'POST',
    path: `${base}/worlds/main/reset`,
    query: new URLSearchParams(),
    headers: { host: 'evil.example', ...json },
    remoteAddress: '127.0.0.1',
    body: () => Promise.reject(new Error('The body was read.')),
  })

  expect(reply.status).toBe(403)
})

it('does not exist if it is turned off', async () => {
  const { send } = await start({ admin: false })
  const reply = await send()

  expect(reply.status).toBe(404)
  expect(reply.body).toMatchObject({ title: 'Not found' })
})

it('is part of an Express application only on request, also below a mount path', async () => {
  const app = express()
  app.use('/off', createApp(createUnderstudy()))
  app.use('/on', createApp(createUnderstudy(), { admin: true }))
  app.use('/token', createApp(createUnderstudy(), { admin: { token: 'let-me-in' } }))
  const url = await listen(app)
  const statusOf = async (mount: string) => (await fetch(`${url}${mount}${base}/health`)).status

  expect([await statusOf('/off'), await statusOf('/on'), await statusOf('/token')]).toEqual([404, 200, 401])
})

it('answers only outside the paths of the API', async () => {
  const { url } = await start()

  expect((await fetch(`${url}/api${base}/health`)).status).toBe(200)
  expect(await (await fetch(`${url}/api${base}/health`)).json()).toMatchObject({ error: { code: 404 } })
})

it.each([
  ['application/x-www-form-urlencoded', 'a=1', 415],
  ['text/plain', '{"values":{}}', 415],
  ['multipart/form-data; boundary=x', '', 415],
  ['text/plain', '', 415],
  ['application/jsonx', '{}', 415],
  ['text/plain; application/json', '{}', 415],
  [undefined, '{}', 415],
  [undefined, undefined, 201],
])('answers the content type %s with the body %j by HTTP %i', async (type, body, status) => {
  const { send } = await start()
  const headers = type === undefined ? {} : { 'content-type': type }
  const reply = await send({
    method: 'POST',
    path: '/worlds/main/factories/pipeline',
    headers,
    ...(body !== undefined && { body }),
  })

  expect(reply.status).toBe(status)
  if (type !== undefined)
    expect(reply.body).toMatchObject({
      title: 'Unsupported Media Type',
      detail: `Content-Type: expected application/json; found ${JSON.stringify(type)}.`,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    })
})

it.each([
  ['malformed JSON', '{"values":', 400, 'The body is not JSON.'],
  ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, 'The body is not UTF-8.'],
  [
    'a body over 10 MB',
    `{"values":{"name":"${'x'.repeat(10_500_000)}"}}`,
    413,
    'The body is longer than 10 MB.',
  ],
  [
    'nesting without end',
    `{"values":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    400,
    'The body is nested deeper than 200 levels.',
  ],
])('refuses %s', async (_, body, status, detail) => {
  const { send } = await start()
  const reply = await send({ method: 'POST', path: '/worlds/main/faults', headers: json, body })

  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.body).toMatchObject({ status, detail })
})

it('has no key that reaches a prototype', async () => {
  const { send } = await start()
  const post = (path: string, body: string) => send({ method: 'POST', path, headers: json, body })
  const statuses = [
    await post('/worlds/main/factories/pipeline', '{"values":{"__proto__":{"polluted":1}}}'),
    await post('/worlds/main/records/pipelines', '{"uuid":"a","\\u005f_proto__":{"polluted":1}}'),
    await post('/worlds/main/records/pipelines', '{"uuid":"a","constructor":{"prototype":{"polluted":1}}}'),
    await post('/worlds/main/records/__proto__', '{}'),
    await post('/worlds/main/records/constructor', '{}'),
    await post('/worlds/main/factories/__proto__', '{}'),
    await post('/worlds/main/factories/constructor', '{}'),
    await send({ path: '/worlds/main/records/pipelines?__proto__=1' }),
    await send({ path: '/worlds/main/records/pipelines/__proto__' }),
    await send({ path: '/worlds/__proto__' }),
    await send({
      method: 'PATCH',
      path: '/worlds/main/assumptions',
      headers: json,
      body: '{"constructor":"x"}',
    }),
    await send({
      method: 'PUT',
      path: '/worlds/main/state',
      headers: json,
      body: '{"constructor":[{"prototype":{"polluted":1}}]}',
    }),
  ].map(({ status }) => status)

  expect(statuses).toEqual([400, 400, 422, 404, 404, 404, 404, 400, 404, 404, 422, 422])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

it('stores snapshots and worlds with names of prototype members', async () => {
  const { send } = await start()
  const snapshots = '/worlds/main/snapshots'

  expect((await send({ method: 'POST', path: `${snapshots}/constructor/restore` })).status).toBe(404)
  expect((await send({ method: 'PUT', path: `${snapshots}/__proto__` })).status).toBe(204)
  expect((await send({ method: 'POST', path: `${snapshots}/__proto__/restore` })).status).toBe(204)
  expect((await send({ path: snapshots })).body).toEqual({ snapshots: ['__proto__'] })
})

it('shows no stack trace in any problem', async () => {
  const { send } = await start()
  const replies = [
    await send({ path: '/nowhere' }),
    await send({ path: '/worlds/%E0%A4%A' }),
    await send({ method: 'PUT', path: '/worlds/main/state', headers: json, body: '{"pipelines":[7]}' }),
    await send({
      method: 'POST',
      path: '/worlds/main/clock/advance',
      headers: json,
      body: '{"duration":"soon"}',
    }),
  ]

  expect(replies.map(({ status }) => status)).toEqual([404, 400, 422, 422])
  for (const { text } of replies) expect(text).not.toMatch(/ {4}at |\.ts:|\.js:|node:/)
})

/** Hostile paths and bodies. */
const wrongSegments = [
  '__proto__', 'constructor', 'then', '-1', '1e9', '%00', '%2F',
  'a'.repeat(3_000),
  '😀',
  '*',
] // biome-ignore format: a list
const wrongBodies = [
  'null', '[]', '7', '"text"', '{}', '{"values":null}', '{"values":[null]}', '{"values":{"id":{}}}', '{"count":-1}',
  '{"traits":["__proto__"]}', '{"name":"__proto__"}', '{"name":""}', '{"name":"x","fixture":{"pipelines":{}}}',
  '{"pipelines":[null]}', '{"blocks":[{"upstream_blocks":[7]}]}', '{"custom":{"a":7}}', '{"next_ids":{"users":"x"}}',
  '{"clock":7}', '{"at":""}', '{"at":"99999-01-01"}', '{"duration":1e308}', '{"duration":null}', '{"speed":0}',
  '{"speed":-1}', '{"speed":1e308}', '{"target":{"id":"x"},"script":{}}', '{"target":{"pipeline_uuid":"__proto__"},"script":{"ends_as":7}}',
  '{"status":"x"}', '{"token":""}', '{"hang":true,"times":0}', '{"path":"/(","hang":true}', '{"record":{"__proto":1},"hang":true}',
  '{"record":{"constructor":1},"hang":true}', '{"latency":{"normal":{}}}', '{"list-count":[]}', '{"name":{"toString":1}}', '{"name":"\\ud800"}', '{"count":1e9}', '{"a":1e999}', '{"run-lifecycle":-1}',
  '{"id":1.5}', '{"uuid":null}', '{"created_at":"yesterday"}', '{"pipeline_uuid":{"a":1}}', '{"user_id":[]}',
] // biome-ignore format: a list

itInParts('answers no request with HTTP 500', async () => {
  const understudy = createUnderstudy({ fixture: company })
  const admin = createAdmin(understudy)
  const plurals = [
    'pipelines',
    'blocks',
    'backfills',
    'users',
    'pipeline_runs',
    'oauth_access_tokens',
    'projects',
  ]
  const failed: string[] = []
  const send = async (method: string, path: string, body: string | undefined) => {
    const { status, body: text } = await admin.answer({
      method,
      path: `${base}${path}`,
      query: new URLSearchParams(),
      headers: { host: 'localhost', ...json },
      remoteAddress: '127.0.0.1',
      body,
    })
    if (status >= 500) failed.push(`${method} ${path.slice(0, 80)} ${body}: ${text}`)
  }
  for (const { method, path } of everyNth(3, adminRoutes)) {
    for (const segment of wrongSegments) {
      const all = path.replaceAll(/:\w+/g, segment)
      for (const each of [all, path.replace(':world', 'main').replaceAll(/:\w+/g, segment)]) {
        await send(method, each, method === 'GET' || method === 'DELETE' ? undefined : '{}')
      }
    }
    if (method === 'GET' || method === 'DELETE') continue
    for (const plural of path.includes(':plural') ? plurals : ['']) {
      const known = path
        .replace(':world', 'main')
        .replace(':plural', plural)
        .replace(':singular', 'backfill')
        .replace(/:(key|id)/, '1')
        .replace(':name', 'kept')
      for (const body of wrongBodies) await send(method, known, body)
    }
  }

  expect(failed).toEqual([])
})
