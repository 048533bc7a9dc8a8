import { setupServer } from 'msw/node'
import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

// Mock Service Worker 3 knows `onUnhandledFrame`, its forerunner `onUnhandledRequest`.
const whenUnhandled = { [process.env.MSW_MAJOR === '2' ? 'onUnhandledRequest' : 'onUnhandledFrame']: 'error' }
const understudy = createUnderstudy({
  auth: 'login',
  fixture: {
    api_keys: ['let-me-in'],
    users: [{ email: 'mira@example.com', password: 'lantern' }],
    pipelines: [{ name: 'sales' }],
  },
})
const server = setupServer(...createHandlers(understudy, { baseUrl: 'https://api.example.com' }))

beforeAll(() => server.listen(whenUnhandled))
afterEach(() => understudy.reset())
afterAll(() => server.close())

const headers = { 'X-API-KEY': 'let-me-in', 'Content-Type': 'application/json' }
const send = (method, path, body, more = {}) =>
  fetch(`https://api.example.com/api/${path}`, {
    method,
    headers: { ...headers, ...more },
    ...(body && { body: JSON.stringify(body) }),
  })

it('signs in, and answers whoever has the token, in a header or a cookie', async () => {
  const credentials = { session: { email: 'mira@example.com', password: 'lantern' } }
  const { session } = await (await send('POST', 'sessions', credentials)).json()
  const listed = await (
    await send('GET', 'pipelines', undefined, { Authorization: `Bearer ${session.token}` })
  ).json()

  expect(listed.pipelines.map(({ uuid }) => uuid)).toEqual(['sales'])
})

it('delays, cuts and drops replies by faults', async () => {
  understudy.faults.add({ operation: 'readPipeline', times: 1, drop: true })
  await expect(send('GET', 'pipelines/sales')).rejects.toThrow(TypeError)

  understudy.faults.add({ operation: 'readPipeline', times: 1, slowBody: '30ms', status: 503, body: 'later' })
  const slow = await send('GET', 'pipelines/sales')
  expect([slow.status, await slow.text()]).toEqual([503, 'later'])
})

it('fails a request that no handler answers', async () => {
  await expect(fetch('https://elsewhere.example.com/')).rejects.toThrow()
})
