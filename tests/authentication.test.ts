import { expect } from 'vitest'
import { type ApiReply, type open, openInMemory, pluckSorted, stateOf } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const key = { 'x-api-key': 'test-key' }
const inKeyMode = { fixture: company, auth: 'key' } as const
const inLoginMode = { fixture: company, auth: 'login' } as const
const errorOf = (reply: ApiReply) => [reply.error.code, reply.error.type]

/** The JSON inside a part of a JSON Web Token. */
function partOf(token: unknown, index: number): unknown {
  return JSON.parse(Buffer.from(String(token).split('.')[index]!, 'base64url').toString('utf8'))
}

async function signIn(api: Awaited<ReturnType<typeof open>>): Promise<{ raw: string; decoded: string }> {
  const session = { email: 'mira@example.com', password: 'lantern' }
  const raw = String((await api.post('/api/sessions', { session }, key)).record.token)
  return { raw, decoded: String((partOf(raw, 1) as { token: string }).token) }
}

it('takes the API key from query, header and body', async () => {
  const api = await openInMemory(inKeyMode)
  const pipeline = (name: string) => ({ name, type: 'python' })

  expect((await api.get('/api/pipelines?api_key=test-key')).body).toMatchObject({ metadata: { count: 2 } })
  expect((await api.get('/api/pipelines', { 'X-API-KEY': 'test-key' })).body).toMatchObject({
    metadata: { count: 2 },
  })
  expect(
    (await api.post('/api/pipelines', { api_key: 'test-key', pipeline: pipeline('a') })).body,
  ).toMatchObject({
    pipeline: { uuid: 'a' },
  })
  expect(
    (await api.post('/api/pipelines?api_key=test-key', { pipeline: pipeline('b') }, key)).body,
  ).toMatchObject({
    pipeline: { uuid: 'b' },
  })
})

it('rejects a missing and an invalid API key, and changes nothing', async () => {
  const api = await openInMemory(inKeyMode)
  const before = stateOf(api.understudy)
  const pipeline = { name: 'a', type: 'python' }
  const replies = [
    await api.get('/api/pipelines'),
    await api.get('/api/pipelines?api_key='),
    await api.get('/api/pipelines?api_key=TEST-KEY'),
    await api.get('/api/pipelines?API_KEY=test-key'),
    await api.get('/api/pipelines', { 'x-api-key': 'wrong' }),
    await api.post('/api/pipelines', { pipeline }),
    await api.post('/api/pipelines', { pipeline, api_key: 'wrong' }),
    await api.post('/api/pipelines', { pipeline, api_key: ['test-key'] }),
    await api.post('/api/pipelines', { pipeline: { ...pipeline, api_key: 'test-key' } }),
    await api.delete('/api/pipelines/archive'),
    await api.get('/api/backfills/1'),
    await api.post('/api/sessions', { session: { email: 'mira@example.com', password: 'lantern' } }),
  ]

  for (const reply of replies) {
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      error: { code: 401, message: expect.stringMatching(/api_key.*X-API-KEY/), type: 'invalid_api_key' },
      status: 200,
    })
  }
  expect(stateOf(api.understudy)).toEqual(before)
})

it('takes every key of the fixture, and none where there is none', async () => {
  const two = await openInMemory({ fixture: { api_keys: ['one', 'two'] }, auth: 'key' })
  const none = await openInMemory({ fixture: {}, auth: 'key' })

  expect((await two.get('/api/pipelines?api_key=one')).body).toHaveProperty('pipelines')
  expect((await two.get('/api/pipelines?api_key=two')).body).toHaveProperty('pipelines')
  expect(errorOf(await none.get('/api/pipelines?api_key=undefined'))).toEqual([401, 'invalid_api_key'])
})

it('takes the raw token by cookie, the decoded one by header, and both as Bearer', async () => {
  const api = await openInMemory(inLoginMode)
  const { raw, decoded } = await signIn(api)
  const presented = [
    { cookie: `oauth_token=${raw}` },
    { cookie: `theme=dark; oauth_token=${raw}; other=1` },
    { 'oauth-token': decoded },
    { 'OAUTH-TOKEN': 'mira-phone' },
    { authorization: `Bearer ${decoded}` },
    { authorization: `bearer ${raw}` },
    { authorization: `Bearer ${decoded}`, cookie: `oauth_token=${raw}` },
  ]

  for (const headers of presented) {
    const reply = await api.get('/api/oauth_access_tokens', { ...key, ...headers })
    expect(pluckSorted(reply.records, 'token')).toEqual([decoded, 'mira-laptop', 'mira-phone'].toSorted())
  }
})

