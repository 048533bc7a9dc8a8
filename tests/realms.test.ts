import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { createUnderstudy, type Fixture } from '../src/index.ts'

const fixture = {
  api_keys: ['let-me-in'],
  users: [{ email: 'mira@example.com', password: 'lantern' }],
}
const signIn = {
  method: 'POST',
  url: '/api/sessions',
  headers: { 'x-api-key': 'let-me-in' },
  body: JSON.stringify({ session: { email: 'mira@example.com', password: 'lantern' } }),
}

afterEach(() => {
  vi.unstubAllGlobals()
})

it('waits for promises that are not of the global class, which zone.js and polyfills replace', async () => {
  const understudy = createUnderstudy({ auth: 'login', fixture })
  vi.stubGlobal('Promise', class extends Promise<unknown> {})
  const reply = await understudy.dispatch(signIn)
  const { session } = JSON.parse(reply!.body) as { session: { token: string } }
  const headers = { 'x-api-key': 'let-me-in', authorization: `Bearer ${session.token}` }
  const listed = await understudy.dispatch({ method: 'GET', url: '/api/pipelines', headers })

  expect(listed!.body).toBe('{"pipelines":[],"metadata":{"count":0,"next":false}}')
})

it('takes a date and a fixture of another realm', () => {
  const foreign = runInNewContext(`({
    time: new Date('2026-05-01T00:00:00Z'),
    fixture: { pipelines: [{ name: 'daily sales' }], clock: '2026-03-01T09:00:00Z' },
  })`) as { time: Date; fixture: Fixture }
  const understudy = createUnderstudy({ fixture: foreign.fixture })
  understudy.clock.freeze(foreign.time)

  expect(understudy.model.pipelines.all().map(({ uuid }) => uuid)).toEqual(['daily_sales'])
  expect(understudy.clock.now()).toBe(1_777_593_600_000)
})

it('takes a request of a polyfill', async () => {
  const understudy = createUnderstudy()
  const polyfilled = {
    url: 'http://localhost/api/pipelines',
    method: 'POST',
    headers: new Map([['content-type', 'application/json']]),
    arrayBuffer: async () => new TextEncoder().encode('{"pipeline":{"name":"sales","type":"python"}}').buffer,
  }
  const reply = await understudy.fetch(polyfilled as unknown as Request)

  expect(await reply.json()).toMatchObject({ pipeline: { uuid: 'sales' } })
})
