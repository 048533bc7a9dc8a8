import { setupServer } from 'msw/node'
import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'
import 'pipeline-understudy/matchers/jest'

export const understudy = createUnderstudy({
  fixture: {
    pipelines: [{ name: 'daily sales' }],
    users: [{ email: 'mira@example.com', username: 'mira', password: 'lantern' }],
  },
})
const server = setupServer(...createHandlers(understudy))

// As they are called in Mock Service Worker 2 and 3.
beforeAll(() => server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' }))
afterEach(() => understudy.reset())
afterAll(() => server.close())