it('distinguishes a missing, an unknown and an expired OAuth token', async () => {
  const api = await openInMemory(inLoginMode)
  const before = stateOf(api.understudy)
  const expiredRaw = await api.understudy.rawToken('mira-last-month')
  const tries: readonly (readonly [headers: Record<string, string>, code: number, type: string])[] = [
    [{}, 403, 'unauthorized_access'],
    [{ cookie: 'theme=dark' }, 403, 'unauthorized_access'],
    [{ authorization: 'Basic bWlyYTpsYW50ZXJu' }, 403, 'unauthorized_access'],
    [{ 'oauth-token': 'wrong' }, 401, 'invalid_oauth_token'],
    [{ 'oauth-token': 'MIRA-LAPTOP' }, 401, 'invalid_oauth_token'],
    [{ 'oauth-token': '__proto__' }, 401, 'invalid_oauth_token'],
    [{ authorization: 'Bearer wrong' }, 401, 'invalid_oauth_token'],
    [{ authorization: 'Bearer a.b.c' }, 401, 'invalid_oauth_token'],
    [{ cookie: 'oauth_token=wrong' }, 401, 'invalid_oauth_token'],
    [{ cookie: 'oauth_token=mira-laptop' }, 401, 'invalid_oauth_token'],
    [{ cookie: 'my_oauth_token=wrong' }, 403, 'unauthorized_access'],
    [{ 'oauth-token': 'mira-last-month' }, 401, 'expired_oauth_token'],
    [{ authorization: 'Bearer mira-last-month' }, 401, 'expired_oauth_token'],
    [{ cookie: `oauth_token=${expiredRaw}` }, 401, 'expired_oauth_token'],
  ]

  for (const [headers, code, type] of tries) {
    const reply = await api.delete('/api/pipelines/archive', { ...key, ...headers })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ error: { code, message: expect.any(String), type }, status: 200 })
  }
  expect(stateOf(api.understudy)).toEqual(before)
})

it('rejects a raw token with a foreign signature or a change', async () => {
  const api = await openInMemory(inLoginMode)
  const other = await openInMemory({ ...inLoginMode, seed: 2 })
  const { raw } = await signIn(api)
  const [header, payload, signature] = raw.split('.') as [string, string, string]
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forgeries = [
    (await signIn(other)).raw,
    `${header}.${encode({ token: 'mira-laptop', expires: 9_999_999_999 })}.${signature}`,
    `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${encode({ alg: 'none' })}.${encode({ token: 'mira-laptop', expires: 9_999_999_999 })}.`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature.split('').reverse().join('')}`,
    'x'.repeat(6_000),
  ]

  for (const forgery of forgeries) {
    const reply = await api.get('/api/pipelines', { ...key, cookie: `oauth_token=${forgery}` })
    expect(errorOf(reply)).toEqual([401, 'invalid_oauth_token'])
  }
})

it('notes of a raw token in the header for decoded ones where it belongs', async () => {
  const api = await openInMemory(inLoginMode)
  const { raw } = await signIn(api)
  await api.get('/api/pipelines', { ...key, 'oauth-token': raw })
  await api.get('/api/pipelines', { ...key, 'oauth-token': 'wrong' })

  expect(
    api.understudy.journal
      .entries({ operation: 'listPipelines' })
      .map(({ status, notes }) => [status, notes]),
  ).toEqual([
    [401, ['OAUTH-TOKEN takes a decoded token; this is a raw one.']],
    [401, []],
  ])
})

it('refuses a raw token of a token record that is gone', async () => {
  const api = await openInMemory(inLoginMode)
  const { raw, decoded } = await signIn(api)
  api.understudy.model.oauth_access_tokens.delete((q) => q.where({ token: decoded }))

  expect(errorOf(await api.get('/api/pipelines', { ...key, cookie: `oauth_token=${raw}` }))).toEqual([
    401,
    'invalid_oauth_token',
  ])
})

it('signs a raw token whose payload is token and expires in seconds', async ({ api }) => {
  const session = { email: 'mira@example.com', password: 'lantern' }
  const reply = await api.post('/api/sessions', { session })
  const raw = reply.record.token

  expect(partOf(raw, 0)).toMatchObject({ alg: 'HS256' })
  expect(partOf(raw, 1)).toEqual({ token: expect.stringMatching(/^[0-9a-f]{32}$/), expires: 1_774_947_600 })
  expect(reply.record.expires).toBe('2026-03-31 09:00:00.000000+00:00')
})

it('answers 401 to every token after signOut, and accepts a new one', async () => {
  const api = await openInMemory(inLoginMode)
  const send = async (raw: string) =>
    (await api.get('/api/pipelines', { ...key, cookie: `oauth_token=${raw}` })).body
  const { raw } = await signIn(api)
  expect(await send(raw)).not.toHaveProperty('error')
  await api.understudy.signOut()

  expect(await send(raw)).toMatchObject({ error: { code: 401 } })
  expect(await send((await signIn(api)).raw)).not.toHaveProperty('error')
})

it('takes no raw token as Bearer where the assumption is switched', async () => {
  const api = await openInMemory({ ...inLoginMode, assumptions: { bearer: 'decoded' } })
  const { raw, decoded } = await signIn(api)

  expect(errorOf(await api.get('/api/pipelines', { ...key, authorization: `Bearer ${raw}` }))).toEqual([
    401,
    'invalid_oauth_token',
  ])
  expect(
    (await api.get('/api/pipelines', { ...key, authorization: `Bearer ${decoded}` })).body,
  ).toHaveProperty('pipelines')
})

it('reports an invalid write as an error of the client when a raw token is new', async ({ api }) => {
  const headers = { cookie: `oauth_token=${await api.understudy.rawToken('mira-laptop')}` }
  const reply = await api.put('/api/backfills/1', { backfill: { pipeline_schedule_id: 999 } }, headers)

  expect(reply.body).toMatchObject({
    error: {
      code: 400,
      type: 'record_invalid',
      message: expect.stringContaining('backfill.pipeline_schedule_id'),
    },
  })
})
