import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { onTestFinished } from 'vitest'

/** Answers requests of this process by handlers until the end of a test; MSW refuses all other requests. */
export function serveHandlers(...handlers: readonly RequestHandler[]) {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  return server
}
