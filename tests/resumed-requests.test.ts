import { expect, it } from 'vitest'
import { insideOf } from '../src/engine/worlds/world.ts'
import { createUnderstudy } from '../src/index.ts'

const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ pipeline: { name: 'mine', type: 'python' } })
const next = { pipelines: [{ name: 'next' }] }

it('writes where a world has begun anew while what was due came about', async () => {
  let now = Date.UTC(2026, 0, 1)
  const hourly = {
    pipeline_uuid: 'busy',
    schedule_type: 'time',
    schedule_interval: '@hourly',
    status: 'active',
  }
  const understudy = createUnderstudy({
    fixture: { pipelines: [{ name: 'busy' }], pipeline_schedules: Array(10).fill(hourly) },
    clock: { now: () => now },
  })
  now += 28 * 86_400_000
  const asked = understudy.fetch('/api/pipelines', { method: 'POST', headers, body })
  const { turns } = insideOf(understudy).present()
  while (!turns.isTaken) await new Promise((resolve) => setImmediate(resolve))
  understudy.import(next)

  expect(await (await asked).json()).toHaveProperty('pipeline.uuid', 'mine')
  expect(understudy.model.pipelines.all().map(({ uuid }) => uuid)).toEqual(['mine', 'next'])
})

const withLogin = {
  seed: 7,
  auth: 'login',
  fixture: {
    ...next,
    api_keys: ['k'],
    users: [{ id: 1, username: 'mira', email: 'mira@example.com', password: 'p' }],
    oauth_access_tokens: [{ token: 'laptop', user_id: 1, expires: '2030-01-01 00:00:00' }],
  },
} as const

it('writes where a world has begun anew while a credential was checked', async () => {
  const understudy = createUnderstudy(withLogin)
  const raw = await createUnderstudy(withLogin).rawToken('laptop')
  const asked = understudy.dispatch({
    method: 'POST',
    url: '/api/pipelines?api_key=k',
    headers: { ...headers, cookie: `oauth_token=${raw}` },
    body,
  })
  understudy.import({ ...withLogin.fixture, pipelines: [{ name: 'other' }] })

  expect(JSON.parse((await asked)!.body as string)).toHaveProperty('pipeline.uuid', 'mine')
  expect(understudy.model.pipelines.all().map(({ uuid }) => uuid)).toEqual(['mine', 'other'])
})

it('checks a credential once more where a world has begun anew meanwhile', async () => {
  const understudy = createUnderstudy(withLogin)
  const raw = await createUnderstudy(withLogin).rawToken('laptop')
  const asked = understudy.dispatch({
    method: 'GET',
    url: '/api/pipelines?api_key=k',
    headers: { cookie: `oauth_token=${raw}` },
  })
  understudy.import({ ...withLogin.fixture, oauth_access_tokens: [] })

  expect(JSON.parse((await asked)!.body as string)).toHaveProperty('error.type', 'invalid_oauth_token')
})

it('gives birth to a world from what worlds begin with once the credential was checked', async () => {
  const understudy = createUnderstudy(withLogin)
  const raw = await createUnderstudy(withLogin).rawToken('laptop')
  const asked = understudy.dispatch({
    method: 'GET',
    url: '/api/pipelines?api_key=k~born',
    headers: { cookie: `oauth_token=${raw}` },
  })
  understudy.import({ ...withLogin.fixture, pipelines: [{ name: 'other' }] }, { asStart: true })

  expect(JSON.parse((await asked)!.body as string)).toHaveProperty('pipelines.0.uuid', 'other')
  expect(understudy.world('born').model.pipelines.all()).toHaveLength(1)
})
