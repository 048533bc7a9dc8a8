import { expect, it } from 'vitest'
import { createUnderstudy } from '../src/index.ts'

const next = { pipelines: [{ name: 'next' }] }

/** Creates a pipeline. */
const creation = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ pipeline: { name: 'mine', type: 'python' } }),
}

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

const raw = await createUnderstudy(withLogin).rawToken('laptop')

/** Sends a request with a raw token that is new to the mock, whose check is asynchronous. */
function sendWithRawToken(request: { method: string; headers?: object; body?: string }, apiKey = 'k') {
  const understudy = createUnderstudy(withLogin)
  const pending = understudy.dispatch({
    ...request,
    url: `/api/pipelines?api_key=${apiKey}`,
    headers: { ...request.headers, cookie: `oauth_token=${raw}` },
  })
  return { understudy, answer: async () => JSON.parse((await pending)!.body as string) }
}

it('writes to the imported state where the import came while a credential was checked', async () => {
  const { understudy, answer } = sendWithRawToken(creation)
  understudy.import({ ...withLogin.fixture, pipelines: [{ name: 'other' }] })

  expect(await answer()).toHaveProperty('pipeline.uuid', 'mine')
  expect(understudy.model.pipelines.all().map(({ uuid }) => uuid)).toEqual(['mine', 'other'])
})

it('checks a credential again where an import came meanwhile', async () => {
  const { understudy, answer } = sendWithRawToken({ method: 'GET' })
  understudy.import({ ...withLogin.fixture, oauth_access_tokens: [] })

  expect(await answer()).toHaveProperty('error.type', 'invalid_oauth_token')
})

it('creates a world from the imported start where the import came while a credential was checked', async () => {
  const { understudy, answer } = sendWithRawToken({ method: 'GET' }, 'k~born')
  understudy.import({ ...withLogin.fixture, pipelines: [{ name: 'other' }] }, { asStart: true })

  expect(await answer()).toHaveProperty('pipelines.0.uuid', 'other')
  expect(understudy.world('born').model.pipelines.all()).toHaveLength(1)
})

it('finds no resource that an import removed while a credential was checked', async () => {
  const fixture = { ...withLogin.fixture, custom: { teams: [{ id: 1, name: 'ops' }] } }
  const understudy = createUnderstudy({ ...withLogin, fixture })
  const headers = { cookie: `oauth_token=${raw}` }
  const pending = understudy.dispatch({ method: 'GET', url: '/api/teams?api_key=k', headers })
  understudy.import(withLogin.fixture)

  expect(JSON.parse((await pending)!.body)).toHaveProperty('error.code', 404)
})
