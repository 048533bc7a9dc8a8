import type { IncomingMessage, RequestListener } from 'node:http'
import { setupServer } from 'msw/node'
import { createHandlers } from '../../src/handlers/index.ts'
import { type AuthMode, createUnderstudy, type Understudy, type UnderstudyOptions } from '../../src/index.ts'
import { createApp } from '../../src/server/create-app.ts'
import { isReadMethod } from '../../src/shared/http.ts'
import type { CheckOptions } from '../runner/options.ts'
import { targetFixture } from './fixture.ts'

/** The options for a built-in target, which has all preconditions of the rules and may be damaged. */
export const builtIn: Omit<CheckOptions, 'target'> = {
  apiKey: 'contract-key',
  email: 'judge@example.com',
  password: 'gavel-and-robe',
  otherToken: 'other-active-token',
  expiredToken: 'judge-expired-token',
  allowDestructive: true,
  useConventions: true,
}

/** Creates a mock with all records that the rules need, and without a request log. */
export function createTarget(options: UnderstudyOptions = {}): Understudy {
  return createUnderstudy({ fixture: targetFixture, clock: 'system', journal: false, ...options })
}

/** The understudy behind Express. */
export function expressTarget(auth: AuthMode = 'open'): RequestListener {
  return createApp(createTarget({ auth }))
}

/** The understudy behind MSW in Node: a base URL that exists only while the server listens. */
export function mswTarget(auth: AuthMode = 'open'): { url: string; close(): void } {
  const url = 'http://understudy.test'
  const server = setupServer(...createHandlers(createTarget({ auth }), { baseUrl: url }))
  server.listen({ onUnhandledRequest: 'bypass' })
  return { url, close: () => server.close() }
}

/** Creates a Node listener that answers by a function for Fetch API requests. */
export function toListener(answer: (request: Request) => Promise<Response>): RequestListener {
  return (request, response) => {
    void readBody(request).then(async (body) => {
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      const method = request.method ?? 'GET'
      const hasBody = !isReadMethod(method) && body.length > 0
      const url = `http://${request.headers.host ?? 'localhost'}${request.url}`
      const reply = await answer(
        new Request(url, { method, headers, body: hasBody ? new Uint8Array(body) : null }),
      )
      response.writeHead(reply.status, Object.fromEntries(reply.headers))
      response.end(Buffer.from(await reply.arrayBuffer()))
    })
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
