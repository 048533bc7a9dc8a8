import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy } from '../../src/index.ts'

const fixture = {
  api_keys: ['let-me-in'],
  users: [{ email: 'mira@example.com', password: 'lantern' }],
  pipelines: [{ name: 'daily sales' }],
}

/** Tests for runners that replace the classes of Node by those of a page. */
export function describePageEnvironment(): void {
  it('signs in, and is known by the token', async () => {
    const understudy = createUnderstudy({ auth: 'login', fixture })
    const server = setupServer(...createHandlers(understudy))
    server.listen({ onUnhandledRequest: 'error' })
    try {
      const api = 'http://localhost/api'
      const key = { 'X-API-KEY': 'let-me-in', 'Content-Type': 'application/json' }
      const body = JSON.stringify({ session: { email: 'mira@example.com', password: 'lantern' } })
      const signedIn = await (await fetch(`${api}/sessions`, { method: 'POST', headers: key, body })).json()
      const bearer = { ...key, Authorization: `Bearer ${signedIn.session.token}` }
      const listed = await (await fetch(`${api}/pipelines`, { headers: bearer })).json()

      // The same bytes in every environment: they follow from the seed.
      expect(signedIn.session.token).toMatch(/^eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.[\w-]+\.[\w-]{43}$/)
      expect(listed.pipelines[0].uuid).toBe('daily_sales')
    } finally {
      server.close()
    }
  })

  it('takes requests, times, copies and bodies as they are made here', async () => {
    const understudy = createUnderstudy({ fixture: structuredClone(fixture) })
    understudy.clock.freeze(new Date('2026-05-01T00:00:00Z'))
    const headers = new Headers({ 'content-type': 'application/json' })
    const body = new TextEncoder().encode('{"pipeline":{"name":"made here","type":"python"}}')
    const request = new Request('http://localhost/api/pipelines', { method: 'POST', headers, body })
    const created = await (await understudy.fetch(request)).json()
    const read = await understudy.fetch(new URL('http://localhost/api/pipelines/made_here'))

    expect(created.pipeline.name).toBe('made here')
    expect((await read.json()).pipeline.uuid).toBe('made_here')
    expect(understudy.clock.now()).toBe(1_777_593_600_000)
  })
}
